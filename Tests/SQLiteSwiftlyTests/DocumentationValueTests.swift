import SQLiteSwiftly
import SQLiteSwiftlyData
import Schema
import Testing

/// The examples in the comments of the members of values, statements, errors and descriptions.
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

  @Test func `the examples of decoding and of SQL`() throws {
    struct Latest: SQLQuery {
      var limit: Int64
      var text: String { "SELECT name FROM parts ORDER BY year DESC LIMIT ?" }
      var values: [SQLiteValue] { [.integer(limit)] }
    }
    let connection = try makeParts()

    var decoder = ValueQueryDecoder(["3001", 1958], decoding: .strict)
    let number = try String(decoder: &decoder)
    let year = try Int(decoder: &decoder)

    let latest = SQL(Latest(limit: 2))
    let names = try connection.query("SELECT upper(name) FROM (\(sql: latest))", as: String.self)

    #expect((number, year) == ("3001", 1958))
    #expect(names == ["TORSO", "BRICK"])
    let error = try failure { try readNumbers(connection) }
    #expect(error.message.contains("a hexadecimal number") && error.code == .mismatch)
  }

  private func readNumbers(_ connection: Connection) throws {
    let numbers = try connection.query("SELECT part_num FROM parts ORDER BY 1") { row in
      let text = try String(decoder: &row)
      if let number = Int(text, radix: 16) { return number }
      throw row.failure(.invalidValue(expected: "a hexadecimal number"))
    }

    #expect(numbers.isEmpty)
  }

  @Test func `the examples of errors and their codes`() throws {
    let connection = try makeParts()
    var refused = 0

    do throws(SQLiteError) {
      try connection.execute("INSERT INTO parts VALUES ('3001', NULL, NULL)")
    } catch {
      guard error.code == .constraint else { throw error }
      refused += 1
    }

    #expect(refused == 1)
    #expect(try action(after: SQLiteError(.busySnapshot, "out of date")) == "try again")
    #expect(try action(after: SQLiteError(.constraintUnique, "there")) == "skip it")
    #expect(try failure { _ = try action(after: SQLiteError(.full, "disk")) }.code == .full)
    #expect(try failure { _ = try newest(connection, 2000) }.message == "no part found")
  }

  private func action(after error: SQLiteError) throws -> String {
    let action: String

    switch error.code {
    case .busy, .locked: action = "try again"
    case .constraint: action = "skip it"
    default: throw error
    }

    return action
  }

  private func newest(_ connection: Connection, _ year: Int) throws -> String {
    let sql: SQL = "SELECT name FROM parts WHERE year >= \(year)"

    guard let name = try connection.first(sql, as: String.self) else {
      throw SQLiteError(.notFound, "no part found", sql: sql.text)
    }

    return name
  }

  @Test func `the examples of steps`() throws {
    let connection = try makeParts()
    var log: [String] = []

    let colors = Migration(
      to: 1, "colors", "CREATE TABLE colors (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT",
      "INSERT INTO colors VALUES (0, 'Black')")
    let capitals = Migration(to: 2, "capitals") { connection throws(SQLiteError) in
      for name in try connection.query("SELECT name FROM colors", as: String.self) {
        try connection.execute("UPDATE colors SET name = \(name.uppercased()) WHERE name = \(name)")
      }
    }
    try connection.migrate([colors, capitals]) { step in
      log.append("\(step.version): \(step.name) in \(step.duration)")
    }

    #expect(try connection.rows(of: "colors") == [[0, "BLACK"]])
    #expect(log.map { $0.prefix(13) } == ["1: colors in ", "2: capitals i"])
  }

  @Test func `the examples of tables`() throws {
    let connection = try Connection.inMemory()
    let read: [[SQLiteValue]] = [[1, "brick"], [2, .null]]
    var texts: [String?] = []

    try connection.createTable(describedBy: words, withIndexes: false)
    try connection.bulkInsert(intoTable: words) { rows in try rows.append(0, "plate") }
    try connection.createIndexes(describedBy: words)

    let count = try connection.bulkInsert(intoTable: words) { rows in
      for row in read { try rows.append(row) }
    }
    if let place = words.columnIndex("word") {
      texts = read.map { row in row[place].textValue }
    }

    #expect(count == 2 && texts == ["brick", nil])
    #expect(try connection.rows(of: "words") == [[0, "plate"]] + read)

    try connection.execute("ALTER TABLE words DROP COLUMN word")
    let differences = try connection.differences(fromTable: words)
    let missing = differences.filter { $0.property == .column && $0.found == nil }
    let names = missing.compactMap(\.column)
    #expect(names == ["word"])
  }

  @Test func `the examples of references and views`() throws {
    let color = ForeignKeyDescription("color_id", references: "colors", "id")
    let element = ForeignKeyDescription(
      ["part_num", "color_id"], references: "elements", ["part_num", "color_id"])
    let long = ViewDescription("long_words", "SELECT word FROM words WHERE length(word) > 10")
    let schema = SchemaDescription(tables: [words], views: [long], applicationID: 1, version: 1)

    #expect(color.columns == ["color_id"] && color.keyColumns == ["id"])
    #expect(element.columns == element.keyColumns && element.table == "elements")
    let differences = try Connection.inMemory().differences(from: schema)
    #expect(differences.contains { $0.table == "long_words" && $0.property == .view })
  }
}
