import Foundation
import SQLiteSwiftly
import Testing

/// The library as a program uses it, from a new database to reading an old one.
struct WholeUseTests {
  static let colors = TableDescription(
    "colors",
    columns: [
      ColumnDescription("id", .integer), ColumnDescription("name", .text),
      ColumnDescription("rgb", .text, isNullable: true), ColumnDescription("is_trans", .boolean),
    ],
    primaryKey: ["id"])

  @Test func `SW-1 SW-4 SW-5 SW-10 SW-28 SW-29 a database is made, filled, opened again and read`()
    throws
  {
    try withFolder { folder in
      let path = folder + "/colors.sqlite"
      do {
        let connection = try Connection(path, opening: .createNew)
        try connection.createTable(describedBy: Self.colors)
        var insert = try connection.prepareInsertIntoTable(describedBy: Self.colors)
        try connection.transaction {
          for id in 0..<500 {
            try insert.insert([
              .integer(Int64(id)), .text("color \(id)"), id % 3 == 0 ? .null : "05131D",
              .integer(Int64(id % 2)),
            ])
          }
        }
      }
      let file = try #require(FileManager.default.contents(atPath: path))
      #expect(file.starts(with: Array("SQLite format 3\0".utf8)))
      let connection = try Connection(path, opening: .openExisting)
      let rows = try connection.readAllRows(fromTable: Self.colors)
      #expect(rows.count == 500)
      for (id, row) in rows.enumerated() {
        #expect(try row.value("id") == id)
        #expect(try row.value("name") == "color \(id)")
        #expect(try row.value("rgb", as: String?.self) == (id % 3 == 0 ? nil : "05131D"))
        #expect(try row.value("is_trans") == (id % 2 == 1))
      }
      try connection.close()
      #expect(try openFiles(below: folder) == [])
    }
  }

  @Test func `SW-9 SQL is compiled before it runs`() throws {
    let connection = try Connection.inMemory()
    let error = try failure { _ = try connection.prepare("SELECT a FROM nowhere").columnCount }
    #expect(error.message == "no such table: nowhere")
    try connection.createTable(describedBy: Self.colors)
    var statement = try connection.prepare("SELECT name FROM colors")
    #expect(statement.columnCount == 1)
    let rows = try statement.query()
    #expect(rows == [])
  }

  @Test func `SW-18 an error has the text of the statement's own connection`() throws {
    let (first, second) = (try Connection.inMemory(), try Connection.inMemory())
    for connection in [first, second] { try connection.createTable(describedBy: Self.colors) }
    var insert = try first.prepareInsertIntoTable(describedBy: Self.colors)
    try insert.insert([1, "Black", .null, 0])
    #expect(throws: SQLiteError.self) { try second.execute("INSERT INTO nowhere VALUES (1)") }
    do {
      try insert.insert([1, "Black", .null, 0])
      Issue.record("the key is taken")
    } catch {
      #expect(error.message == "UNIQUE constraint failed: colors.id")
    }
    do {
      try insert.insert([2, "White", .null, 2])
      Issue.record("2 is no boolean")
    } catch {
      #expect(error.extendedCode == .constraintCheck && error.message.contains("is_trans"))
    }
  }

  @Test func `SW-77 the statements have the shapes that are expected`() throws {
    let connection = try Connection.inMemory()
    var statements: [String] = []
    connection.traceHandler = { if case .prepared(let sql) = $0 { statements.append(sql) } }
    try connection.createTable(describedBy: Self.colors)
    _ = try connection.prepareInsertIntoTable(describedBy: Self.colors)
    _ = try connection.readAllRows(fromTable: Self.colors)
    let create = """
      CREATE TABLE "colors" (
        "id" INTEGER NOT NULL PRIMARY KEY,
        "name" TEXT NOT NULL,
        "rgb" TEXT,
        "is_trans" INTEGER NOT NULL CHECK ("is_trans" IN (0, 1))
      ) STRICT
      """
    let insert =
      "INSERT INTO \"colors\" (\"id\", \"name\", \"rgb\", \"is_trans\") "
      + "VALUES (:id, :name, :rgb, :is_trans)"
    #expect(statements.contains(create))
    #expect(statements.contains(insert))
    #expect(statements.contains("SELECT * FROM \"colors\""))
  }
}
