extension Completions {
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
}
