import Vocabulary
import Platform
import Glibc
import SQLiteDestination
import SQLiteSwiftly
import Schema
import TestSupport
@testable import Provenance

/// A previous database with any definitions and damage: nothing that it defines is computed, and what is read of it
/// has bounds.
enum CatalogTarget: FuzzTarget {
  static let name = "catalog"
  /// The result of each expression; no value of a table is like it.
  private static let mark = "computed by the schema"
  /// Messages may show a definition, so that does not contain the result.
  private static let expression = "'computed by ' || 'the schema'"
  private static let path = "/dev/shm/fuzz-catalog-\(getpid())"

  static func check(_ input: FuzzInput, makesMistake: Bool) {
    var input = input
    unsafe unlink(path)
    do {
      try make(&input)
      try damage(&input)
    } catch {
      fatalError("\(error)")
    }
    defer { unsafe unlink(path) }
    let texts = makesMistake ? readTrusting() : read()
    require(!texts.contains { $0.contains(mark) }, "\(texts): an expression was computed")
  }

  /// What the commands read of it.
  private static func read() -> [String] {
    let schema = SchemaDescription(
      tables: [table], applicationID: Int32(bitPattern: 0x1234), version: 1)
    var texts: [String] = []
    do throws(IngestError) {
      let outcome = try DatabaseCheck(path, schema: schema).run()
      texts += ["\(outcome)"]
      let file = try DatabaseFile(path, applicationID: nil)
      let contents = try file.reading { connection throws(SQLiteError) in
        (
          try Provenance.history(in: connection),
          try DatabaseContents(of: connection, schema).tables(of: schema)
        )
      }
      texts += ["\(contents)"]
      let description = try file.description()
      texts += [description ?? "", file.toolVersion ?? ""]
    } catch {
      texts.append(error.message)
    }
    return texts
  }

  /// The mistake: the tables are read without a look at their definitions.
  private static func readTrusting() -> [String] {
    tables.map { table in
      let rows = try? Connection(path, opening: .readOnly)
        .query(SQL(generated: "SELECT * FROM \(table.name) LIMIT 9"))
      return "\(rows ?? [])"
    }
  }

  private static let table = TableDescription(
    "things", columns: [ColumnDescription("id", .integer), ColumnDescription("name", .text)],
    primaryKey: ["id"])
  private static var tables: [TableDescription] { [table] + Provenance.tables }

  /// Creates each table in one of several ways, in the order of the choices.
  private static func make(_ input: inout FuzzInput) throws {
    let connection = try Connection(path, opening: .createNew)
    try connection.execute("PRAGMA application_id = 0x1234")
    try connection.execute("PRAGMA user_version = 1")
    try connection.execute("PRAGMA writable_schema = ON")
    var definitions: [(name: String, sql: String)] = []
    for table in tables {
      let names = table.columns.map(\.name)
      let last = names[names.count - 1]
      let plain = names.dropLast().joined(separator: ", ")
      let start = plain.isEmpty ? "" : plain + ", "
      let end =
        switch input.number(0...7) {
        case 1: "\(last) AS (\(expression))"
        case 2: "\(last) AS (\(expression)) STORED"
        case 3: "\(last) DEFAULT '\(String(repeating: "x", count: 200))'"
        case 4: "\(last) CHECK (\(expression))"
        default: last
        }
      let isView = input.number(0...7) == 1
      try connection.execute(
        SQL(generated: "CREATE TABLE \(table.name) (\(names.joined(separator: ", ")))"))
      try connection.execute(
        SQL(
          generated:
            "INSERT INTO \(table.name) VALUES (\(names.map { _ in "1" }.joined(separator: ", ")))"))
      if isView {
        try connection.execute(SQL(generated: "DROP TABLE \(table.name)"))
        try connection.execute(
          SQL(
            generated: "CREATE VIEW \(table.name) AS SELECT "
              + names.map { "\(expression) AS \($0)" }.joined(separator: ", ")))
      } else {
        definitions.append((table.name, "CREATE TABLE \(table.name) (\(start)\(end))"))
        if input.number(0...7) == 1 {
          try connection.execute(
            SQL(generated: "CREATE INDEX own_\(table.name) ON \(table.name) (\(last))"))
          definitions.append(
            (
              "own_\(table.name)",
              "CREATE INDEX own_\(table.name) ON \(table.name) (\(last)) WHERE \(last) = \(expression)"
            ))
        }
      }
    }
    for (name, sql) in definitions {
      try connection.execute("UPDATE sqlite_schema SET sql = \(sql) WHERE name = \(name)")
    }
    try connection.close()
  }

  /// Changes bytes of the file.
  private static func damage(_ input: inout FuzzInput) throws {
    guard var bytes = readFile(path) else { return }
    for _ in 0..<input.number(0...4) {
      bytes[input.number(0...bytes.count - 1)] = UInt8(input.number(0...255))
    }
    writeFile(path, bytes)
  }

  /// A choice for each table, from the last byte on.
  static let seeds = (0..<32).map { seed in
    var random = SeededGenerator(seed: UInt64(seed))
    return (0..<60).map { _ in
      seed < 8 ? UInt8(seed) : UInt8.random(in: 0...(seed < 24 ? 7 : 255), using: &random)
    }
  }
}
