import Testing

@testable import SQLiteSwiftly

/// The pieces of SQL text, whatever the text is.
struct SQLTokenTests {
  /// Texts, and the pieces of them, each with the first letter of its kind.
  static let cases: [(String, [String])] = [
    ("", []), (" \n\t\r\u{C}-- a", []), ("/* a -- b", []), ("/**/a/*/*/", ["w a"]),
    ("a\"b\"[c]`d`'e'", ["w a", "n b", "n c", "n d", "s e"]),
    ("\"a\"\"b\" `a``b` 'a''b' [a\"\"b]", ["n a\"b", "n a`b", "s a'b", "n a\"\"b"]),
    ("'a", ["s a"]), ("\"", ["n "]), ("[a", ["n a"]), ("''", ["s "]), ("x'a", ["l X'A'"]),
    ("x'0a'X'' x y'1'", ["l X'0A'", "l X''", "w x", "w y", "s 1"]),
    (
      "1 1.5 .5 1e5 1E-5 1e+5-2 0x1e-5",
      [
        "l 1", "l 1.5", "l .5", "l 1e5", "l 1E-5", "l 1e+5", "y -", "l 2", "l 0x1e", "y -", "l 5",
      ]
    ),
    ("a.b a$1 _x \u{E9}t\u{E9}", ["w a", "y .", "w b", "w a$1", "w _x", "w \u{E9}t\u{E9}"]),
    (
      "a<>b<=c->>d->e||f==g",
      [
        "w a", "y <>", "w b", "y <=", "w c", "y ->>", "w d", "y ->", "w e", "y ||", "w f", "y ==",
        "w g",
      ]
    ),
    ("(a,b);?", ["y (", "w a", "y ,", "w b", "y )", "y ;", "y ?"]),
    ("a--b\nc-/*d*/-e", ["w a", "w c", "y -", "y -", "w e"]),
  ]

  @Test(arguments: cases)
  func `text is parted as SQLite parts it`(text: String, pieces: [String]) {
    let letters: [SQLToken.Kind: String] = [
      .word: "w", .name: "n", .string: "s", .literal: "l", .symbol: "y",
    ]
    #expect(SQLToken.tokens(of: text).map { "\(letters[$0.kind] ?? "?") \($0.text)" } == pieces)
  }

  private static let fragments = [
    "a", "A", "in", "NOT", "y", "1", ".5", "1e", "'", "\"", "`", "[", "]", "(", ")", ",", "-", "+",
    "/*", "*/", "--", "\n", " ", "x'0a'", "''", "\"\"", "||", "<", ">", "=", "CHECK", "AS",
    "COLLATE",
    "ON", "CONFLICT", "\u{E9}", "e\u{301}", "\u{1F9F1}", "\0", "CONSTRAINT", "INITIALLY", "DESC",
  ]

  @Test(arguments: 1...4)
  func `any text can be read, and its normal form is its own`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let count = Int.random(in: 0...20, using: &random)
      let text = (0..<count).map { _ in Self.fragments.randomElement(using: &random) ?? "" }
        .joined()
      let columns = ["a", "y", "in", "\u{E9}"]
      let normal = SQLToken.tokens(of: text).normalized(columns: columns).joined
      let again = SQLToken.tokens(of: normal).normalized(columns: columns).joined
      #expect(again.utf8.elementsEqual(normal.utf8), "\(text)")
      _ = TableText("CREATE TABLE t (" + text, columnNames: columns)
      _ = TableText(text, columnNames: columns)
      _ = IndexText(text, columnNames: columns)
    }
  }
}
