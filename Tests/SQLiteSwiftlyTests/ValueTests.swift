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

  @Test func `SW-54 values come back from a query's parameters`() throws {
    let connection = try Connection.inMemory()
    for (value, expected, storage) in Self.values {
      let rows = try connection.query("SELECT \(value), typeof(\(value))")
      #expect(isSame(rows[0][0], expected) && rows[0][1] == .text(storage))
    }
  }

  @Test func `values come back from a table`() throws {
    let connection = try Connection.inMemory()
    let columns: [ColumnDescription.DataType] = [.integer, .real, .text, .blob]
    let table = TableDescription(
      "t",
      columns: [ColumnDescription("id", .integer)]
        + columns.map { ColumnDescription("\($0)", $0, isNullable: true) },
      primaryKey: ["id"])
    try connection.createTable(describedBy: table)
    var insert = try connection.prepareInsertIntoTable(describedBy: table)
    for (index, (value, _, _)) in Self.values.enumerated() {
      var row = [SQLiteValue](repeating: .null, count: 5)
      row[0] = .integer(Int64(index))
      row[place(of: value)] = value
      try insert.insert(row)
    }
    let rows = try connection.rows(of: "t")
    #expect(rows.count == Self.values.count)
    for (row, (value, expected, _)) in zip(rows, Self.values) {
      // A column of reals stores those that are integers as such, which have no -0.
      let isNegativeZero = isSame(value, .real(-0.0))
      #expect(isSame(row[place(of: value)], isNegativeZero ? .real(0) : expected))
      #expect(row.filter { $0 == .null }.count == (expected == .null ? 4 : 3))
    }
  }

  private func place(of value: SQLiteValue) -> Int {
    switch value {
    case .null, .integer: 1
    case .real: 2
    case .text: 3
    case .blob: 4
    }
  }

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
