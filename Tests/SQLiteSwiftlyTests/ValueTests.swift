import SQLiteSwiftly
import Testing

/// Whether two values are the same to the last bit, unlike `-0.0 == 0.0`.
func isSame(_ left: SQLiteValue?, _ right: SQLiteValue) -> Bool {
  switch (left, right) {
  case (.real(let left)?, .real(let right)): left.bitPattern == right.bitPattern
  case (.text(let left)?, .text(let right)): Array(left.utf8) == Array(right.utf8)
  default: left == right
  }
}

struct ValueTests {
  /// A value, the value read back, and its storage class.
  static let values: [(SQLiteValue, SQLiteValue, String)] = [
    (.null, .null, "null"),
    (.integer(0), .integer(0), "integer"),
    (.integer(1), .integer(1), "integer"),
    (.integer(-1), .integer(-1), "integer"),
    (.integer(.max), .integer(.max), "integer"),
    (.integer(.min), .integer(.min), "integer"),
    (.real(0.1), .real(0.1), "real"),
    (.integer(1 << 53 + 1), .integer(1 << 53 + 1), "integer"),
    (.real(3), .real(3), "real"),
    (.real(-0.0), .real(-0.0), "real"),
    (.real(.infinity), .real(.infinity), "real"),
    (.real(-.infinity), .real(-.infinity), "real"),
    (.real(.leastNonzeroMagnitude), .real(.leastNonzeroMagnitude), "real"),
    (.real(.greatestFiniteMagnitude), .real(.greatestFiniteMagnitude), "real"),
    (.real(.nan), .null, "null"),
    (.text(""), .text(""), "text"),
    (.text("003383"), .text("003383"), "text"),
    (.text("a\0b\0"), .text("a\0b\0"), "text"),
    (.text("e\u{301}\u{E9}\u{FEFF}\u{200B}"), .text("e\u{301}\u{E9}\u{FEFF}\u{200B}"), "text"),
    (.text("\u{1F9F1}\u{10FFFF}"), .text("\u{1F9F1}\u{10FFFF}"), "text"),
    (.text(megabyte), .text(megabyte), "text"),
    (.blob([]), .blob([]), "blob"),
    (.blob([UInt8](0...255)), .blob([UInt8](0...255)), "blob"),
    (.blob(Array(megabyte.utf8)), .blob(Array(megabyte.utf8)), "blob"),
  ]

  static let megabyte = String(repeating: "0123456789\u{E9}\u{1F9F1}", count: 1 << 16)

  @Test func `values are equal when their bytes are`() {
    #expect(SQLiteValue.text("\u{E9}") != .text("e\u{301}"))
    #expect(SQLiteValue.text("\u{E9}") == .text("\u{E9}"))
    #expect(SQLiteValue.text("1") != .integer(1))
    #expect(SQLiteValue.integer(1) != .real(1))
    #expect(SQLiteValue.blob([]) != .null)
    #expect(SQLiteValue.null == .null)
    #expect(SQLiteValue.blob([1]) == .blob([1]) && SQLiteValue.blob([1]) != .blob([2]))
    #expect(SQLiteValue.real(1.5) == .real(1.5) && SQLiteValue.real(1.5) != .real(2.5))
  }

  @Test func `invalid UTF-8 is an error where text is read strictly`() throws {
    struct Name: Decodable { var name: String }
    let connection = try Connection.inMemory()
    let table = TableDescription("t", columns: [ColumnDescription("name", .text)], primaryKey: [])
    try connection.createTable(describedBy: table)
    try connection.execute("INSERT INTO t VALUES (CAST(x'61ff62' AS TEXT))")
    let message = "column 0 (name): expected text in UTF-8, found other bytes"
    let sql: SQL = "SELECT name FROM t"
    let reads: [() throws -> Void] = [
      { _ = try connection.query(sql, as: String.self) },
      { _ = try connection.query(sql, as: Name.self) },
      { _ = try connection.first(sql, as: String?.self) },
      {
        try connection.forEachRow(of: sql) { row throws(SQLiteError) in
          _ = try row["name"] as String
        }
      },
      { _ = try connection.readAllRows(fromTable: table) },
    ]
    for read in reads {
      let error = try failure(read)
      #expect(error.code == .mismatch && error.message == message)
    }
    #expect(try connection.query(sql, as: String.self, decoding: .lenient) == ["a\u{FFFD}b"])
    #expect(
      try connection.query(sql, as: Name.self, decoding: .lenient).map(\.name) == ["a\u{FFFD}b"])
  }

  @Test func `invalid UTF-8 is replaced when it is read`() throws {
    let found = try Connection.inMemory().value(of: "SELECT CAST(x'61ff62' AS TEXT)")
    #expect(found == .text("a\u{FFFD}b"))
  }

  @Test func `the accessors return values of their own kind only`() {
    #expect(SQLiteValue.integer(3).integerValue == 3 && SQLiteValue.integer(3).textValue == nil)
    #expect(SQLiteValue.text("3").textValue == "3" && SQLiteValue.text("3").integerValue == nil)
    #expect(SQLiteValue.null.textValue == nil && SQLiteValue.real(3).integerValue == nil)
  }
}
