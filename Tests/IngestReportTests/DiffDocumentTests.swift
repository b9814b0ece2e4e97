import Schema
@testable import SQLiteDestination
import Foundation
import SQLiteSwiftly
import TestSupport
import Testing
@testable import IngestReport

@Suite struct DiffDocumentTests {
  /// The document for two databases made from SQL.
  private func document(_ old: [SQL], _ new: [SQL]) throws -> String {
    let workplace = try Workplace()
    let paths = ["old", "new"].map { workplace.path + "/\($0).sqlite" }
    for (path, statements) in zip(paths, [old, new]) {
      try changeDatabase(path, [Family.identification] + statements)
    }
    let diff = try DatabaseDiff(paths[0], paths[1], schema: Family.schema)
    var text = ""
    let isDifferent = try DiffDocument { text += $0 }.compare(diff)
    #expect(text.contains("\"is_different\": \(isDifferent)\n}"))
    return text
  }

  private static let table: SQL = "CREATE TABLE t (a PRIMARY KEY, b, c)"

  /// The documents are validated by another implementation.
  @Test(.needs(.jsonschema)) func `documents of every kind match the schema`() throws {
    let documents = [
      try document([], []),
      try document([Self.table], [Self.table]),
      try document(
        [Self.table, "PRAGMA user_version = 3", "INSERT INTO t VALUES (1, x'00ff', 2), (2, 0, 0)"],
        [Self.table, "INSERT INTO t VALUES (1, 1e300, NULL), ('\u{202e}\"\\\n\u{1}', 0, 0)"]),
      try document(["CREATE TABLE t (a, b)"], [Self.table, "CREATE TABLE u (a)"]),
      try document([Self.table], ["CREATE TABLE t (a PRIMARY KEY, b, d)"]),
      try document(["CREATE VIEW v AS SELECT 1"], [Self.table, "CREATE INDEX i ON t (b)"]),
    ]
    #expect(try SchemaCheck.problems(of: documents, ["--diff"]).flatMap(\.self) == [])
  }

  @Test(.needs(.jsonschema)) func `a modified document does not match the schema`()
    throws
  {
    let sound = try document(
      [Self.table, "INSERT INTO t VALUES (1, 2, 3), (2, 0, 0)"],
      [Self.table, "INSERT INTO t VALUES (1, 4, 3)"])
    let changes = [
      ("\"changed\": 1", "\"changed\": -1"), ("\"change\": \"removed\"", "\"change\": \"gone\""),
      ("\"change\": \"changed\"", "\"change\": \"added\""), ("\"diff\": 1", "\"diff\": 2"),
      ("\"before\": 2", "\"before\": [2]"), ("\"notes\": [],", ""),
    ]
    let tampered = changes.map { from, to in
      #expect(sound.contains(from), "\(from)")
      return sound.replacingOccurrences(of: from, with: to)
    }
    let problems = try SchemaCheck.problems(of: tampered, ["--diff"])
    for (change, problem) in zip(changes, problems) { #expect(!problem.isEmpty, "\(change)") }
  }

  @Test func `values are preserved, and nothing controls a terminal`() throws {
    let text = "\u{202e}\"\\\n\u{1}\u{7f}é🧱"
    let document = try document(
      [Self.table, "INSERT INTO t VALUES (\(text), -9223372036854775808, x'00ff')"],
      [Self.table, "INSERT INTO t VALUES (\(text), \(text), 0.1)"])
    let lines = document.split(separator: "\n")
    let line = try #require(lines.first { $0.contains("changed\", \"fields") })
    #expect(
      line == """
        {"change": "changed", "fields": [{"after": "\\u202e\\"\\\\\\u000a\\u0001\\u007fé🧱", \
        "before": -9223372036854775808, "column": "b"}, \
        {"after": 0.1, "before": {"blob": "00FF"}, "column": "c"}], \
        "key": ["\\u202e\\"\\\\\\u000a\\u0001\\u007fé🧱"]}
        """)
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    #expect((object?["key"] as? [String]) == [text])
  }
}

extension DatabaseDiff {
  init(_ old: String, _ new: String, schema: SchemaDescription) throws {
    try self.init(
      DatabaseFile(old, applicationID: schema.applicationID),
      DatabaseFile(new, applicationID: schema.applicationID), schema: schema)
  }
}
