import SQLiteSwiftly
import Testing

/// The examples of the article about descriptions.
struct DescriptionExamples {
  // Example: DescribingTables # Overview

  private func makeTables() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE categories (id INTEGER PRIMARY KEY) STRICT")
    try connection.execute("INSERT INTO categories VALUES (11)")
    try connection.createTable(describedBy: parts)
    return connection
  }

  @Test func `SW-30 SW-39 SQLite enforces a description`() throws {
    #expect(parts.faults == [])
    let connection = try makeTables()
    let definition = try connection.value(of: "SELECT sql FROM sqlite_schema WHERE name = 'parts'")
    #expect(
      definition == """
        CREATE TABLE "parts" (
          "part_num" TEXT NOT NULL \
        CHECK ("part_num" <> '' AND instr(CAST("part_num" AS BLOB), x'0A') = 0),
          "category_id" INTEGER NOT NULL,
          "material" TEXT NOT NULL CHECK ("material" IN ('Plastic', 'Rubber')),
          "weight" REAL,
          "is_printed" INTEGER NOT NULL DEFAULT (0) CHECK ("is_printed" IN (0, 1)),
          PRIMARY KEY ("part_num"),
          FOREIGN KEY ("category_id") REFERENCES "categories" ("id")
        ) STRICT, WITHOUT ROWID
        """)
    #expect(
      try connection.texts("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE INDEX%'")
        == ["parts_category_id"])
    let error = try failure {
      try connection.execute("INSERT INTO parts VALUES ('3001', 11, 'Wood', NULL, 0)")
    }
    #expect(error.message == "CHECK constraint failed: material")
  }

  @Test func `SW-57 SW-58 differences between a table and its description`() throws {
    let connection = try makeTables()
    try connection.execute("ALTER TABLE parts RENAME COLUMN weight TO grams")

    // Example: DescribingTables # Compare with a database

    #expect(
      lines == [
        "table parts: column weight is missing",
        "table parts: unexpected column grams",
      ])
    #expect(differences.map(\.property) == [.column, .column])
  }

  @Test func `SW-2 an existing table is read as it is`() throws {
    let connection = try makeTables()

    // Example: DescribingTables # Read a table's definition

    #expect(
      types == [
        "part_num TEXT", "category_id INTEGER", "material TEXT", "weight REAL",
        "is_printed INTEGER",
      ])
    #expect(parents == ["categories"])
    #expect(table?.isStrict == true && table?.isWithoutRowid == true)
    #expect(try connection.schema(ofTable: "nothing") == nil)
  }

  @Test func `SW-50 SW-66 a description with faults is refused where it is used`() throws {
    let connection = try Connection.inMemory()

    // Example: DescribingTables # Faults

    #expect(faults == ["the primary key uses column number, which does not exist"])
    let error = try failure { try connection.createTable(describedBy: wrong) }
    #expect(error.code == .misuse && error.message.contains(faults[0]))
  }
}
