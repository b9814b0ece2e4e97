/// An option as it is written, with the value that was joined to it by an equals sign.
struct Option {
  let name: String
  private let joinedValue: String?

  init(_ argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(parts[0])
    joinedValue = parts.count > 1 ? String(parts[1]) : nil
  }

  /// Returns its value, which is joined to it, or taken from the words that follow.
  ///
  /// - Throws: `UsageError` if there is none.
  func value(_ rest: inout ArraySlice<String>) throws(UsageError) -> String {
    let value = joinedValue ?? rest.popFirst()
    guard let value, !value.isEmpty else {
      throw UsageError(message: "the option '\(name)' needs a value")
    }
    guard joinedValue != nil || !value.hasPrefix("--") else {
      throw UsageError(
        message: "the option '\(name)' needs a value, but '\(value)' follows; "
          + "write '\(name)=\(value)' if that is meant")
    }
    return value
  }

  /// Returns the empty text, for an option that takes no value.
  ///
  /// - Throws: `UsageError` if it has one.
  func withoutValue() throws(UsageError) -> String {
    guard joinedValue == nil else {
      throw UsageError(message: "the option '\(name)' takes no value")
    }
    return ""
  }
}

extension Option {
  /// Looks for an option in a command line, and in files of options, without reading anything else.
  ///
  /// - Returns: The value that it has there last; nil if there is none. What is wrong with the words is told when
  ///   they are read.
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

  /// Whether an option is there, with a value or without.
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
