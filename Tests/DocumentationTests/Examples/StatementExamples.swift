import SQLiteSwiftly
import Testing

/// The examples in the comments of SQL, statements, rows and decoding.
struct StatementExamples {
  private let connection: Connection

  init() throws { connection = try .ofParts() }

  @Test func `SQL with values`() throws {
    try connection.execute("DELETE FROM parts WHERE name IS NULL")
    let (number, prefix, pattern) = ("3001", "30", "%r%")
    do {
      // Example: SQL.swift # SQL
      #expect(rows == [["Brick"]])
    }
    do {
      // Example: SQL.swift # SQLQuery
      #expect(names == ["Tyre"])
    }
    do {
      // Example: SQL.swift # appendInterpolation
      #expect(rows == [["Brick"]])
    }
    do {
      // Example: SQL.swift # appendInterpolation (2)
      #expect(rows == [["Brick"]])
    }
    do {
      // Example: SQL.swift # joined
      #expect(rows == [["Tyre"]])
    }
    // Example: SQLParameters.swift # SQLParameters
    #expect(found == [["Brick"], ["Tyre"]])
  }

  @Test func `statements that are run once`() throws {
    let (name, number) = ("Brick 2 x 4", "3001")

    // Example: Connection+Queries.swift # execute

    // Example: Connection+Queries.swift # query

    #expect(count == 2)
    #expect(names == ["Brick 2 x 4", "Tyre"])
  }

  @Test func `the first row`() throws {
    // Example: Connection+Queries.swift # first

    #expect(count == 3)
    #expect(name == nil)
  }

  @Test func `rows, in many ways`() throws {
    let expected = ["3001": "Brick", "3139": "Tyre"]
    var names: [String: String] = [:]
    var bytes = 0
    do {
      // Example: Connection+Queries.swift # query (2)
      #expect(names == expected)
    }
    do {
      // Example: Connection+Queries.swift # query (3)
      #expect(parts.map(\.number) == ["3001", "3139", "973"])
      #expect(parts.map(\.name) == ["Brick", "Tyre", nil])
    }
    names = [:]
    // Example: Connection+Queries.swift # forEachRow
    #expect(names == expected)
    names = [:]
    // Example: Row.swift # Row
    #expect(names == expected)
    // Example: Row.swift # withBytes
    #expect(bytes == 9)
  }

  @Test func `a cursor`() throws {
    var names: [String] = []

    // Example: PreparedStatement.swift # Cursor

    #expect(names == ["Brick", "Tyre", ""])
  }

  @Test func `a prepared statement with names`() throws {
    let names = ["3001": "Plate", "973": "Torso"]

    // Example: PreparedStatement.swift # PreparedStatement

    #expect(try connection.query("SELECT name FROM parts") == [["Plate"], ["Tyre"], ["Torso"]])
  }

  @Test func `values`() throws {
    // Example: SQLiteValue.swift # SQLiteValue

    // Example: SQLiteValue.swift # SQLiteValueConvertible

    #expect(name == "Technic")
    #expect(try connection.query(query) == [["Tyre"]])
  }

  @Test func `decoded values`() throws {
    // Example: QueryDecodable.swift # QueryDecodableValue

    // Example: QueryDecoder.swift # ValueQueryDecoder

    #expect(materials == [.plastic, .rubber, .plastic])
    #expect(material == .rubber)
    #expect((weight, count) == (nil, 12))
  }

  @Test func `a value that cannot be decoded`() throws {
    try connection.execute("UPDATE parts SET part_num = 'x1' WHERE name IS NULL")
    let error = try failure {
      // Example: QueryDecoder.swift # QueryDecodingProblem
      #expect(numbers.isEmpty)
    }
    #expect(error.message.contains("a hexadecimal number") && error.code == .mismatch)
  }

  @Test func `lenient decoding`() throws {
    try connection.execute("CREATE TABLE drafts (year TEXT)")
    try connection.execute("INSERT INTO drafts VALUES ('1998'), ('about 2001')")

    // Example: QueryDecoder.swift # DecodingMode

    #expect(years == [1998, 0])
  }

  @Test func `an error`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE parts (part_num TEXT PRIMARY KEY, name TEXT)")
    try connection.execute("INSERT INTO parts VALUES ('3001', 'Brick')")
    var isThere = false

    // Example: SQLiteError.swift # SQLiteError

    #expect(isThere)
  }
}
