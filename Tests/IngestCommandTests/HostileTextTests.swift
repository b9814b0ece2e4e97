import Foundation
import FoundationXML
import TestSupport
import Testing

/// Texts of a description that are markup, invisible, or a prefix of the journal.
@Suite struct HostileTextTests {
  private let command: Command

  init() throws { command = try Command() }

  /// Describes a table with one column.
  private func describe(table: String, column: String = "id", meaning: String = "m") throws {
    let document: [String: Any] = [
      "name": "f", "description": meaning,
      "resources": [
        [
          "name": table, "path": "a.csv", "description": meaning,
          "schema": [
            "fields": [
              ["name": column, "type": "string", "description": meaning, "example": meaning]
            ]
          ],
        ]
      ],
    ]
    let json = try JSONSerialization.data(withJSONObject: document)
    try json.write(to: URL(fileURLWithPath: command.folder + "/p.json"))
    try command.write("a.csv", "\(column)\n1\n")
  }

  @Test func `a description is text in the dictionary`() throws {
    let meaning =
      "<script>x</script>\n# Forged [a](javascript:b) | **c** `d` https://e.example a_b _f_ \\"
    try describe(table: "t", meaning: meaning)
    let result = try command.run(["metadata", "--dictionary", "--schema", "p.json"], status: 0)
    let shown =
      #"&lt;script&gt;x&lt;/script&gt; # Forged \[a\](javascript:b) \| \*\*c\*\* `d` "#
      + #"https&#58;//e.example a_b \_f\_ \\"#
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.contains(shown), "\(result.output)")
    let code =
      #"`` <script>x</script> # Forged [a](javascript:b) \| **c** `d` https://e.example a_b _f_ \ ``"#
    #expect(lines.contains("| id | text or NULL |  | \(shown) |  | \(code) |"), "\(result.output)")
    #expect(!lines.contains { $0.hasPrefix("# Forged") })
  }

  @Test(arguments: ["\u{fffe}", "\u{ffff}", "<&>", "\u{1fffe}", "\"'"])
  func `any name is valid in the diagram`(text: String) throws {
    try describe(table: "t\(text)", column: "c\(text)")
    let result = try command.run(["metadata", "--diagram", "--schema", "p.json"], status: 0)
    let parser = XMLParser(data: Data(result.output.utf8))
    #expect(parser.parse(), "\(result.output)")
  }

  /// Variation selectors, Hangul fillers, a joiner of graphemes, and marks that cover the lines around them.
  @Test(arguments: [
    "\u{fe0f}\u{e0100}\u{115f}\u{1160}\u{3164}\u{ffa0}\u{34f}\u{180b}",
    String(repeating: "\u{301}", count: 100), String(repeating: "\u{20dd}", count: 9),
  ])
  func `invisible characters and long runs of marks are escaped`(text: String) throws {
    let isRun = Set(text.unicodeScalars).count == 1
    try describe(table: "t\(text)", column: "c\(text)")
    try command.write("a.csv", "c\(text),x\(text)\n1,2\n3\n")
    let load = ["--schema", "p.json", "--out", "c.sqlite", "--max-rejects", "9"]
    for words in [
      load, load + ["--report", "json:-"], load + ["--report", "html:-"],
      ["check", "--schema", "p.json", "c.sqlite"],
      ["metadata", "--dictionary", "--schema", "p.json"],
      ["metadata", "--diagram", "--schema", "p.json"],
      ["metadata", "--datasette", "--schema", "p.json"],
      ["describe", "--source", "a.csv"],
    ] {
      let result = try command.run(words)
      let scalars = (result.output + result.errors).unicodeScalars
      let runs = scalars.split { !text.unicodeScalars.contains($0) }.map(\.count)
      #expect(runs.max() ?? 0 <= (isRun ? 8 : 0), "\(words): \(result)")
    }
  }

  /// The journal reads `<0>` at the beginning of a line as the level of an emergency (sd-daemon(3)).
  @Test(arguments: ["output", "errors"])
  func `no name is a level in the journal`(stream: String) throws {
    try describe(table: "<0>x")
    let script = """
      exec >output 2>errors
      JOURNAL_STREAM=$(stat -c %d:%i \(stream)) "$0" "$@"
      """
    let words = ["--schema", "p.json", "--out", "c.sqlite", "-v"]
    try command.shell(script, words)
    let text = try String(contentsOfFile: "\(command.folder)/\(stream)", encoding: .utf8)
    let lines = text.split(separator: "\n")
    #expect(!lines.isEmpty && lines.allSatisfy { $0.hasPrefix("<6>") }, "\(text)")
  }

  @Test(arguments: [
    "CREATE TABLE \"ingest_\u{301}x\" (a)", "CREATE VIEW \"INGEST_\u{301}\" AS SELECT 1",
    "CREATE TABLE a (a); ALTER TABLE a RENAME TO \"ingest_\u{200d}\"",
    "CREATE INDEX \"ingest_\u{fe0f}\" ON themes (name)",
  ])
  func `a reserved name is reserved before a combining mark`(sql: String) throws {
    try command.write("s.sql", sql)
    let result = try command.load(Command.fixtures + "/dumps", "--sql", command.folder + "/s.sql")
    #expect(
      result.status == 65 && result.errors.contains("names beginning with ingest_, such as "),
      "\(result)")
  }

  @Test(arguments: [
    "CREATE TABLE a AS SELECT zeroblob(16777216) AS b",
    "SELECT length(hex(zeroblob(10000000)))",
  ])
  func `a value of custom SQL has a limit`(sql: String) throws {
    try command.write("s.sql", sql)
    let result = try command.load(Command.fixtures + "/dumps", "--sql", command.folder + "/s.sql")
    #expect(
      result.status == 65 && result.errors.contains("statement 1: string or blob too big"),
      "\(result)")
  }

  /// The path is absolute, although its first character is not a slash.
  @Test func `a description cannot name an absolute path`() throws {
    try command.write(
      "p.json",
      #"{"name": "f", "resources": [{"name": "a", "path": "/\u0301a.csv", "schema": {"fields": [{"name": "a"}]}}]}"#
    )
    let result = try command.run(["--schema", "p.json", "--out", "c.sqlite"])
    #expect(result.status == 65 && result.errors.contains("the path is absolute"), "\(result)")
  }
}
