import SQLiteSwiftly
import Testing

/// Calls as users of other libraries write them, each with its expected meaning.
struct FamiliarCallTests {
  private let name = "Arctic"
  private let parent: Int? = 1
  private let nothing: Int? = nil
  private let themes = TableDescription(
    "themes",
    columns: [
      ColumnDescription("id", .integer), ColumnDescription("name", .text),
      ColumnDescription("parent_id", .integer, isNullable: true),
    ],
    primaryKey: ["id"])

  private func makeThemes() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.createTable(describedBy: themes)
    try connection.execute("INSERT INTO themes VALUES (1, 'Technic', NULL)")
    return connection
  }

  @Test func `statements are executed with values of any kind`() throws {
    let connection = try makeThemes()
    try connection.execute("INSERT INTO themes VALUES (?, ?, ?)", [2, name, parent])
    try connection.execute("INSERT INTO themes VALUES (?, ?, ?)", [3, name + "!", nil])
    try connection.execute("INSERT INTO themes VALUES (?, ?, ?)", [4, "Castle", nothing])
    try connection.execute("INSERT INTO themes VALUES (\(5), \(name), \(nothing))")
    try connection.execute(
      "INSERT INTO themes VALUES (:id, :name, :parent)", ["id": 6, "name": name, "parent": nil])
    try connection.execute(
      "INSERT INTO themes VALUES ($id, @name, :parent)",
      ["$id": 7, "@name": name.uppercased(), ":parent": parent])
    try connection.execute("UPDATE themes SET name = ? WHERE id IN (?, ?)", [name, 3, 4])
    try connection.execute("DELETE FROM themes WHERE id IN (\([5, 6]))")
    #expect(
      try connection.rows(of: "themes") == [
        [1, "Technic", .null], [2, "Arctic", 1], [3, "Arctic", .null], [4, "Arctic", .null],
        [7, "ARCTIC", 1],
      ])
  }

  @Test func `statements are run again and again`() throws {
    let connection = try makeThemes()
    var insert = try connection.prepare("INSERT INTO themes (name, parent_id) VALUES (?, ?)")
    try insert.run("a", 1)
    try insert.run(name, parent)
    try insert.run(name, nothing)
    try insert.run("b", .null)
    try insert.run(["c", nil])
    try insert.run([name, parent])
    for (name, parent) in ["d": 5] { try insert.run(name, parent) }
    var update = try connection.prepare("UPDATE themes SET parent_id = :p WHERE name = :n")
    try update.run(["n": "d", "p": nothing])
    try update.run(["n": "a", "p": 7])
    #expect(
      try connection.query("SELECT name, parent_id FROM themes WHERE id > 1 ORDER BY id") == [
        ["a", 7], ["Arctic", 1], ["Arctic", .null], ["b", .null], ["c", .null], ["Arctic", 1],
        ["d", .null],
      ])
  }

  @Test func `rows are inserted by a description`() throws {
    let connection = try makeThemes()
    var insert = try connection.prepareInsertIntoTable(describedBy: themes)
    try insert.insert(2, name, parent)
    try insert.insert(3, name, .null)
    try insert.insert([4, name, nil])
    try insert.insert([5, "Castle", .null])
    try insert.insert(["id": 6, "name": name, "parent_id": parent])
    try insert.insert(["id": 7, "name": "Castle", "parent_id": .null])
    try insert.insert(["id": 8, "name": "Castle", "parent_id": nil])
    let values: [String: SQLiteValue] = ["id": 9, "name": "x", "parent_id": 2]
    try insert.insert(values)
    let texts = ["id": "10", "name": "11", "parent_id": "12"]
    try insert.insert(SQLParameters(texts))
    #expect(
      try connection.rows(of: "themes").dropFirst() == [
        [2, "Arctic", 1], [3, "Arctic", .null], [4, "Arctic", .null], [5, "Castle", .null],
        [6, "Arctic", 1], [7, "Castle", .null], [8, "Castle", .null], [9, "x", 2], [10, "11", 12],
      ])
  }

  @Test func `values are read in many ways`() throws {
    let connection = try makeThemes()
    let count = try connection.value(of: "SELECT count(*) FROM themes")?.integerValue ?? 0
    let number = try connection.first("SELECT count(*) FROM themes", as: Int.self) ?? 0
    let names = try connection.query("SELECT name FROM themes", as: String.self)
    let parents = try connection.query("SELECT parent_id FROM themes", as: Int?.self)
    let found = try connection.first(
      "SELECT name FROM themes WHERE id = ?", [1], as: String.self)
    let missing = try connection.first(
      "SELECT name FROM themes WHERE id = \(7)", as: String.self)
    #expect((count, number) == (1, 1))
    #expect((names, parents, found, missing) == (["Technic"], [nil], "Technic", nil))
    for (id, name) in try connection.query("SELECT id, name FROM themes", as: (Int, String).self) {
      #expect((id, name) == (1, "Technic"))
    }
    for row in try connection.query("SELECT id, name FROM themes") {
      #expect(row[0].integerValue == 1 && row[1].textValue == "Technic")
    }
    let pairs = try connection.query("SELECT name, id FROM themes") {
      (try String(decoder: &$0), try Int(decoder: &$0))
    }
    #expect(Dictionary(uniqueKeysWithValues: pairs) == ["Technic": 1])
  }

  @Test func `rows are read by name`() throws {
    let connection = try makeThemes()
    var ids: [String: Int] = [:]
    try connection.forEachRow(of: "SELECT * FROM themes WHERE id = ?", [1]) { row in
      let name: String = try row["name"]
      let parent: Int? = try row["parent_id"]
      ids[name] = try row["id"] + (parent ?? 10)
      ids["nobody"] = try row["parent_id"] ?? -1
    }
    #expect(ids == ["Technic": 11, "nobody": -1])
    var select = try connection.prepare("SELECT * FROM themes WHERE name LIKE ? AND id > ?")
    var rows = select.rows("tech%", 0)
    while let row = try rows.next() { ids[try row["name"]] = try row["id"] }
    #expect(ids == ["Technic": 1, "nobody": -1])
  }
}
