import Files

/// The words after the name of a command that takes operands, such as `diff OLD NEW --json`.
struct CommandWords {
  let operands: [String]
  private let values: [String: String]

  /// Reads the words after a command's name; `names` says what each operand is called in messages.
  init(
    _ words: ArraySlice<String>, of command: CommandDescription, operands names: [String]
  ) throws(UsageError) {
    // A shell completes no option of a command that has nothing but help.
    let options = command.options.isEmpty ? [OptionGroup.help] : command.options
    var (operands, values): ([String], [String: String]) = ([], [:])
    var allowsOptions = true
    var rest = words
    while let word = rest.popFirst() {
      if allowsOptions, word == "--" {
        allowsOptions = false
      } else if allowsOptions, word.utf8.first == UInt8(ascii: "-"), word != "-" {
        let given = Option(word)
        guard let option = options.first(where: { [$0.name, $0.short].contains(given.name) }) else {
          let suggestion = nearest(to: given.name, of: options.map(\.name))
          throw UsageError(message: "'\(command.name)' has no option '\(given.name)'\(suggestion)")
        }
        values[option.name] = try option.value == nil ? given.withoutValue() : given.value(&rest)
      } else if operands.count < names.count, !word.isEmpty {
        operands.append(word)
      } else {
        throw UsageError(message: "unexpected argument '\(word)' for '\(command.name)'")
      }
    }
    try require(
      operands.count == names.count || values["--help"] != nil,
      "'\(command.name)' needs \(names[operands.count])")
    self.operands = operands
    self.values = values
  }

  func has(_ flag: String) -> Bool { values[flag] != nil }

  func value(of option: String) -> String? { values[option] }
}

/// A question whether the word that is most like another was meant, if any is like it.
func nearest(to word: String, of words: [String]) -> String {
  let isPrefix = { (word: String, whole: String) in word.utf8.count > 3 && whole.hasPrefix(word) }
  let distances = words.map { known in
    // Somebody knows the beginning, or has gone on.
    let isBegun = isPrefix(word, known) || isPrefix(known, word)
    return (word: known, distance: isBegun ? 1 : editDistance(word.utf8, Array(known.utf8)))
  }
  guard let nearest = distances.min(by: { $0.distance < $1.distance }), nearest.distance <= 3
  else { return "" }
  return "; did you mean '\(nearest.word)'?"
}
