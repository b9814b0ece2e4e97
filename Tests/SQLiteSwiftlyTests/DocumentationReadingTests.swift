import SQLiteSwiftly
import Testing

/// The examples of the article about reading.
struct DocumentationReadingTests {
  enum Material: String, SQLiteValueConvertible, QueryDecodableValue {
    case plastic = "Plastic"
    case rubber = "Rubber"
  }

  struct Part: RowDecodable {
    var number: String
    var name: String
    var material: Material?
    var weight: Double?

    init(row: borrowing Row) throws(SQLiteError) {
      number = try row["part_num"]
      name = try row["name"]
      material = try row["material"]
      weight = try row["weight"]
    }
  }

  struct Weight: QueryDecodable {
    var number: String
    var grams: Double?

    init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
      decoder: inout Decoder
    ) throws(Decoder.Failure) {
      number = try String(decoder: &decoder)
      grams = try decoder.decode(Double.self)
    }
  }

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

    var printed: [String] = []
    for row in try connection.readAllRows(fromTable: parts) {
      let isPrinted: Bool = try row.value("is_printed")
      if isPrinted { printed.append(try row.value("name")) }
    }

    #expect(printed == ["Torso"])

    let heavy = try connection.query(
      "SELECT * FROM parts WHERE weight > ?", [2], describedBy: parts)

    #expect(heavy.map { $0["part_num"] } == ["3001"])
  }

  @Test func `SK-6 rows as values`() throws {
    let connection = try makeParts()

    let rows = try connection.query("SELECT part_num, weight FROM parts WHERE is_printed")
    let count = try connection.value(of: "SELECT count(*) FROM parts")?.integerValue
    let last = try connection.value(of: "SELECT max(part_num) FROM parts")?.textValue

    #expect(rows == [["973", 1.0]])
    #expect(count == 3)
    #expect(last == "973")
  }

  @Test func `SQ-19 rows as values of Swift's types`() throws {
    let connection = try makeParts()

    let names = try connection.query("SELECT name FROM parts ORDER BY name", as: String.self)
    let weights = try connection.query("SELECT weight FROM parts", as: Double?.self)
    let all = try connection.query("SELECT * FROM parts", as: Part.self)
    let pairs = try connection.query(
      "SELECT name, weight FROM parts", as: (String, Double?).self)
    let brick = try connection.first("SELECT * FROM parts WHERE part_num = '3001'", as: Part.self)

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

    do throws(SQLiteError) {
      _ = try connection.query("SELECT material FROM parts", as: Material?.self)
    } catch {
      problem = error
    }
    let lenient = try connection.query(
      "SELECT material FROM parts", as: Material?.self, decoding: .lenient)

    #expect(lenient == [.plastic, .rubber, nil])
    #expect(problem?.code == .mismatch)
    #expect(
      problem?.message == "column 0 (material): expected a case of Material")
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

  @Test func `SQ-23 a query that converts what it reads`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE drafts (year TEXT)")
    try connection.execute("INSERT INTO drafts VALUES ('1998'), ('about 2001')")

    let years = try connection.query("SELECT year FROM drafts", as: Int.self, decoding: .lenient)

    #expect(years == [1998, 0])
  }

  @Test func `an enumeration is written as its raw value`() throws {
    let connection = try makeParts()

    let material = Material.rubber
    let rubbers = try connection.query(
      "SELECT part_num FROM parts WHERE material = \(material)", as: String.self)

    #expect(rubbers == ["56891"])
  }

  @Test func `SQ-18 rows one after the other`() throws {
    let connection = try makeParts()

    var total = 0.0
    try connection.forEachRow(of: "SELECT weight FROM parts") { row throws(SQLiteError) in
      total += try row.real(at: 0) ?? 0
    }

    #expect(total == 3.5)

    var longest = 0
    var statement = try connection.prepare("SELECT name FROM parts WHERE part_num > ?")
    var cursor = statement.rows(["3001"])
    while let row = try cursor.next() {
      let length = try row.withBytes(at: 0) { name throws(SQLiteError) in name.count }
      longest = max(longest, length ?? 0)
    }

    #expect(longest == 5)
  }

  @Test func `SK-16 a statement is compiled once and run often`() throws {
    let connection = try makeParts()
    var prepared = 0
    connection.traceHandler = { if case .prepared = $0 { prepared += 1 } }

    var names: [String] = []
    var statement = try connection.prepare("SELECT name FROM parts WHERE part_num = :number")
    for number in ["3001", "973", "3001"] {
      names += try statement.query(["number": number], as: String.self)
    }

    #expect(names == ["Brick 2 x 4", "Torso", "Brick 2 x 4"])
    #expect(prepared == 1)
  }

  @Test func `SQ-20 a decodable type can be read without a database`() throws {
    let connection = try makeParts()

    let weighed = try connection.query("SELECT part_num, weight FROM parts", as: Weight.self)
    var decoder = ValueQueryDecoder(["3001", .null])
    let unknown = try Weight(decoder: &decoder)

    #expect(weighed.map(\.grams) == [2.5, nil, 1])
    #expect(unknown.number == "3001" && unknown.grams == nil)
  }
}
