extension Completions {
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
      \(options.compactMap(value(of:)).joined(separator: "\n"))
        esac
        case ${COMP_WORDS[1]} in
      \(commands.map(words(of:)).joined(separator: "\n"))
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
    return "    \(option.name))\n      \(reply(value.kind))\n      return ;;"
  }

  private func words(of command: CommandDescription) -> String {
    let options = command.options.map { $0.name }.joined(separator: " ")
    let operands = command.operandKind.map { "\n      \(reply($0))" } ?? ""
    return "    \(command.name))\n      _ingest_words '\(options)'\(operands) ;;"
  }

  private func reply(_ kind: OptionDescription.Value.Kind) -> String {
    reply(
      kind, words: { "_ingest_words '\($0)'" }, file: "_ingest_paths -f",
      folder: "_ingest_paths -d", text: ":")
  }
}
