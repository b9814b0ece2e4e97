/// An option as it is written, with the value that was joined to it by an equals sign.
struct Option {
  let name: String
  private let joinedValue: String?

  init(_ argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(parts[0])
    joinedValue = parts.count > 1 ? String(parts[1]) : nil
  }

  func value(_ rest: inout ArraySlice<String>) throws(UsageError) -> String {
    let value = joinedValue ?? rest.popFirst()
    guard let value, !value.isEmpty else {
      throw UsageError(message: "the option '\(name)' needs a value")
    }
    try require(
      joinedValue != nil || !value.hasPrefix("--"),
      "the option '\(name)' needs a value, but '\(value)' follows; "
        + "write '\(name)=\(value)' if that is meant")
    return value
  }

  func withoutValue() throws(UsageError) -> String {
    try require(joinedValue == nil, "the option '\(name)' takes no value")
    return ""
  }
}

extension Option {
  /// The value that an option has last in a command line, or in a file of options; nil if there is none.
  ///
  /// What is wrong with the words is told when they are read.
  static func value(of name: String, in words: [String]) -> String? {
    var rest = words[...]
    var found: String?
    while let word = rest.popFirst(), word != "--" {
      if word.hasPrefix("@"), let file = try? ResponseFile(String(word.dropFirst())) {
        for line in file.lines { found = value(of: name, at: line.words[...]) ?? found }
      } else {
        found = value(of: name, at: [word] + rest.prefix(1)) ?? found
      }
    }
    return found
  }

  static func isGiven(_ name: String, in words: [String]) -> Bool {
    words.prefix { $0 != "--" }.contains { word in
      if word.hasPrefix("@"), let file = try? ResponseFile(String(word.dropFirst())) {
        return file.lines.contains { $0.words.first.map(Option.init)?.name == name }
      }
      return Option(word).name == name
    }
  }

  private static func value(of name: String, at words: ArraySlice<String>) -> String? {
    var rest = words
    guard let option = rest.popFirst().map(Option.init), option.name == name else { return nil }
    return try? option.value(&rest)
  }
}
