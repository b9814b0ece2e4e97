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

  private var commands: [CommandDescription] { CommandDescription.all.filter { !$0.name.isEmpty } }

  /// The part of a script that completes a value: words, a file, a folder or any text.
  private func reply(
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

  private func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }

  /// The script for bash; see "Programmable Completion" in its manual.
  var bash: String {
    let options = CommandDescription.load.options + CommandDescription.metadata.options
    let names = commands.map { $0.name }.joined(separator: " ")
    let load = CommandDescription.load.options.map { $0.name }.joined(separator: " ")
    return """
      # Completions of ingest for bash, printed by 'ingest completions bash'.

      _ingest_words() {
        local words
        mapfile -t words < <(compgen -W "$1" -- "$current")
        COMPREPLY+=("${words[@]}")
      }

      _ingest_paths() {
        local paths
        compopt -o filenames
        mapfile -t paths < <(compgen "$1" -- "$current")
        COMPREPLY+=("${paths[@]}")
      }

      _ingest() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
        COMPREPLY=()
        # Bash treats an equals sign as a separate word.
        if [ "$current" = '=' ]; then
          current=
        elif [ "$previous" = '=' ] && [ "$COMP_CWORD" -gt 1 ]; then
          previous=${COMP_WORDS[COMP_CWORD - 2]}
        fi
        case $previous in
      \(options.compactMap(value).joined(separator: "\n"))
        esac
        case ${COMP_WORDS[1]} in
      \(commands.map(words).joined(separator: "\n"))
          *)
            _ingest_words '\(load)'
            if [ "$COMP_CWORD" -eq 1 ]; then _ingest_words '\(names)'; fi ;;
        esac
      }

      complete -F _ingest ingest
      """
  }

  private func value(of option: OptionDescription) -> String? {
    guard let value = option.value else { return nil }
    return "    \(option.name))\n      \(bashReply(value.kind))\n      return ;;"
  }

  private func words(of command: CommandDescription) -> String {
    let options = command.options.map { $0.name }.joined(separator: " ")
    let operands = command.operandKind.map { "\n      \(bashReply($0))" } ?? ""
    return "    \(command.name))\n      _ingest_words '\(options)'\(operands) ;;"
  }

  private func bashReply(_ kind: OptionDescription.Value.Kind) -> String {
    reply(
      kind, words: { "_ingest_words '\($0)'" }, file: "_ingest_paths -f",
      folder: "_ingest_paths -d", text: ":")
  }

  /// The script for zsh; see zshcompsys(1).
  var zsh: String {
    let commands = commands.map { command in
      "    \(command.name)) _arguments -s \(arguments(of: command)) ;;"
    }
    let names = self.commands.map { quoted("\($0.name):\($0.summary)") }
    return """
      #compdef ingest
      # Completions of ingest for zsh, printed by 'ingest completions zsh'.

      _ingest() {
        local -a commands=(
          \(names.joined(separator: "\n    "))
        )
        if (( CURRENT == 2 )) && [[ ${words[2]} != -* ]]; then
          _describe command commands
          return
        fi
        case ${words[2]} in
          -*) ;;
          *) (( CURRENT-- )); shift words ;;
        esac
        case ${words[1]} in
      \(commands.joined(separator: "\n"))
          *) _arguments -s \(arguments(of: .load)) ;;
        esac
      }

      _ingest "$@"
      """
  }

  private func arguments(of command: CommandDescription) -> String {
    let options = command.options.flatMap { option in
      ([option.name] + (option.short.map { [$0] } ?? [])).map { argument(option, name: $0) }
    }
    let operands = command.operandKind.map { [quoted("*:operand:\(action($0))")] } ?? []
    return (options + operands).map { "\\\n        \($0)" }.joined(separator: " ")
  }

  private func argument(_ option: OptionDescription, name: String) -> String {
    let summary = option.summary.replacing(":", with: "\\:").replacing("[", with: "\\[")
      .replacing("]", with: "\\]")
    let repetition = option.isRepeatable ? "*" : ""
    guard let value = option.value else { return quoted("\(repetition)\(name)[\(summary)]") }
    return quoted(
      "\(repetition)\(name)=[\(summary)]:\(value.placeholder.lowercased()):\(action(value.kind))")
  }

  private func action(_ kind: OptionDescription.Value.Kind) -> String {
    reply(kind, words: { "(\($0))" }, file: "_files", folder: "_files -/", text: "")
  }

  /// The script for fish; see `complete` in its documentation.
  var fish: String {
    let names = commands.map { $0.name }.joined(separator: " ")
    let isLoad = "not __fish_seen_subcommand_from \(names)"
    var lines = ["# Completions of ingest for fish, printed by 'ingest completions fish'.", ""]
    lines.append("complete -c ingest -f")
    for command in commands {
      let summary = quoted(command.summary)
      lines.append("complete -c ingest -n __fish_is_first_token -a \(command.name) -d \(summary)")
    }
    lines += CommandDescription.load.options.map { line($0, when: isLoad) }
    for command in commands {
      let isSeen = "__fish_seen_subcommand_from \(command.name)"
      lines += command.options.map { line($0, when: isSeen) }
      if let kind = command.operandKind {
        lines.append("complete -c ingest -n \(quoted(isSeen)) \(argument(kind))")
      }
    }
    return lines.joined(separator: "\n")
  }

  private func line(_ option: OptionDescription, when condition: String) -> String {
    let short = option.short.map { " -s \($0.dropFirst())" } ?? ""
    let value = option.value.map { " -r \(argument($0.kind))" } ?? ""
    return "complete -c ingest -n \(quoted(condition)) -l \(option.name.dropFirst(2))\(short)"
      + "\(value) -d \(quoted(option.summary))"
  }

  private func argument(_ kind: OptionDescription.Value.Kind) -> String {
    reply(
      kind, words: { "-a \(quoted($0))" }, file: "-F",
      folder: "-a '(__fish_complete_directories)'", text: "-f")
  }
}
