extension Completions {
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
