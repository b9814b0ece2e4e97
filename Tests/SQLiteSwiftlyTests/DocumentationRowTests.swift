import SQLiteSwiftly
import Testing

/// The examples in the comments of calls that read rows, by name and by type.
struct DocumentationRowTests {
  private func makeParts() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.execute(
      "CREATE TABLE parts (part_num TEXT PRIMARY KEY, name TEXT, material TEXT, weight REAL)")
    try connection.execute(
      """
      INSERT INTO parts VALUES ('3001', 'Brick 2 x 4', 'Plastic', 2.5),
        ('3139', 'Tyre', 'Rubber', 1), ('973', NULL, 'Plastic', 1.5)
      """)
    return connection
  }

  @Test func `the examples of tuples and of first rows`() throws {
    let connection = try makeParts()
    var names: [String: String] = [:]

    let parts = try connection.query(
      "SELECT part_num, name FROM parts", as: (String, String?).self)
    for (number, name) in parts { names[number] = name }

    let pairs = try connection.query("SELECT part_num, name FROM parts") {
      (try $0.decode(String.self), try $0.decode(String.self))
    }

    let count = try connection.first("SELECT count(*) FROM parts", as: Int.self) ?? 0
    let name = try connection.first("SELECT name FROM parts WHERE part_num = 1", as: String?.self)

    let bounds = try connection.first(
      "SELECT min(part_num), count(*) FROM parts", as: (String?, Int).self)

    var search = try connection.prepare("SELECT name FROM parts WHERE part_num = ?")
    let brick = try search.first(["3001"], as: String.self)

    var statement = try connection.prepare("SELECT part_num, name FROM parts WHERE name LIKE ?")
    let bricks = try statement.query(["Brick%"], as: (String, String?).self)

    #expect(names == ["3001": "Brick 2 x 4", "3139": "Tyre"])
    #expect(pairs.map(\.0) == ["3001", "3139", "973"])
    #expect(pairs.map(\.1) == ["Brick 2 x 4", "Tyre", nil])
    #expect(count == 3)
    #expect(name == nil)
    #expect(bounds?.0 == "3001" && bounds?.1 == 3 && brick == "Brick 2 x 4")
    #expect(bricks.count == 1 && bricks[0] == ("3001", "Brick 2 x 4"))
  }

  @Test func `the example of models by name`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE themes (parent_id INTEGER, name TEXT, id INTEGER)")
    try connection.execute("INSERT INTO themes VALUES (NULL, 'Technic', 1), (1, 'Arctic', 2)")

    struct Theme: RowDecodable {
      var id: Int
      var name: String
      var parent: Int?

      init(row: borrowing Row) throws(SQLiteError) {
        id = try row["id"]
        name = try row["name"]
        parent = try row["parent_id"]
      }
    }

    let themes = try connection.query("SELECT * FROM themes", as: Theme.self)

    #expect(themes.map(\.id) == [1, 2])
    #expect(themes.map(\.name) == ["Technic", "Arctic"])
    #expect(themes.map(\.parent) == [nil, 1])
  }

  @Test func `the examples of columns by name and number`() throws {
    let connection = try makeParts()
    let expected = ["3001": "Brick 2 x 4", "3139": "Tyre"]
    var names: [String: String] = [:]

    try connection.forEachRow(of: "SELECT part_num, name FROM parts") { row in
      let name: String? = try row["name"]
      names[try row["part_num"]] = name
    }

    #expect(names == expected)
    names = [:]

    try connection.forEachRow(of: "SELECT part_num, name FROM parts") { row in
      let number: String = try row["Part_Num"]
      names[number] = try row["name"] as String?
    }

    #expect(names == expected)
    names = [:]

    try connection.forEachRow(of: "SELECT part_num, name FROM parts") { row in
      names[try row[0]] = try row[1] as String?
    }

    #expect(names == expected)
    var values: [SQLiteValue] = []

    try connection.forEachRow(of: "SELECT part_num, name FROM parts") { row in
      let number = try row["part_num"]
      values.append(number)
    }

    #expect(values == ["3001", "3139", "973"])
  }

  @Test func `the example of a decoder`() throws {
    let connection = try makeParts()
    var numbers: [String] = []

    var statement = try connection.prepare("SELECT part_num, name FROM parts")
    var rows = statement.rows()
    while let row = try rows.next() {
      var decoder = row.decoder()
      numbers.append(try decoder.decode(String.self) ?? "")
    }

    #expect(numbers == ["3001", "3139", "973"])
  }

  @Test func `the examples of names and of runs with arguments`() throws {
    let connection = try makeParts()
    let (name, number, weight) = ("Tire", "3139", 1.2)
    var names: [String?] = []

    var update = try connection.prepare("UPDATE parts SET name = ? WHERE part_num = ?")
    try update.run(name, number)

    var heavy = try connection.prepare("SELECT name FROM parts WHERE weight > ? AND material = ?")
    var rows = heavy.rows(weight, "Plastic")
    while let row = try rows.next() { names.append(try row["name"]) }

    let search = try connection.prepare("SELECT * FROM parts WHERE part_num = :number AND name = ?")
    let parameters = search.parameterNames.map { $0 ?? "?" }

    let all = try connection.prepare("SELECT * FROM parts")
    let header = all.columnNames.joined(separator: ",")

    #expect(names == ["Brick 2 x 4", nil])
    #expect(parameters == [":number", "?"])
    #expect(header == "part_num,name,material,weight")
    #expect(try connection.texts("SELECT name FROM parts WHERE part_num = '3139'") == ["Tire"])
  }

  @Test func `the example of runs with names`() throws {
    let connection = try makeParts()
    let names = ["3001": "Brick", "973": "Torso"]

    var update = try connection.prepare("UPDATE parts SET name = :name WHERE part_num = :number")
    for (number, name) in names {
      try update.run(["name": name, "number": number])
    }

    #expect(
      try connection.texts("SELECT name FROM parts ORDER BY part_num") == [
        "Brick", "Tyre", "Torso",
      ])
  }
}
