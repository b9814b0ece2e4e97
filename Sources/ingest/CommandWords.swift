import Text

/// The words of a command line as options and operands.
///
/// This is the first of two phases. The second, `Arguments`, reads the values, for which it needs the tables of the family
/// that `--schema` names.
struct CommandWords {
  let words: [String]
  let command: CommandDescription
  private(set) var operands: [String] = []
  /// The options in order, with their values; empty for one without a value.
  private var options: [(option: OptionDescription, value: String, place: Place?)] = []
  /// The first invalid word's error, and the number of options before it.
  private var mistake: (error: UsageError, options: Int)?

  /// The file and line of an option in a file of options: `nightly.conf:3`.
  typealias Place = String

  init(_ words: [String]) {
    self.words = words
    command = CommandDescription.of(words.first)
    var rest = words.dropFirst(command == .load ? 0 : 1).map { (word: $0, place: Place?.none) }[...]
    var allowsOptions = !command.takesTopic
    while let (word, place) = rest.popFirst() {
      do throws(UsageError) {
        if place != nil || allowsOptions && word.hasBytePrefix("-") && !["-", "--"].contains(word) {
          try addOption(word, &rest, at: place)
        } else if allowsOptions, word == "--" {
          allowsOptions = false
        } else if allowsOptions, command.isRun, word.hasBytePrefix("@") {
          rest = try ResponseFile(word.dropping(prefix: "@")).lines + rest
        } else {
          try addOperand(word, allowsOptions: allowsOptions)
        }
      } catch {
        // The family is found by a valid option, wherever that is.
        mistake = mistake ?? (error.at(place), options.count)
      }
    }
  }

  var schema: SchemaChoice { SchemaChoice(named: value(of: "--schema")) }

  func has(_ name: String) -> Bool { !values(of: name).isEmpty }

  /// The last value of an option.
  func value(of name: String) -> String? { values(of: name).last }

  func values(of name: String) -> [String] {
    options.filter { $0.option.name == name }.map(\.value)
  }

  /// Reads the options in their order, up to the first invalid word, whose error is thrown.
  func forEachOption(
    _ read: (OptionDescription, String) throws(UsageError) -> Void
  ) throws(UsageError) {
    for (option, value, place) in options.prefix(mistake?.options ?? .max) {
      try mapError(read(option, value), as: { (error: UsageError) in error.at(place) })
    }
    if let mistake { throw mistake.error }
  }

  /// Adds an option with the value after its equals sign, or in the next word.
  private mutating func addOption(
    _ word: String, _ rest: inout ArraySlice<(word: String, place: Place?)>, at place: Place?
  ) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let joinedValue = parts.count > 1 ? String(parts[1]) : nil
    // Shells do not complete --help for a command without other options.
    let known = command.options.isEmpty ? [OptionGroup.help] : command.options
    guard let option = known.first(where: { [$0.name, $0.short].contains(name) }) else {
      if command.isRun, name == "--write-repairs" { throw .replayRemoved }
      let problem =
        command.isRun ? "unknown option '\(name)'" : "'\(command.name)' has no option '\(name)'"
      throw UsageError(message: problem + nearest(to: name, of: known.map(\.name)))
    }
    guard let kind = option.value?.kind else {
      try require(joinedValue == nil, "option '\(name)' does not take a value")
      return options.append((option, "", place))
    }
    try require(
      !command.isRun || option.isRepeatable || !has(option.name), "option '\(name)' is used twice")
    guard let value = joinedValue ?? (place == nil ? rest.first?.word : nil), !value.isEmpty else {
      throw UsageError(message: "option '\(name)' requires a value")
    }
    if joinedValue == nil {
      try require(
        !value.hasBytePrefix("--"),
        "option '\(name)' requires a value, but '\(value)' follows; "
          + "write '\(name)=\(value)' if that is the value")
      rest.removeFirst()
    }
    if command.isRun, [.file, .folder].contains(kind) { try MisreadPath.check(value, for: name) }
    options.append((option, value, place))
  }

  private mutating func addOperand(_ word: String, allowsOptions: Bool) throws(UsageError) {
    if command.takesTopic || operands.count < command.operandNames.count && !word.isEmpty {
      return operands.append(word)
    }
    guard command.isRun else {
      throw UsageError(message: "unexpected argument '\(word)' for '\(command.name)'")
    }
    if words.first == "replay" { throw .replayRemoved }
    let known = CommandDescription.all.first { $0.name == word }
    if let known, allowsOptions, command == .load {
      throw UsageError(message: "the command '\(word)' must be the first word: \(known.usage)")
    }
    let isMistyped = known == nil && allowsOptions
    let suggestion = isMistyped ? nearest(to: word, of: CommandDescription.all.map(\.name)) : ""
    throw UsageError(message: "unexpected argument '\(word)'\(suggestion)")
  }
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
