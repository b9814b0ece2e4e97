import SQLiteSwiftly

/// The types that columns of random packages have, some of them with a domain.
enum RandomColumnKind: CaseIterable {
  case integer, count, string, word, number, boolean, date

  static func random(using random: inout SeededGenerator) -> RandomColumnKind {
    (allCases + [.string, .integer]).randomElement(using: &random) ?? .string
  }

  /// The type as a Data Package calls it.
  var type: String {
    switch self {
    case .integer, .count: "integer"
    case .string, .word: "string"
    case .number: "number"
    case .boolean: "boolean"
    case .date: "date"
    }
  }

  private static let words = ["red", "dark red", "it's", "\u{E9}\u{301}", "a\"b"]

  var constraints: [String: Any] {
    switch self {
    case .count: ["minimum": 0, "maximum": 300]
    case .word: ["enum": Self.words]
    case .date: ["minimum": "1900-01-01"]
    default: [:]
    }
  }

  /// Makes a value, one of so many; a text has at most so many bytes, and three more.
  func value(
    longest: Int, variety: Int, using random: inout SeededGenerator
  ) -> SQLiteValue {
    var own = SeededGenerator(seed: UInt64(Int.random(in: 0..<variety, using: &random)))
    switch self {
    case .count: return .integer(Int64.random(in: 0...300, using: &own))
    case .word: return .text(Self.words.randomElement(using: &own) ?? "")
    case .boolean: return .integer(Int64.random(in: 0...1, using: &own))
    case .number:
      let numbers = [0.5, 1, -2.25, 1e10, 3.141592653589793, 123456, 0, -0.1]
      return .real(numbers.randomElement(using: &own) ?? 0)
    case .date:
      let numbers = (
        Int.random(in: 1900...2100, using: &own), Int.random(in: 10...12, using: &own),
        Int.random(in: 10...28, using: &own)
      )
      return .text("\(numbers.0)-\(numbers.1)-\(numbers.2)")
    case .integer:
      // Around each border between the widths of a record's integers.
      let shift = [0, 7, 8, 15, 16, 23, 31, 32, 47, 48, 55, 62].randomElement(using: &own) ?? 0
      let number = Int64(1) << shift &+ Int64.random(in: -2...2, using: &own)
      return .integer(Bool.random(using: &own) ? number : ~number)
    case .string:
      // Long texts are about as long as may be, so that rows and keys end where pages do.
      let count =
        longest < 1000
        ? Int.random(in: 1...longest, using: &own)
        : longest + Int.random(in: -20...20, using: &own)
      let letters = [
        "a", "b", "\u{E9}", "\u{4E16}", "\u{10FFFF}", "0", " ", "\"", ",", "\n", "xxxxxxxx",
      ]
      var text = "\(Int.random(in: 0..<1_000_000, using: &own))".prefix(count).description
      while text.utf8.count < count { text += letters.randomElement(using: &own) ?? "" }
      while text.utf8.count > max(1, count) { text.unicodeScalars.removeLast() }
      return .text(text)
    }
  }

  /// A value as a file has it.
  func text(of value: SQLiteValue) -> String {
    switch value {
    case .null: ""
    case .integer(let number): self == .boolean ? (number == 1 ? "true" : "false") : "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob: preconditionFailure("no field is a blob")
    }
  }
}
