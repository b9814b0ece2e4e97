import Platform
import Text

/// The words after the name of a command that takes operands, such as `diff OLD NEW --json`.
struct CommandWords {
  let operands: [String]
  private let values: [String: [String]]

  /// Parses the words after a command's name; `names` are the operands' names in messages.
  init(
    _ words: ArraySlice<String>, of command: CommandDescription, operands names: [String]
  ) throws(UsageError) {
    // Shells do not complete --help for a command without other options.
    let options = command.options.isEmpty ? [OptionGroup.help] : command.options
    var (operands, values): ([String], [String: [String]]) = ([], [:])
    var allowsOptions = true
    var rest = words
    while let word = rest.popFirst() {
      if allowsOptions, word == "--" {
        allowsOptions = false
      } else if allowsOptions, word.utf8.first == UInt8(ascii: "-"), word != "-" {
        let argument = Option(word)
        guard let option = options.first(where: { [$0.name, $0.short].contains(argument.name) })
        else {
          let suggestion = nearest(to: argument.name, of: options.map(\.name))
          throw UsageError(
            message: "'\(command.name)' has no option '\(argument.name)'\(suggestion)")
        }
        values[option.name, default: []].append(
          try option.value == nil ? argument.withoutValue() : argument.value(&rest))
      } else if operands.count < names.count, !word.isEmpty {
        operands.append(word)
      } else {
        throw UsageError(message: "unexpected argument '\(word)' for '\(command.name)'")
      }
    }
    try require(
      operands.count == names.count || values["--help"] != nil,
      "'\(command.name)' requires \(names[operands.count])")
    self.operands = operands
    self.values = values
  }

  func has(_ flag: String) -> Bool { values[flag] != nil }

  /// The last value of an option.
  func value(of option: String) -> String? { values[option]?.last }

  func values(of option: String) -> [String] { values[option] ?? [] }
}

/// Suggests the most similar word; empty if none is similar.
func nearest(to word: String, of words: [String]) -> String {
  let isPrefix = { (word: String, whole: String) in word.utf8.count > 3 && whole.hasPrefix(word) }
  let distances = words.map { known in
    // A beginning of the word, or more than it.
    let isBegun = isPrefix(word, known) || isPrefix(known, word)
    return (word: known, distance: isBegun ? 1 : editDistance(word.utf8, Array(known.utf8)))
  }
  guard let nearest = distances.min(by: { $0.distance < $1.distance }), nearest.distance <= 3
  else { return "" }
  return "; did you mean '\(nearest.word)'?"
}
