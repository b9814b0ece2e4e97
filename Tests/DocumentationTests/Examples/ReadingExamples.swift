import SQLiteSwiftly
import Testing

/// The examples of the article about reading.
struct ReadingExamples {
  // Example: Reading # Your own types

  // Example: Reading # Types for any decoder

  private let parts = TableDescription(
    "parts",
    columns: [
      ColumnDescription("part_num", .text), ColumnDescription("name", .text),
      ColumnDescription("material", .text, isNullable: true),
      ColumnDescription("weight", .real, isNullable: true),
      ColumnDescription("is_printed", .boolean),
    ],
    primaryKey: ["part_num"])

  private func makeParts() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.createTable(describedBy: parts)
    try connection.execute(
      """
      INSERT INTO parts VALUES ('3001', 'Brick 2 x 4', 'Plastic', 2.5, 0),
        ('56891', 'Tyre', 'Rubber', NULL, 0), ('973', 'Torso', NULL, 1, 1)
      """)
    return connection
  }

  @Test func `SW-41 SW-56 all rows of a described table`() throws {
    let connection = try makeParts()

    // Example: Reading # Rows of a described table

    #expect(printed == ["Torso"])

    // Example: Reading # Rows of a described table (2)

    #expect(heavy.map { $0["part_num"] } == ["3001"])
  }

  @Test func `SK-6 rows as values`() throws {
    let connection = try makeParts()

    // Example: Reading # Values

    #expect(rows == [["973", 1.0]])
    #expect(count == 3)
    #expect(last == "973")
  }

  @Test func `SQ-19 rows as values of Swift's types`() throws {
    let connection = try makeParts()

    // Example: Reading # Your own types (2)

    #expect(names == ["Brick 2 x 4", "Torso", "Tyre"])
    #expect(weights == [2.5, nil, 1])
    #expect(all.map(\.material) == [.plastic, .rubber, nil])
    #expect(all.map(\.number) == ["3001", "56891", "973"])
    #expect(pairs.map(\.1) == [2.5, nil, 1])
    #expect(brick?.name == "Brick 2 x 4" && brick?.material == .plastic)
  }

  @Test func `SQ-23 a value of another class is an error by default`() throws {
    let connection = try makeParts()
    try connection.execute("UPDATE parts SET material = 'Wood' WHERE part_num = '973'")

    var problem: SQLiteError?

    // Example: Reading # Lenient and strict decoding

    #expect(lenient == [.plastic, .rubber, nil])
    #expect(problem?.code == .mismatch)
    #expect(problem?.message == "column 0 (material): expected a case of Material")
  }

  /// The article's results for a value that is read as another type: in lenient mode, and in strict
  /// mode, where nil is an error.
  @Test func `SQ-9 SQ-12 SQ-16 SQ-23 lenient and strict conversions`() throws {
    let connection = try Connection.inMemory()
    func read<Value: QueryDecodable & Equatable>(
      _ sql: SQL, as type: Value.Type
    ) throws -> [Value?] {
      [
        try? connection.query(sql, as: type, decoding: .lenient).first,
        try? connection.query(sql, as: type).first,
      ]
    }
    #expect(try read("SELECT '3001'", as: Int.self) == [3001, nil])
    #expect(try read("SELECT 'brick'", as: Int.self) == [0, nil])
    #expect(try read("SELECT '2024-01-01'", as: Int.self) == [2024, nil])
    #expect(try read("SELECT 'true'", as: Bool.self) == [false, nil])
    #expect(try read("SELECT 9.3e18", as: Int.self) == [.max, nil])
    #expect(try read("SELECT 3, 4", as: Int.self) == [3, nil])
    #expect(try read("SELECT 3", as: Double.self) == [3.0, nil])
    #expect(try read("SELECT 2", as: Bool.self) == [true, true])
    #expect(try read("SELECT 2.5", as: Int.self) == [2, nil])
    #expect(try read("SELECT NULL", as: Int?.self) == [.some(nil), .some(nil)])
    #expect(try read("SELECT NULL", as: Int.self) == [nil, nil])
    #expect(try read("SELECT 300", as: UInt8.self) == [nil, nil])
    #expect(try read("SELECT 'Wood'", as: Material.self) == [nil, nil])
    #expect(try read("SELECT 'Wood'", as: Material?.self) == [.some(nil), nil])
  }

  @Test func `an enumeration is written as its raw value`() throws {
    let connection = try makeParts()

    // Example: Reading # Your own types (3)

    #expect(rubbers == ["56891"])
  }

  @Test func `SQ-18 rows one after the other`() throws {
    let connection = try makeParts()

    // Example: Reading # One row at a time

    #expect(total == 3.5)

    // Example: Reading # One row at a time (2)

    #expect(longest == 5)
  }

  @Test func `SK-16 a statement is compiled once and run often`() throws {
    let connection = try makeParts()
    var prepared = 0
    connection.traceHandler = { if case .prepared = $0 { prepared += 1 } }

    // Example: Reading # Prepared statements

    #expect(names == ["Brick 2 x 4", "Torso", "Brick 2 x 4"])
    #expect(prepared == 1)
  }

  @Test func `SQ-20 a decodable type can be read without a database`() throws {
    let connection = try makeParts()

    // Example: Reading # Types for any decoder (2)

    #expect(weighed.map(\.grams) == [2.5, nil, 1])
    #expect(unknown.number == "3001" && unknown.grams == nil)
  }

  @Test func `Codable records`() throws {
    let connection = try makeParts()
    let heavyParts = TableDescription(
      "heavy", columns: Array(parts.columns.dropLast()), primaryKey: ["part_num"])
    try connection.createTable(describedBy: heavyParts)

    // Example: Reading # Codable records

    #expect(records.map(\.number) == ["3001", "56891", "973"])
    #expect(records.map(\.material) == [.plastic, .rubber, nil])
    #expect(torso?.name == "Torso" && torso?.weight == 1)

    try connection.execute("CREATE TABLE prices (part_num TEXT, cents INTEGER, day TEXT)")
    try connection.execute("INSERT INTO prices VALUES ('973', 12, NULL)")

    // Example: Reading # Codable records (2)

    #expect(priced.map(\.name) == ["Brick 2 x 4", "Tyre", "Torso"])
    #expect(priced.map(\.price?.cents) == [nil, nil, 12])

    // Example: Reading # Codable records (3)

    #expect(try connection.rows(of: "heavy") == [["3001", "Brick 2 x 4", "Plastic", 2.5]])
  }
}
