/// Scripts that complete command lines in a shell, made of the descriptions of commands and options.
struct Completions {
  /// The shells for which there is a script.
  enum Shell: String, CaseIterable {
    case bash, zsh, fish
  }

  /// The tables that can be named.
  let tables: [String]

  func script(for shell: Shell) -> String {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  /// The commands that begin with a word.
  var commands: [CommandDescription] { CommandDescription.all.filter { !$0.name.isEmpty } }

  /// The words that can be put in the place of a value; nil if they are not known.
  func words(_ kind: OptionDescription.Value.Kind) -> [String]? {
    switch kind {
    case .words(let words, let orTable): (orTable ? tables : []) + words
    case .file, .folder, .wordOrFile, .text: nil
    }
  }

  /// A text as one word of a shell.
  func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
