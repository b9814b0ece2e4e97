import Platform
import Text

/// An option on the command line, with the value after its equals sign.
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
      throw .missingValue(of: name)
    }
    try require(
      joinedValue != nil || !value.hasBytePrefix("--"),
      "option '\(name)' requires a value, but '\(value)' follows; "
        + "write '\(name)=\(value)' if that is the value")
    return value
  }

  func withoutValue() throws(UsageError) -> String {
    try require(joinedValue == nil, "option '\(name)' does not take a value")
    return ""
  }
}

extension Option {
  /// The last value of an option on the command line or in a file of options; nil if there is none.
  ///
  /// Errors are ignored here; the parser reports them.
  static func value(of name: String, in words: [String]) -> String? {
    candidates(in: words).compactMap { words -> String? in
      var rest = words
      guard let option = rest.popFirst().map(Option.init), option.name == name else { return nil }
      return try? option.value(&rest)
    }.last
  }

  static func isPresent(_ name: String, in words: [String]) -> Bool {
    candidates(in: words).contains { $0.first.map(Option.init)?.name == name }
  }

  /// The words that may be an option, each with the word after it, and the lines of files of options.
  private static func candidates(in words: [String]) -> [ArraySlice<String>] {
    let words = words.prefix { $0 != "--" }
    return words.indices.flatMap { index in
      let word = words[index]
      guard word.hasBytePrefix("@"), let file = try? ResponseFile(word.dropping(prefix: "@")) else {
        return [words[index...].prefix(2)]
      }
      return file.lines.map { $0.words[...] }
    }
  }
}
