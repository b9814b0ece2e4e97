import Foundation
import TestSupport
import Testing

/// Names in an untrusted description that could break a line or control a terminal.
@Suite struct HostileNameTests {
  private static let forged = "ingest: forged: all is well"
  private static let attack = "\\n\(forged)\\u001b[31m\\u202e\\u2028\\u009b"

  /// A family of two tables, the second with a reference.
  private static let description = """
    {"name": "f\(attack)", "resources": [
      {"name": "a\(attack)", "path": "a.csv", "schema": {"fieldsMatch": ["partial"], "primaryKey": "i\(attack)",
       "fields": [{"name": "i\(attack)", "type": "integer"}, {"name": "s\(attack)"}, {"name": "n\(attack)"}]},
       "ingest": {"matching": "known"}},
      {"name": "b\(attack)", "path": "b.csv", "schema": {
       "fields": [{"name": "a\(attack)", "type": "integer"}],
       "foreignKeys": [{"fields": "a\(attack)", "reference": {"resource": "a\(attack)", "fields": "i\(attack)"}}]}}
    ]}
    """

  private let command: Command

  init() throws {
    command = try Command()
    try command.write("p.json", Self.description)
    try command.write(
      "a.csv", "\(quoted("i")),\(quoted("s")),\(quoted("x"))\n1,x,\n2,y,\n3x,z,\n4,,\n")
    try command.write("b.csv", "\(quoted("a"))\n1\n2\n9\n")
  }

  /// A name in the first record of a source file.
  private func quoted(_ name: String) -> String {
    "\"\(name)\n\(Self.forged)\u{1b}[31m\u{202e}\u{2028}\u{9b}\""
  }

  /// Runs the command, and checks that its output has no foreign lines and no control characters.
  @discardableResult
  private func run(
    _ words: [String], _ status: Int32, environment: String = ""
  ) throws -> (output: String, errors: String) {
    let script = "exec 2>errors; \(environment) \"$0\" \"$@\" >output"
    try command.shell(script, words, status: status)
    let texts = try ["output", "errors"].map {
      try String(contentsOfFile: "\(command.folder)/\($0)", encoding: .utf8)
    }
    for text in texts {
      #expect(controls(in: text) == [], "\(words): \(text.debugDescription)")
      #expect(!text.contains("\u{2028}"), "\(words)")
      let lines = text.split(separator: "\n").map { $0.drop { "<0123456789>".contains($0) } }
      #expect(!lines.contains { $0.hasPrefix(Self.forged) }, "\(words): \(text)")
    }
    return (texts[0], texts[1])
  }

  private func load(
    _ words: [String] = [], limit: Int = 9, status: Int32 = 3, environment: String = ""
  ) throws -> (output: String, errors: String) {
    let options = ["--schema", "p.json", "--out", "c.sqlite", "--max-rejects", "\(limit)"]
    return try run(options + words, status, environment: environment)
  }

  @Test(arguments: [
    ([], 9, 3), (["-v"], 9, 3), (["--quiet"], 9, 3), (["--dry-run"], 9, 3), ([], 0, 65),
    (["--strict-schema"], 9, 65), (["--report", "json:-"], 9, 3), (["--report", "html:-"], 9, 3),
  ])
  func `no name in a description can break a line of output`(
    options: [String], limit: Int, status: Int32
  ) throws {
    for environment in ["", "JOURNAL_STREAM=$(stat -c %d:%i errors)"] {
      let texts = try load(options, limit: limit, status: status, environment: environment)
      #expect((texts.output + texts.errors).contains("a\\u{a}ingest: forged"), "\(texts)")
    }
  }

  @Test func `no password in messages of other commands`() throws {
    _ = try load()
    try run(["check", "--schema", "p.json", "c.sqlite"], 0)
    try command.shell("cp c.sqlite old.sqlite")
    try command.write("a.csv", "\(quoted("i")),\(quoted("s")),\(quoted("x"))\n1,new,\n5,y,\n4,,\n")
    try command.write("b.csv", "\(quoted("a"))\n1\n1\n")
    _ = try load(["-v"], status: 0)
    for form in [[], ["--keys"], ["--json"]] {
      let texts = try run(["diff", "--schema", "p.json"] + form + ["old.sqlite", "c.sqlite"], 1)
      #expect(texts.output.contains("s\\"), "\(texts)")
    }
    for shell in ["bash", "fish", "zsh"] { try run(["completions", shell], 0) }
    try run(["describe", "--source", "."], 0)
    try run(["--schema", "p.json", "--max-rejects", "z\n\(Self.forged)=1"], 64)
  }

  @Test func `no name from custom SQL controls a terminal`() throws {
    let name = "v\n\(Self.forged)\u{1b}"
    try command.write("own.sql", "CREATE VIEW \"\(name)\" AS SELECT 1 AS a;")
    let texts = try load(["--sql", "own.sql"])
    #expect(texts.output.contains("forged"), "\(texts)")
    try command.write("own.sql", "CREATE TABLE x AS SELECT * FROM \"\(name)\";")
    _ = try load(["--sql", "own.sql"], status: 65)
    try command.write("own.sql", "SELECT '\(name)' FROM +;")
    _ = try load(["--sql", "own.sql"], status: 65)
  }

  @Test func `no name in a rejects folder controls a terminal`() throws {
    _ = try load()
    let rejects = command.folder + "/c.sqlite.rejects/"
    let names = try FileManager.default.contentsOfDirectory(atPath: rejects)
    #expect(names.count == 5 && names.allSatisfy { controls(in: $0) == [] }, "\(names)")
    let words = ["repair", "--schema", "p.json", "--rejects", rejects, "--repairs", "repairs"]
    for name in names where !name.contains(".reasons") && name != "manifest.csv" {
      let text = try String(contentsOfFile: rejects + name, encoding: .utf8)
      try command.write("c.sqlite.rejects/" + name, text + text)
    }
    try run(words, 0)
    try command.write("c.sqlite.rejects/x\n\(Self.forged).csv", "")
    try run(words, 65)
  }

  @Test func `a suppression is always a single line`() throws {
    let first = try load()
    let lines = first.errors.split(separator: "\n").filter { $0.hasPrefix("    column-") }
    #expect(!lines.isEmpty, "\(first.errors)")
    try command.write("suppressed.txt", lines.map { $0.dropFirst(4) + "\n" }.joined())
    let second = try load(["--suppress", "suppressed.txt"])
    #expect(second.output.contains("suppressed: column-"), "\(second)")
    #expect(!second.errors.contains("acceptance-unused"), "\(second)")
  }

  @Test func `the progress line has no names that control a terminal`() throws {
    try command.write("a.csv", "\(quoted("i"))\n1\n")
    try command.write("b.csv", "\(quoted("a"))\n1\n")
    let held = try command.start(
      ["--schema", "p.json", "--out", "c.sqlite", "--progress", "always"], heldAt: .read, "a.csv",
      number: 2)
    try held.running.wait { try held.running.errorsSoFar().contains("a\\u{a}ingest") }
    let result = try held.outcome(status: 0)
    let sent = result.errors
    let shown = sent.matches(of: /\r([^\r\n\x1b]+)\x1b\[J\r/).map { String($0.1) }
    #expect(!shown.isEmpty && shown.contains { $0.contains("a\\u{a}ingest") }, "\(sent)")
    let rest = sent.replacing(/\r[^\r\n\x1b]+\x1b\[J\r/, with: "").replacing("\r\u{1b}[J", with: "")
    #expect(controls(in: rest) == [], "\(rest)")
  }
}
