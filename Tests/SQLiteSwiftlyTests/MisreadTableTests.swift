import Foundation
import Testing

@testable import SQLiteSwiftly

/// Tables of which SQLite's own check reads only a part of each row.
struct MisreadTableTests {
  /// Tables without rowids whose last column is in the key, so that others are stored after it.
  private static let definitions = [
    "a TEXT NOT NULL, b TEXT NOT NULL, PRIMARY KEY (b, a)",
    "a TEXT NOT NULL, b TEXT NOT NULL, PRIMARY KEY (b)",
    "a INTEGER NOT NULL, b TEXT NOT NULL, c TEXT NOT NULL, PRIMARY KEY (c, a)",
    "a REAL NOT NULL, b BLOB NOT NULL, c ANY NOT NULL, d INT, PRIMARY KEY (d, c)",
    "a TEXT NOT NULL DEFAULT (lower('X')), b TEXT NOT NULL DEFAULT '-', c TEXT, PRIMARY KEY (c)",
    "a TEXT NOT NULL, b TEXT AS (a) STORED NOT NULL, c TEXT, d TEXT AS (a), PRIMARY KEY (c)",
  ]

  /// A table of these columns, with rows whose values are numbers and fit every type.
  private static func create(
    _ name: String, _ definition: String, on connection: Connection, strict: Bool, rows: Int = 1
  ) throws {
    let options = strict ? "STRICT, WITHOUT ROWID" : "WITHOUT ROWID"
    let columns = ["a", "b", "c", "d"].filter {
      definition.contains("\($0) ") && !definition.contains("\($0) TEXT AS")
    }
    let values = columns.map { definition.contains("\($0) BLOB") ? "x'00'" : "number" }
    for sql in [
      "CREATE TABLE \"\(name)\" (\(definition)) \(options)",
      """
      WITH RECURSIVE numbers (number) AS (
        SELECT 1 UNION ALL SELECT number + 1 FROM numbers LIMIT \(rows))
      INSERT INTO "\(name)" (\(columns.joined(separator: ", ")))
      SELECT \(values.joined(separator: ", ")) FROM numbers
      """,
    ] { try connection.execute(SQL(generated: sql)) }
  }

  @Test(arguments: definitions, [false, true])
  func `a valid table of any size has no faults`(
    definition: String, isStrict: Bool
  ) throws {
    for rows in [0, 1, 150] {
      let connection = try Connection.inMemory()
      try Self.create("t", definition, on: connection, strict: isStrict, rows: rows)
      for thoroughness in [Connection.Thoroughness.structure, .full] {
        #expect(try connection.faults(thoroughness) == [])
        #expect(try connection.faults(thoroughness, ofTable: "T") == [])
      }
    }
  }

  @Test func `a table with the maximum number of columns is checked`() throws {
    let names = (0..<2000).map { "c\($0)" }
    let columns = names.map { "\($0) TEXT NOT NULL" }.joined(separator: ", ")
    let connection = try Connection.inMemory()
    for sql in [
      "CREATE TABLE t (\(columns), PRIMARY KEY (c1999)) STRICT, WITHOUT ROWID",
      "INSERT INTO t VALUES (\(names.map { "'\($0)'" }.joined(separator: ", ")))",
    ] { try connection.execute(SQL(generated: sql)) }
    #expect(try connection.faults(.full) == [])
  }

  /// Makes a table whose values its definition forbids.
  private static func connection(
    _ name: String = "t", madeAs loose: String, definedAs definition: String, values: String
  ) throws -> Connection {
    let connection = try Connection.inMemory()
    let created = "CREATE TABLE \"\(name)\" (\(definition)) STRICT, WITHOUT ROWID"
    for sql in [
      "CREATE TABLE \"\(name)\" (\(loose)) WITHOUT ROWID",
      "INSERT INTO \"\(name)\" VALUES \(values)",
      "PRAGMA writable_schema = ON",
      "UPDATE sqlite_schema SET sql = \(SQLiteValue.text(created).literal) WHERE type = 'table'",
      "PRAGMA writable_schema = RESET",
    ] { try connection.execute(SQL(generated: sql)) }
    return connection
  }

  @Test(arguments: [
    (
      "a TEXT NOT NULL", "(NULL, 'x'), ('a', 'y'), (NULL, 'z')",
      ["NULL value in t.a", "NULL value in t.a"]
    ),
    ("a TEXT NOT NULL DEFAULT ''", "(NULL, 'x')", ["NULL value in t.a"]),
    ("a ANY NOT NULL", "(NULL, 'x'), (1, 'y'), ('1', 'z')", ["NULL value in t.a"]),
    ("a TEXT NOT NULL", "(7, 'x')", ["non-TEXT value in t.a"]),
    (
      "a INTEGER", "(NULL, 'x'), (7, 'y'), ('7', 'z'), (7.5, 'zz')",
      ["non-INTEGER value in t.a", "non-INTEGER value in t.a"]
    ),
    ("a int not null default 5", "('7', 'x')", ["non-INT value in t.a"]),
    ("a BLOB", "('7', 'x'), (x'37', 'y')", ["non-BLOB value in t.a"]),
    ("a REAL", "('7', 'x'), (7.0, 'y'), (7.5, 'z')", ["non-REAL value in t.a"]),
    ("a ANY", "('7', 'x'), (7, 'y'), (NULL, 'z')", []),
  ])
  func `forbidden values are found`(
    column: String, values: String, faults: [String]
  ) throws {
    let connection = try Self.connection(
      madeAs: "a, b TEXT PRIMARY KEY", definedAs: "\(column), b TEXT PRIMARY KEY", values: values)
    #expect(try connection.faults(.structure) == faults)
    #expect(try connection.faults(.full) == faults)
    #expect(try connection.faults(.full, ofTable: "t") == faults)
  }

  @Test func `no fault is hidden by what SQLite misreads`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE checked (a INTEGER CHECK (a > 0))")
    try connection.execute("PRAGMA ignore_check_constraints = ON")
    try connection.execute("INSERT INTO checked VALUES (0)")
    let names = ["s", "t", "u", "v"]
    for name in names {
      try Self.create(
        name, "a TEXT NOT NULL, b TEXT NOT NULL, c INT CHECK (c <> 140), PRIMARY KEY (c)",
        on: connection, strict: true, rows: 150)
    }
    try connection.execute("PRAGMA ignore_check_constraints = OFF")
    let own = names.map { "CHECK constraint failed in \($0)" }
    let all = ["CHECK constraint failed in checked"] + own
    #expect(try connection.faults(.structure).sorted() == all)
    #expect(try connection.faults(.full).sorted() == all)
    // SQLite stops at a hundred messages of one table, and cannot be asked for more.
    #expect(try connection.faults(.full, ofTable: "t").sorted() == all)
    #expect(try connection.faults(.full, ofTable: "checked") == [all[0]])
  }

  @Test func `the search stops at a hundred faults`() throws {
    let rows = (1...150).map { "(NULL, \($0))" }.joined(separator: ", ")
    let connection = try Self.connection(
      madeAs: "a, b INT PRIMARY KEY", definedAs: "a TEXT NOT NULL, b INT PRIMARY KEY", values: rows)
    #expect(try connection.faults(.structure) == Array(repeating: "NULL value in t.a", count: 100))
  }

  /// SQLite's messages name no database, and do not quote names.
  @Test func `a fault of a table whose message is the same is found`() throws {
    let sound = "a TEXT NOT NULL, b TEXT NOT NULL, PRIMARY KEY (b)"
    let dotted = try Self.connection(
      "t.a", madeAs: "b, c TEXT, d, PRIMARY KEY (c)",
      definedAs: "b TEXT NOT NULL, c TEXT, d TEXT, PRIMARY KEY (c)", values: "(NULL, 'x', 'y')")
    try dotted.execute("CREATE TABLE t (\"a.b\" TEXT NOT NULL, c TEXT PRIMARY KEY) WITHOUT ROWID")
    try dotted.execute("INSERT INTO t VALUES ('x', 'y')")
    #expect(try dotted.faults(.structure) == ["NULL value in t.a.b"])

    let attached = try Self.connection(
      madeAs: "a, b PRIMARY KEY, c", definedAs: "a TEXT NOT NULL, b TEXT PRIMARY KEY, c TEXT",
      values: "(NULL, 'x', 'y')")
    try attached.execute("ATTACH ':memory:' AS other")
    try attached.execute(SQL(generated: "CREATE TABLE other.t (\(sound)) WITHOUT ROWID"))
    try attached.execute("INSERT INTO other.t VALUES ('x', 'y')")
    #expect(try attached.faults(.structure) == ["NULL value in t.a"])
  }

  @Test func `SQLite's message about a page of such a table is a fault`() throws {
    try withFile { path in
      let connection = try Connection(path, opening: .createNew)
      try Self.create("t", Self.definitions[0], on: connection, strict: true, rows: 2000)
      try connection.close()
      // The bytes of the second page that are in no cell, and too few for one.
      var bytes = try Data(contentsOf: URL(filePath: path))
      bytes[4096 + 7] += 1
      try bytes.write(to: URL(filePath: path))
      let damaged = try Connection(path, opening: .readOnly)
      let faults = try damaged.faults(.structure)
      #expect(faults.count == 1 && faults[0].contains("Fragmentation of "), "\(faults)")
    }
  }
}
