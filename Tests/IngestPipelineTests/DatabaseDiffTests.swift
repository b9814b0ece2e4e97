import Schema
@testable import SQLiteDestination
@testable import Vocabulary
import Foundation
import SQLiteFormat
import SQLiteSwiftly
import Testing

@Suite struct DatabaseDiffTests {
  /// Makes both catalogs of SQL, and returns each table with its differences as a line.
  private func differences(_ old: [SQL], _ new: [SQL]) throws -> [String] {
    let workplace = try Workplace()
    let paths = ["old", "new"].map { workplace.path + "/\($0) %41?.sqlite" }
    for (path, statements) in zip(paths, [old, new]) {
      try changeDatabase(path, [Family.identification] + statements)
    }
    let diff = try DatabaseDiff(paths[0], paths[1], schema: Family.schema)
    var lines: [String] = []
    for table in diff.tables {
      let place = lines.count
      let found = try diff.compare(table) { lines.append(self.written($0, table)) }
      let rows = [found.rowsBefore, found.rowsAfter].map { $0.map(String.init) ?? "-" }
      let keys = found.keys.map { "+\($0.added) -\($0.removed) ~\($0.changed)" } ?? "?"
      let only = table.removedColumns.map { "-\($0)" } + table.addedColumns.map { "+\($0)" }
      lines.insert(
        ([table.name] + rows + [keys, table.isDifferent(found) ? "differs" : "same"] + only)
          .joined(separator: " "), at: place)
    }
    #expect(try workplace.names == ["dumps", "new %41?.sqlite", "old %41?.sqlite"])
    return lines
  }

  private func written(_ change: RowChange, _ table: TablePair) -> String {
    let fields = change.fields.map {
      " \(table.columns[$0.column]):\($0.before.literal):\($0.after.literal)"
    }
    return "\(change.kind) \(change.key.map(\.literal).joined(separator: ","))" + fields.joined()
  }

  static let cases: [(String, old: [SQL], new: [SQL], expected: [String])] = [
    ("no tables", [], [], []),
    (
      "added, removed and changed",
      [
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b, c)",
        "INSERT INTO t VALUES (1, 'x', 1), (2, 'y', NULL), (3, NULL, 2), (5, 0, 5)",
      ],
      [
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b, c)",
        "INSERT INTO t VALUES (-1, 'x', 1), (2, NULL, 7), (3, NULL, 2), (5, '0', 5), (9, 9, 9)",
      ],
      [
        "t 4 5 +2 -1 ~2 differs", "added -1", "removed 1", "changed 2 b:'y':NULL c:NULL:7",
        "changed 5 b:0:'0'", "added 9",
      ]
    ),
    (
      "rows in another order, in a table with rowids and a key of text",
      [
        "CREATE TABLE t (a TEXT PRIMARY KEY, b TEXT) STRICT",
        "INSERT INTO t VALUES ('b', 'x'), ('a', 'y'), ('é', 'z')",
      ],
      [
        "CREATE TABLE t (a TEXT PRIMARY KEY, b TEXT) STRICT",
        "INSERT INTO t VALUES ('é', 'z'), ('a', 'y'), ('b', 'X')",
      ],
      ["t 3 3 +0 -0 ~1 differs", "changed 'b' b:'x':'X'"]
    ),
    (
      "a table that this version describes, page by page",
      [
        SQL(generated: (try? Family.things.creation.text) ?? ""),
        "INSERT INTO things (id, node, kind) VALUES (1, 'n', 'a'), (2, 'n', NULL), (4, 'n', 'b')",
      ],
      [
        SQL(generated: (try? Family.things.creation.text) ?? ""),
        "INSERT INTO things (id, node, kind) VALUES (1, 'm', 'a'), (3, 'n', NULL), (4, 'n', 'b')",
      ],
      ["things 3 3 +1 -1 ~1 differs", "changed 1 node:'n':'m'", "removed 2", "added 3"]
    ),
    (
      "a table of another version, and columns that only one has",
      [
        "CREATE TABLE nodes (name TEXT PRIMARY KEY, old, parent)",
        "INSERT INTO nodes VALUES ('a', 1, NULL), ('b', 2, 'a')",
      ],
      [
        "CREATE TABLE nodes (parent TEXT, name TEXT PRIMARY KEY, new INT) STRICT, WITHOUT ROWID",
        "INSERT INTO nodes VALUES (NULL, 'a', 1), ('a', 'b', 3)",
      ],
      ["nodes 2 2 +0 -0 ~0 differs -old +new"]
    ),
    (
      "other keys, and none",
      ["CREATE TABLE t (a, b, PRIMARY KEY (b))", "CREATE TABLE u (a)"],
      ["CREATE TABLE t (a PRIMARY KEY, b)", "CREATE TABLE u (a)", "INSERT INTO u VALUES (1)"],
      ["t 0 0 ? same", "u 0 1 ? differs"]
    ),
    (
      "tables that one has", ["CREATE TABLE gone (a)", "INSERT INTO gone VALUES (1)"],
      ["CREATE TABLE new (a INTEGER PRIMARY KEY)"], ["new - 0 ? differs", "gone 1 - ? differs"]
    ),
    (
      "blobs and numbers",
      ["CREATE TABLE t (a PRIMARY KEY, b)", "INSERT INTO t VALUES (1, x'00')"],
      ["CREATE TABLE t (a PRIMARY KEY, b)", "INSERT INTO t VALUES (1.0, 0.5)"],
      ["t 1 1 +0 -0 ~1 differs", "changed 1 b:X'00':0.5"]
    ),
    (
      "what follows from other tables",
      ["CREATE TABLE names (name TEXT PRIMARY KEY)", "CREATE TABLE ingest_catalog (tool_version)"],
      ["CREATE VIEW v AS SELECT 1"], []
    ),
  ]

  @Test(arguments: cases.indices) func `every difference is told`(index: Int) throws {
    let (name, old, new, expected) = Self.cases[index]
    #expect(try differences(old, new) == expected, "\(name)")
  }

  @Test func `versions that differ are told`() throws {
    let workplace = try Workplace()
    let paths = [3, 4].map { workplace.path + "/\($0).sqlite" }
    try changeDatabase(paths[0], [Family.identification, "PRAGMA user_version = 3"])
    try changeDatabase(paths[1], [Family.identification, "PRAGMA user_version = 4"])
    let diff = try DatabaseDiff(paths[0], paths[1], schema: Family.schema)
    #expect(
      diff.notes == [
        "the databases have schema versions 3 and 4, so only the tables and columns in both are compared"
      ])
    let same = try DatabaseDiff(paths[0], paths[0], schema: Family.schema)
    #expect(same.notes == [])
    let error = #expect(throws: IngestError.self) {
      try DatabaseCheck(paths[1], schema: Family.schema).run()
    }
    #expect(error?.kind == .data)
    #expect(error?.message.contains("schema version 4, but this ingest checks") == true)
  }
}

extension DatabaseDiff {
  init(_ old: String, _ new: String, schema: SchemaDescription) throws {
    try self.init(
      DatabaseFile(old, applicationID: schema.applicationID),
      DatabaseFile(new, applicationID: schema.applicationID), schema: schema)
  }
}
