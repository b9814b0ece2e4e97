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
      joinedValue != nil || !value.hasPrefix("--"),
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
    var rest = words[...]
    var last: String?
    while let word = rest.popFirst(), word != "--" {
      if word.hasPrefix("@"), let file = try? ResponseFile(String(word.dropFirst())) {
        for line in file.lines { last = value(of: name, at: line.words[...]) ?? last }
      } else {
        last = value(of: name, at: [word] + rest.prefix(1)) ?? last
      }
    }
    return last
  }

  static func isPresent(_ name: String, in words: [String]) -> Bool {
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
