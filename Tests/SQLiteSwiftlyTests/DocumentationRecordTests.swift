import SQLiteSwiftly
import Testing

/// The examples of Codable records.
struct DocumentationRecordTests {
  @Test func `the example of the article about reading`() throws {
    let connection = try Connection.inMemory()
    let columns = [
      ColumnDescription("part_num", .text), ColumnDescription("name", .text),
      ColumnDescription("material", .text, isNullable: true),
      ColumnDescription("weight", .real, isNullable: true),
    ]
    let heavyParts = TableDescription("heavy", columns: columns, primaryKey: ["part_num"])
    try connection.createTable(describedBy: heavyParts)
    try connection.createTable(
      describedBy: TableDescription("parts", columns: columns, primaryKey: ["part_num"]))
    try connection.execute(
      """
      INSERT INTO parts VALUES ('3001', 'Brick 2 x 4', 'Plastic', 2.5),
        ('56891', 'Tyre', 'Rubber', NULL), ('973', 'Torso', NULL, 1)
      """)

    struct PartRecord: Codable {
      enum Material: String, Codable { case plastic = "Plastic", rubber = "Rubber" }
      enum CodingKeys: String, CodingKey { case number = "part_num", name, material, weight }

      var number: String
      var name: String
      var material: Material?
      var weight: Double?
    }

    let records = try connection.query("SELECT * FROM parts", as: PartRecord.self)
    let torso = try connection.first(
      "SELECT * FROM parts WHERE part_num = ?", ["973"], as: PartRecord.self)

    #expect(records.map(\.number) == ["3001", "56891", "973"])
    #expect(records.map(\.material) == [.plastic, .rubber, nil])
    #expect(torso?.name == "Torso" && torso?.weight == 1)

    var insert = try connection.prepareInsertIntoTable(describedBy: heavyParts)
    for record in records where (record.weight ?? 0) > 2 {
      try insert.insert(record: record)
    }

    #expect(try connection.rows(of: "heavy") == [["3001", "Brick 2 x 4", "Plastic", 2.5]])
  }

  @Test func `the examples of comments`() throws {
    let connection = try Connection.inMemory()
    let table = TableDescription(
      "themes",
      columns: [
        ColumnDescription("id", .integer), ColumnDescription("name", .text),
        ColumnDescription("parent_id", .integer, isNullable: true),
      ],
      primaryKey: ["id"])
    try connection.createTable(describedBy: table)
    try connection.execute("INSERT INTO themes VALUES (1, 'Technic', NULL), (2, 'Arctic', 1)")

    struct Theme: Codable {
      var id: Int
      var name: String
      var parent: Int?

      enum CodingKeys: String, CodingKey { case id, name, parent = "parent_id" }
    }

    let themes = try connection.query("SELECT * FROM themes", as: Theme.self)

    #expect(themes.map(\.parent) == [nil, 1])
    try connection.execute("DELETE FROM themes")
    var insert = try connection.prepareInsertIntoTable(describedBy: table)

    for theme in themes { try insert.insert(record: theme) }

    #expect(try connection.rows(of: "themes") == [[1, "Technic", .null], [2, "Arctic", 1]])
  }
}
