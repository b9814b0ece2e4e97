import SQLiteSwiftly
import Testing

/// The examples in the comments of the members of values and statements.
struct DocumentationValueTests {
  private func makeParts() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.execute(
      "CREATE TABLE parts (part_num TEXT PRIMARY KEY, name TEXT, year INTEGER)")
    try connection.execute(
      "INSERT INTO parts VALUES ('3001', 'Brick', 1958), ('973', 'Torso', 1978), ('x1', NULL, 0)")
    return connection
  }

  @Test func `the examples of values`() throws {
    let connection = try makeParts()

    let rows = try connection.query("SELECT name, year FROM parts")
    let years = rows.compactMap { row in row[1].integerValue }
    let names = rows.map { row in row[0].textValue ?? "no name" }
    let unnamed = rows.count { row in row[0].isNull }

    #expect(years == [1958, 1978, 0])
    #expect(names == ["Brick", "Torso", "no name"])
    #expect(unnamed == 1)
  }

  @Test func `the examples of rows`() throws {
    let connection = try makeParts()
    var unnamed: [String] = []
    var copies: [[SQLiteValue]] = []

    try connection.forEachRow(of: "SELECT part_num, name FROM parts") { row in
      if try row.isNull(at: 1) { unnamed.append(try row["part_num"]) }
    }
    try connection.forEachRow(of: "SELECT name, year FROM parts WHERE year > 0") { row in
      copies.append(try row.values)
    }

    #expect(unnamed == ["x1"])
    #expect(copies == [["Brick", 1958], ["Torso", 1978]])
  }

  @Test func `the examples of prepared statements`() throws {
    let connection = try makeParts()
    let values: [SQLiteValue] = [1970]
    var names: [String] = []

    var search = try connection.prepare("SELECT name FROM parts WHERE year BETWEEN :from AND :to")
    var rows = search.rows(["from": 1950, "to": 1959])
    while let row = try rows.next() { names.append(try row["name"]) }

    var newer = try connection.prepare("SELECT name, year FROM parts WHERE year > ?")
    let found = try newer.query([1970])
    let name = found.first?[0].textValue

    let isComplete = newer.parameterCount == values.count
    let returnsRows = newer.columnCount > 0

    #expect(names == ["Brick"])
    #expect(found == [["Torso", 1978]] && name == "Torso")
    #expect(isComplete && returnsRows)
    #expect(try connection.prepare("DELETE FROM parts").columnCount == 0)
  }

  @Test func `the example of a cursor's next row`() throws {
    let connection = try makeParts()
    var oldest = ""

    var statement = try connection.prepare("SELECT name FROM parts WHERE year > 0 ORDER BY year")
    var cursor = statement.rows()
    if let row = try cursor.next() { oldest = try row["name"] }

    #expect(oldest == "Brick")
  }
}
