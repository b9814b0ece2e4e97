/// Completion scripts for shells, made from the descriptions of commands and options.
struct Completions {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  let tables: [String]

  func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  var commands: [CommandDescription] { CommandDescription.all.filter { !$0.name.isEmpty } }

  /// The part of a script that completes a value: words, a file, a folder or any text.
  func reply(
    _ kind: OptionDescription.Value.Kind, words: (String) -> String, file: String, folder: String,
    text: String
  ) -> String {
    switch kind {
    case .words(let known, let orTable):
      words(((orTable ? tables : []) + known).joined(separator: " "))
    case .file, .wordOrFile: file
    case .folder: folder
    case .text: text
    }
  }

  func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
