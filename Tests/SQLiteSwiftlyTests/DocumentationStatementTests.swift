import SQLiteSwiftly
import Testing

/// The examples in the comments of statements, rows, SQL and decoding.
struct DocumentationStatementTests {
  private func makeParts() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.execute(
      "CREATE TABLE parts (part_num TEXT PRIMARY KEY, name TEXT, material TEXT)")
    try connection.execute(
      "INSERT INTO parts VALUES ('3001', 'Brick', 'Plastic'), ('3139', 'Tyre', 'Rubber')")
    return connection
  }

  private let themes = TableDescription(
    "themes",
    columns: [
      ColumnDescription("id", .integer), ColumnDescription("name", .text),
      ColumnDescription("parent_id", .integer, isNullable: true),
    ],
    primaryKey: ["id"])

  @Test func `the example of columns that are left out`() throws {
    let connection = try Connection.inMemory()
    try connection.createTable(describedBy: themes)

    var insert = try connection.prepareInsertIntoTable(describedBy: themes, leavingOut: ["id"])
    try insert.insert(["name": "Arctic", "parent_id": 1])

    #expect(try connection.query("SELECT * FROM themes") == [[1, "Arctic", 1]])
  }

  @Test func `the examples of inserts`() throws {
    let connection = try Connection.inMemory()
    let themes = themes
    let names: [(Int64, String)] = [(1, "Technic"), (2, "Arctic")]
    try connection.createTable(describedBy: themes)

    try connection.transaction {
      var insert = try connection.prepareInsertIntoTable(describedBy: themes)
      for (id, name) in names { try insert.insert(id, name, .null) }
    }

    var insert = try connection.prepareInsertIntoTable(describedBy: themes)
    let row: [String: SQLiteValue] = ["id": 3, "name": "Castle", "parent_id": 1]
    try insert.insert(row)

    try insert.insert(4, "Castle", .null)

    let (id, name) = (5, "Town")

    try insert.insert(["parent_id": nil, "id": id, "name": name])
    try insert.insert([id + 1, name, nil])

    let query: SQL = "SELECT * FROM themes WHERE parent_id IS NULL"
    let roots = try connection.query(query, describedBy: themes)

    #expect(roots.map { $0["id"] } == [1, 2, 4, 5, 6])
    #expect(try connection.rows(of: "themes")[2] == [3, "Castle", 1])
    #expect(
      try connection.rows(of: "themes").suffix(2) == [[5, "Town", .null], [6, "Town", .null]])
  }

  @Test func `the examples of inserts by position, by name, and of the same row again`() throws {
    let connection = try Connection.inMemory()
    try connection.createTable(describedBy: themes)

    var insert = try connection.prepareInsertIntoTable(describedBy: themes)
    try insert.insert(1, "Technic", .null)
    try insert.insert(["name": "Arctic", "id": 2, "parent_id": 1])

    try connection.execute("DELETE FROM themes WHERE id = 1")

    var upsert = try connection.prepareInsertIntoTable(describedBy: themes, onConflict: .update)
    try upsert.insert(1, "Technic", .null)
    try upsert.insert(1, "Technic, renamed", .null)

    #expect(
      try connection.rows(of: "themes") == [[1, "Technic, renamed", .null], [2, "Arctic", 1]])
    #expect(try parents(of: connection) == ["Arctic": 1])
  }

  private func parents(of connection: Connection) throws -> [String: Int] {
    var parents: [String: Int] = [:]

    for row in try connection.readAllRows(fromTable: themes) {
      let name: String = try row.value("name")
      parents[name] = try row.value("parent_id", as: Int?.self)
    }

    return parents
  }

  @Test func `the examples of prepared statements`() throws {
    let connection = try makeParts()

    var search = try connection.prepare("SELECT name FROM parts WHERE part_num = ?")
    let brick = try search.query(["3001"], as: String.self).first
    let tyre = try search.query(["3139"], as: String.self).first
    search.close()

    var statement = try connection.prepare("DELETE FROM parts WHERE material = :material")
    try statement.run(["material": "Rubber"])
    try statement.run(["material": "Foam"])
    let names = try connection.query("SELECT name FROM parts", as: String.self)

    statement.close()
    try connection.close()

    #expect((brick, tyre) == ("Brick", "Tyre"))
    #expect(names == ["Brick"])
  }

  @Test func `the examples of rows`() throws {
    let connection = try makeParts()
    var names: [String] = []
    var bytes = 0

    try connection.forEachRow(of: "SELECT part_num, name FROM parts") { row in
      guard try !row.isNull(at: 1) else { return }
      names.append(try row.text(at: 1) ?? "")
    }

    try connection.forEachRow(of: "SELECT name FROM parts") { row in
      bytes += try row.withBytes(at: 0) { name in name.count } ?? 0
    }

    #expect(names == ["Brick", "Tyre"])
    #expect(bytes == 9)
  }

  @Test func `the examples of SQL`() throws {
    let connection = try makeParts()
    let (table, prefix) = ("parts", "30")

    struct NewestParts: SQLQuery {
      var limit: Int64
      var text: String { "SELECT name FROM parts ORDER BY rowid DESC LIMIT ?" }
      var values: [SQLiteValue] { [.integer(limit)] }
    }
    let names = try connection.query(SQL(NewestParts(limit: 1)), as: String.self)

    let count = try connection.value(of: "SELECT count(*) FROM \(identifier: table)")

    let filter: SQL = "WHERE part_num GLOB \(prefix + "*")"
    let rows = try connection.query("SELECT name FROM parts \(sql: filter)")

    #expect(names == ["Tyre"])
    #expect(count == 2)
    #expect(rows == [["Brick"]])
  }

  @Test func `the examples of lists and of pieces of SQL`() throws {
    let connection = try makeParts()
    let (pattern, number) = ("%e", "3001")

    func listed() throws -> [[SQLiteValue]] {
      let numbers = ["3001", "973"]
      let rows = try connection.query("SELECT name FROM parts WHERE part_num IN (\(numbers))")
      return rows
    }

    let conditions: [SQL] = ["name LIKE \(pattern)", "part_num <> \(number)"]
    let rows = try connection.query(
      "SELECT name FROM parts WHERE \(sql: conditions.joined(separator: " AND "))")

    #expect(try listed() == [["Brick"]])
    #expect(rows == [["Tyre"]])
  }

  @Test func `the example of a part of bytes`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE parts (part_num INTEGER, picture BLOB)")
    try connection.execute("INSERT INTO parts VALUES (3001, NULL), (3139, NULL)")
    let file: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1, 2]

    try connection.execute("UPDATE parts SET picture = \(file.dropFirst(8)) WHERE part_num = 3001")

    #expect(try connection.query("SELECT picture FROM parts") == [[.blob([1, 2])], [.null]])
  }

  @Test func `the examples of parameters`() throws {
    let connection = try makeParts()
    let number = "3001"

    let sql: SQL = "SELECT name FROM parts WHERE part_num = :number OR name = :name"
    let found = try connection.query(sql, ["number": number, "name": "Tyre"])

    let names: [String?] = ["Tyre", nil]
    let rows = try connection.query("SELECT ifnull(?, '-'), ifnull(?, '-')", SQLParameters(names))

    let values: [String: (any SQLiteValueConvertible)?] = ["number": number, "name": nil]
    try connection.execute(
      "UPDATE parts SET name = :name WHERE part_num = :number", SQLParameters(values))

    #expect(found == [["Brick"], ["Tyre"]])
    #expect(rows == [["Tyre", "-"]])
    #expect(try connection.texts("SELECT name FROM parts ORDER BY part_num") == [nil, "Tyre"])
  }

  @Test func `the examples of values`() throws {
    let connection = try makeParts()

    let row: [SQLiteValue] = [1, "Technic", .null, 1.5, true, .blob([0xff])]
    let name = row[1].textValue ?? "no name"

    enum Material: String, SQLiteValueConvertible { case plastic = "Plastic", rubber = "Rubber" }

    let query: SQL = "SELECT name FROM parts WHERE material = \(Material.rubber)"

    #expect(name == "Technic")
    #expect(try connection.query(query) == [["Tyre"]])
  }

  @Test func `the examples of decoding`() throws {
    let connection = try makeParts()

    enum Material: String, QueryDecodableValue { case plastic = "Plastic", rubber = "Rubber" }

    let materials = try connection.query("SELECT material FROM parts", as: Material?.self)

    var decoder = ValueQueryDecoder(["Rubber", .null, "12"])
    let material = try Material(decoder: &decoder)
    let weight = try decoder.decode(Double.self)
    let count = try decoder.decode(Int.self)

    let lengths = try connection.query("SELECT length(name) FROM parts", as: Int.self)

    #expect(materials == [.plastic, .rubber])
    #expect(material == .rubber)
    #expect((weight, count) == (nil, 12))
    #expect(lengths == [5, 4])
  }
}
