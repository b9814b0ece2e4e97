@testable import SQLiteDestination
@testable import Vocabulary
import Foundation
import SQLiteSwiftly
import Testing

@Suite struct DatabaseComparisonTests {
  /// Makes both catalogs of SQL and compares them.
  private func compare(
    _ old: [SQL], _ new: [SQL], damage: (String) throws -> Void = { _ in }
  ) throws -> (changes: DatabaseChanges?, warnings: [Warning]) {
    let workplace = try Workplace()
    let paths = ["old", "new"].map { workplace.path + "/\($0) %41?.sqlite" }
    for (path, statements) in zip(paths, [old, new]) {
      try changeDatabase(path, statements)
    }
    try damage(paths[0])
    let before = try paths.map(contents)
    let recorder = RunRecorder { _ in }
    let comparison = DatabaseComparison(
      candidate: paths[1], catalog: paths[0], schema: Family.schema, timeout: 0.1)
    let tables = try FinishedTables(
      paths[1], descriptor: -1, schema: Family.schema, longestRow: 1000)
    let changes = try comparison.changes(tables, recorder)
    #expect(try paths.map(contents) == before)
    #expect(try workplace.names == ["dumps", "new %41?.sqlite", "old %41?.sqlite"])
    var outcome = IngestOutcome()
    recorder.complete(&outcome)
    return (changes, outcome.warnings)
  }

  /// The bytes of a file; `Data(contentsOf:)` leaks those of a file of one page.
  private func contents(_ path: String) throws -> [UInt8] {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    return Array(try file.readToEnd() ?? Data())
  }

  /// The changes of the only table, as `before after +added -removed ~changed column:before:after`.
  private func written(_ changes: DatabaseChanges?) throws -> String {
    let table = try #require(changes?.tables.first)
    #expect(changes?.tables.count == 1)
    let rows = [table.rowsBefore, table.rowsAfter].map { $0.map(String.init) ?? "-" }
    let keys = table.keys.map { ["+\($0.added)", "-\($0.removed)", "~\($0.changed)"] } ?? ["?"]
    return (rows + keys + table.nulls.map { "\($0.column):\($0.before):\($0.after)" })
      .joined(separator: " ")
  }

  static let cases: [(String, old: [SQL], new: [SQL], expected: String)] = [
    (
      "nothing differs",
      ["CREATE TABLE t (a INTEGER PRIMARY KEY, b)", "INSERT INTO t VALUES (1, 'x'), (2, NULL)"],
      ["CREATE TABLE t (a INTEGER PRIMARY KEY, b)", "INSERT INTO t VALUES (1, 'x'), (2, NULL)"],
      "2 2 +0 -0 ~0 b:1:1"
    ),
    (
      "added, removed, changed, and NULL for a value",
      [
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b)",
        "INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, NULL), (5, 0)",
      ],
      [
        "CREATE TABLE t (a INTEGER PRIMARY KEY, b)",
        "INSERT INTO t VALUES (-1, NULL), (2, NULL), (3, NULL), (4, 'z'), (5, '0'), (6, NULL)",
      ],
      "4 6 +3 -1 ~2 b:1:4"
    ),
    (
      "a key of several columns, sorted by bytes, and other kinds of tables",
      [
        "CREATE TABLE t (a TEXT COLLATE NOCASE, b INT, c TEXT, PRIMARY KEY (a, b))",
        "INSERT INTO t VALUES ('B', 1, 'x'), ('a', 1, 'x'), ('é', 2, 'x'), ('b', 1.5, 'x')",
      ],
      [
        """
        CREATE TABLE t (c TEXT NOT NULL, a TEXT NOT NULL, b INT NOT NULL, PRIMARY KEY (a, b))
        STRICT, WITHOUT ROWID
        """,
        "INSERT INTO t VALUES ('x', 'B', 1), ('x', 'a', 1), ('x', 'é', 3), ('y', 'z', 0)",
      ],
      "4 4 +2 -2 ~0 c:0:0"
    ),
    (
      "columns that only one has do not count",
      ["CREATE TABLE t (a INTEGER PRIMARY KEY, old, b)", "INSERT INTO t VALUES (1, 2, 'x')"],
      ["CREATE TABLE t (a INTEGER PRIMARY KEY, b, new)", "INSERT INTO t VALUES (1, 'x', 3)"],
      "1 1 +0 -0 ~0 b:0:0"
    ),
    (
      "other keys",
      ["CREATE TABLE t (a, b, PRIMARY KEY (b))", "INSERT INTO t VALUES (NULL, 2)"],
      ["CREATE TABLE t (a PRIMARY KEY, b)", "INSERT INTO t VALUES (1, NULL), (2, NULL)"],
      "1 2 ? b:0:2"
    ),
    (
      "no keys", ["CREATE TABLE t (a)"], ["CREATE TABLE t (a)", "INSERT INTO t VALUES (NULL)"],
      "0 1 ? a:0:1"
    ),
    (
      "a new table", ["PRAGMA user_version = 1"],
      ["CREATE TABLE t (a)", "INSERT INTO t VALUES (1)"], "- 1 ?"
    ),
    ("a table that is gone", ["CREATE TABLE t (a)", "INSERT INTO t VALUES (1)"], [], "1 - ?"),
    (
      "tables of no interest",
      [
        "CREATE TABLE names (name TEXT PRIMARY KEY)", "CREATE TABLE ingest_old (a)",
        "CREATE TABLE t (a)", "CREATE INDEX i ON t (a)", "CREATE VIEW v AS SELECT * FROM t",
        "ANALYZE",
      ],
      ["CREATE TABLE t (a)"], "0 0 ? a:0:0"
    ),
    (
      "numbers of two kinds, blobs and empty texts",
      [
        "CREATE TABLE t (a PRIMARY KEY, b)",
        "INSERT INTO t VALUES (1, ''), (2.5, x''), ('', x'00'), (x'', 1.0), (x'01', 'ab')",
      ],
      [
        "CREATE TABLE t (a PRIMARY KEY, b)",
        "INSERT INTO t VALUES (1.0, ''), (2.5, ''), ('', x'0001'), (x'', 1), (x'01', 'ab')",
      ],
      "5 5 +0 -0 ~2 b:0:0"
    ),
  ]

  @Test(arguments: cases.indices) func `differences are counted`(index: Int) throws {
    let (name, old, new, expected) = Self.cases[index]
    #expect(try written(compare(old, new).changes) == expected, "\(name)")
  }

  @Test func `without a catalog there is nothing to compare`() throws {
    let workplace = try Workplace()
    let path = workplace.path + "/new.sqlite"
    try Connection(path, opening: .createNew).close()
    let comparison = DatabaseComparison(
      candidate: path, catalog: "/nowhere/b", schema: Family.schema, timeout: 0)
    let tables = try FinishedTables(path, descriptor: -1, schema: Family.schema, longestRow: 1000)
    #expect(try comparison.changes(tables, RunRecorder { _ in }) == nil)
  }

  @Test(arguments: [0, 100, 4096]) func `a damaged database produces a warning`(offset: Int) throws
  {
    let table: SQL = "CREATE TABLE t (a INTEGER PRIMARY KEY, b)"
    let (changes, warnings) = try compare([table, "INSERT INTO t VALUES (7, 8)"], [table]) { path in
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      bytes.replaceSubrange(offset..<offset + 50, with: Data(repeating: 0xff, count: 50))
      try bytes.write(to: URL(fileURLWithPath: path))
    }
    #expect(changes == nil)
    #expect(warnings.map(\.code) == [.catalogUnreadable])
    #expect(warnings.first?.message.contains("SQLITE_") == true)
  }

  @Test func `a locked database ends the run`() throws {
    let error = #expect(throws: IngestError.self) {
      var holder: Connection?
      defer { withExtendedLifetime(holder) {} }
      _ = try compare(["CREATE TABLE t (a INTEGER PRIMARY KEY, b)"], []) { path in
        holder = try Connection(path, opening: .openExisting)
        try holder?.set(.journalMode, to: .memory)
        try holder?.execute("BEGIN EXCLUSIVE")
      }
    }
    #expect(error?.kind == .locked)
  }

  @Test func `an emptied column produces a warning`() throws {
    let workplace = try Family.workplace([
      "things.csv": "id,node,size,kind,is_new,code\n"
        + (1...20).map { "\($0),leaf,1,\($0 < 3 ? "" : "a"),,\n" }.joined()
    ])
    #expect(load(workplace, Family.schema).error == nil)
    try workplace.write(
      "things.csv",
      "id,node,size,kind,is_new,code\n"
        + (3...22).map { "\($0),leaf,\($0 < 4 ? "" : "2"),\($0 < 7 ? "" : "b"),,\n" }.joined())
    let outcome = load(workplace, Family.schema)
    let warnings = outcome.warnings.filter { $0.code == .nullsRisen }
    #expect(warnings.map(\.column) == ["kind"])
    #expect(warnings.map(\.table) == ["things"])
    #expect(
      warnings.first?.message
        == "kind is NULL in 4 of the 20 rows of things: 20%, up from 10% in run 1")
    let report = try #require(outcome.report)
    #expect(report.tables.map(\.nulls) == [[0, 1], [0, 0, 1, 4, 20, 20], [0], [0, 0, 0]])
    let things = try #require(report.changes?.tables.first { $0.name == "things" })
    #expect(things.keys == .init(added: 2, removed: 2, changed: 18))
    #expect(report.changes?.tables.map(\.name) == ["nodes", "things", "labels", "owners"])
  }

  @Test(
    arguments: [
      (100, 50, PercentLimits(run: 50), nil),
      (
        100, 49, PercentLimits(run: 50),
        "shrank from 100 to 49 rows, 51% fewer, more than --max-shrink 50% allows"
      ),
      (
        3, nil, PercentLimits(run: 50),
        "t, which had 3 rows, is gone, 100% fewer, more than --max-shrink 50% allows"
      ),
      (3, nil, PercentLimits(run: 100), nil), (0, nil, PercentLimits(run: 50), nil),
      (nil, 3, PercentLimits(run: 0), nil), (3, 3, PercentLimits(run: 0), nil),
      (3, 4, PercentLimits(run: 0), nil),
      (3, 2, PercentLimits(run: 0), "33.3% fewer, more than --max-shrink 0% allows"),
      (3, 0, PercentLimits(run: 50, tables: ["t": 100]), nil),
      (
        8, 7, PercentLimits(run: 50, tables: ["t": 12.4]),
        "12.5% fewer, more than --max-shrink t=12.4% allows"
      ),
    ] as [(Int?, Int?, PercentLimits, String?)])
  func `a table that exceeds its loss limit is reported`(
    before: Int?, after: Int?, limits: PercentLimits, expected: String?
  ) {
    var changes = DatabaseChanges()
    var table = DatabaseChanges.Table(name: "t")
    (table.rowsBefore, table.rowsAfter) = (before, after)
    changes.tables = [table]
    let sentences = limits.losses(in: changes).map(\.sentence)
    #expect(sentences.count == (expected == nil ? 0 : 1))
    if let expected { #expect(sentences.first?.contains(expected) == true, "\(sentences)") }
  }
}
