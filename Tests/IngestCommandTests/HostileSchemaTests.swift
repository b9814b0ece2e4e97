import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// Databases whose schema runs expressions or needs memory when it is read.
@Suite struct HostileSchemaTests {
  /// The commands that read an existing database.
  enum Reader: CaseIterable {
    case run, dryRun, ifChanged, history, check, diff, reversedDiff

    func arguments(_ catalog: String) -> [String] {
      let load = ["--source", Command.fixtures + "/dumps", "--out", catalog]
      return switch self {
      case .run: load
      case .dryRun: load + ["--dry-run"]
      case .ifChanged: load + ["--if-changed"]
      case .history: ["history", catalog]
      case .check: ["check", catalog]
      case .diff: ["diff", catalog, catalog + ".other"]
      case .reversedDiff: ["diff", catalog + ".other", catalog]
      }
    }
  }

  /// Those that read all of it: the others open it like one of these.
  private static let readers: [Reader] = LongTests.areOn ? Reader.allCases : [.run, .check, .diff]

  /// The error of a computed value shows that it was computed.
  private static let computed = "abs(-9223372036854775807 - 1)"
  private static let trace = "integer overflow"

  /// Runs a command on the database of the fixtures, changed by `change`; the unchanged one is beside it.
  private func read(
    _ reader: Reader, changedBy change: (Connection) throws -> Void
  ) throws -> MeasuredRun {
    let command = try Command()
    try command.putCatalog()
    try FileManager.default.copyItem(atPath: command.catalog, toPath: command.catalog + ".other")
    try changeDatabase(command.catalog, change)
    return try command.measure(reader.arguments(command.catalog))
  }

  /// Replaces a table by one with the same columns, the last of which is computed.
  private func compute(
    _ expression: String, in table: String, rows: Int = 1, on connection: Connection
  ) throws {
    let columns = try #require(try connection.schema(ofTable: table)).columns.map(\.name)
    let plain = columns.dropLast().map { "\"\($0)\"" }
    let last = try #require(columns.last)
    try connection.execute(SQL(generated: "DROP TABLE \(table)"))
    try connection.execute(
      SQL(
        generated:
          "CREATE TABLE \(table) (\(plain.joined(separator: ", ")), \(last) AS (1))"))
    try connection.execute(
      SQL(
        generated: """
          WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers LIMIT \(rows))
          INSERT INTO \(table) SELECT \(plain.map { _ in "number" }.joined(separator: ", ")) FROM numbers
          """))
    // An insert would compute it.
    let sql = "CREATE TABLE \(table) (\(plain.joined(separator: ", ")), \(last) AS (\(expression)))"
    try define(table, as: sql, on: connection)
  }

  /// Changes definitions in the schema itself.
  private func define(_ name: String, as sql: String, on connection: Connection) throws {
    try connection.execute("PRAGMA writable_schema = ON")
    try connection.execute("UPDATE sqlite_schema SET sql = \(sql) WHERE name = \(name)")
  }

  static let tables = [
    "ingest_catalog", "ingest_sources", "ingest_options", "ingest_objects", "ingest_columns",
    "ingest_warnings", "ingest_history", "ingest_history_tables", "ingest_baseline", "themes",
    "set_nums", "search_entries", "search_index_data",
  ]

  /// Each table with each reader, or with some.
  @Test(arguments: tables.indices)
  func `a computed column is not read`(index: Int) throws {
    for (place, reader) in Reader.allCases.enumerated()
    where LongTests.areOn || (place + index).isMultiple(of: 3) {
      let run = try read(reader) { try compute(Self.computed, in: Self.tables[index], on: $0) }
      #expect([0, 1, 4, 65].contains(run.result.status), "\(run.result)")
      #expect(!(run.result.output + run.result.errors).contains(Self.trace), "\(run.result)")
    }
  }

  @Test(arguments: readers)
  func `long computed values need no memory`(reader: Reader) throws {
    let run = try read(reader) {
      try compute("hex(zeroblob(8000000))", in: "ingest_sources", rows: 40, on: $0)
      try compute("hex(zeroblob(8000000))", in: "ingest_baseline", rows: 40, on: $0)
    }
    #expect(run.peakBytes < 200 << 20, "\(run.peakBytes >> 20) MiB: \(run.result)")
  }

  @Test(arguments: readers)
  func `a long default of rows without the column needs no memory`(reader: Reader) throws {
    let run = try read(reader) { connection in
      let columns = try #require(try connection.schema(ofTable: "ingest_baseline")).columns
      let names = columns.map(\.name).dropLast().joined(separator: ", ")
      let numbers = columns.dropLast().map { _ in "number" }.joined(separator: ", ")
      try connection.execute("DROP TABLE ingest_baseline")
      try connection.execute(SQL(generated: "CREATE TABLE ingest_baseline (\(names))"))
      try connection.execute(
        SQL(
          generated: """
            WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers LIMIT 600)
            INSERT INTO ingest_baseline SELECT \(numbers) FROM numbers
            """))
      let text = String(repeating: "x", count: 900_000)
      try connection.execute(
        SQL(
          generated:
            "ALTER TABLE ingest_baseline ADD COLUMN \(columns[columns.count - 1].name) DEFAULT '\(text)'"
        ))
    }
    #expect(run.peakBytes < 200 << 20, "\(run.peakBytes >> 20) MiB: \(run.result)")
  }

  @Test(arguments: [Reader.run, .history])
  func `more rows of history than any run writes need no memory`(reader: Reader) throws {
    let run = try read(reader) { connection in
      try connection.execute(
        """
        WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers LIMIT 1200000)
        INSERT INTO ingest_history_tables SELECT number, 't', 1, 0, 0, 0, 0, 0, NULL FROM numbers WHERE number > 9
        """)
    }
    #expect(run.peakBytes < 200 << 20, "\(run.peakBytes >> 20) MiB: \(run.result)")
    let text = run.result.errors + run.result.output
    #expect(text.contains("more rows than any run writes"), "\(run.result)")
  }

  /// SQLite reads the statistics along with the schema.
  @Test(arguments: readers)
  func `computed statistics are not read`(reader: Reader) throws {
    let run = try read(reader) { connection in
      try define(
        "sqlite_stat1",
        as: "CREATE TABLE sqlite_stat1(tbl, idx, stat AS (hex(zeroblob(150000000))))",
        on: connection)
    }
    #expect(run.peakBytes < 200 << 20, "\(run.peakBytes >> 20) MiB: \(run.result)")
    #expect(
      (run.result.errors + run.result.output).contains("its statistics are not those of SQLite"),
      "\(run.result)")
  }

  /// SQLite computes them to check the index.
  @Test(arguments: [
    "abs(id - 9223372036854775807 - 2)", "id) WHERE abs(id - 9223372036854775807 - 2",
  ])
  func `expressions of indexes are not computed`(terms: String) throws {
    let run = try read(.check) { connection in
      try connection.execute("CREATE INDEX own ON themes (id)")
      try define("own", as: "CREATE INDEX own ON themes (\(terms))", on: connection)
    }
    #expect(run.result.status == 0, "\(run.result)")
    #expect(
      run.result.output.contains(
        "not checked, because SQLite would compute expressions of the database: "
          + "indexes of themes"), "\(run.result)")
  }

  /// Compiling the last one takes a level of the stack for each of the others.
  @Test(arguments: LongTests.areOn ? readers : [.run])
  func `a chain of views is not compiled`(reader: Reader) throws {
    let run = try read(reader) { connection in
      try connection.transaction {
        try connection.execute("CREATE VIEW v0 AS SELECT 1 AS a")
        for number in 1..<10_000 {
          try connection.execute(
            SQL(generated: "CREATE VIEW v\(number) AS SELECT a FROM v\(number - 1)"))
        }
      }
    }
    let expected: Int32 =
      switch reader {
      case .diff, .reversedDiff: 1
      default: 0
      }
    #expect(run.result.status == expected, "\(run.result.status) \(run.result.errors)")
    if reader == .run {
      #expect(
        run.result.errors.contains("view v0, view v1, ")
          && run.result.errors.contains("and 9980 more"), "\(run.result.errors)")
    }
  }

  @Test(arguments: LongTests.areOn ? readers : [.run])
  func `a schema with more text than any run writes is not parsed`(reader: Reader) throws {
    let run = try read(reader) { connection in
      let list = String(repeating: "1,", count: 450_000)
      for number in 0..<4 {
        try connection.execute(
          SQL(generated: "CREATE VIEW v\(number) AS SELECT 1 WHERE 1 IN (\(list)1)"))
      }
    }
    #expect(run.peakBytes < 200 << 20, "\(run.peakBytes >> 20) MiB: \(run.result)")
    #expect(
      (run.result.errors + run.result.output).contains("its schema is larger than 1 MiB"),
      "\(run.result)")
  }
}
