import SQLiteSwiftly
import Testing

struct ConversionTests {
  /// A text or the blob of its bytes, and the numbers that it begins with.
  static let texts: [(String, Int64, Double)] = [
    ("", 0, 0), (" ", 0, 0), ("12abc", 12, 12), (" +5", 5, 5), ("+-5", 0, 0), ("- 5", 0, -0.0),
    ("\t\n\u{B}\u{C}\r-7 8", -7, -7), ("\u{A0}5", 0, 0), ("\u{663}", 0, 0), ("1_000", 1, 1),
    ("1e3", 1, 1000), ("1E3x", 1, 1000), ("1e+3", 1, 1000), ("1e-3", 1, 0.001), ("1e", 1, 1),
    ("1e+", 1, 1), ("1e x", 1, 1), ("e5", 0, 0), ("-", 0, -0.0), ("+", 0, 0), (".", 0, 0),
    ("-.", 0, -0.0), (".e5", 0, 0), (".5", 0, 0.5), ("-.5", 0, -0.5), ("5.", 5, 5),
    ("5.e2", 5, 500),
    ("1.5.5", 1, 1.5), ("007", 7, 7), ("0x10", 0, 0), ("inf", 0, 0), ("-Infinity", 0, -0.0),
    ("nan", 0, 0), ("NULL", 0, 0), ("true", 0, 0), ("12\u{0}34", 12, 12), ("\u{0}12", 0, 0),
    ("-0", 0, -0.0), ("-0.0", 0, -0.0), ("1,5", 1, 1),
    ("9223372036854775807", .max, 0x1p63), ("9223372036854775808", .max, 0x1p63),
    ("-9223372036854775808", .min, -0x1p63), ("-9223372036854775809", .min, -0x1p63),
    ("18446744073709551616", .max, 0x1p64), ("99999999999999999999999", .max, 1e23),
    ("0000000000000000000000000000012", 12, 12), ("4611686018427387904", 1 << 62, 0x1p62),
    ("1e22", 1, 1e22), ("1e309", 1, .infinity), ("-1e400", -1, -.infinity),
    ("1e99999999999999999999", 1, .infinity), ("0e99999999999999999999", 0, 0),
    ("1e-400", 1, 0), ("1e-99999999999999999999", 1, 0), ("0.1", 0, 0.1), ("2.5e-3", 2, 0.0025),
    ("123456789.125", 123_456_789, 123_456_789.125),
  ]

  @Test(arguments: texts)
  func `SQ-11 SQ-12 a text is read as the number that it begins with`(
    text: String, integer: Int64, real: Double
  ) throws {
    var statement = try Readings.makeReader()
    for value in [SQLiteValue.text(text), .blob(Array(text.utf8))] {
      let found = try Readings(fromRowOf: value, by: &statement)
      #expect(found.integer == integer && found.realBits == real.bitPattern)
      #expect(found.truth == (integer != 0))
      #expect(found.text == Array(text.utf8) && found.bytes == Array(text.utf8))
      #expect(try Readings(ofPlain: value) == found)
      try expectCasts(of: value, toGive: found)
    }
  }

  /// A number, and the integer that it is read as.
  static let reals: [(Double, Int64)] = [
    (0, 0), (-0.0, 0), (0.1, 0), (1.9, 1), (-1.9, -1), (100, 100), (0x1p53, 1 << 53),
    (1e14, Int64(1e14)),
    (1e15, Int64(1e15)), (1e18, Int64(1e18)), (1e19, .max), (-1e19, .min), (0x1p63, .max),
    ((0x1p63).nextDown, .max - 1023), (-0x1p63, .min), ((-0x1p63).nextUp, .min + 1024),
    (1e308, .max), (.greatestFiniteMagnitude, .max), (.leastNonzeroMagnitude, 0),
    (.infinity, .max), (-.infinity, .min), (2.0 / 3, 0), (-1e-5, 0),
    (123_456_789_012_345_680, 123_456_789_012_345_680),
  ]

  @Test(arguments: reals)
  func `SQ-11 SQ-12 SQ-13 a real is read as an integer and as SQLite's text`(
    real: Double, integer: Int64
  ) throws {
    var statement = try Readings.makeReader()
    let found = try Readings(fromRowOf: .real(real), by: &statement)
    #expect(found.integer == integer && found.realBits == real.bitPattern)
    #expect(found.truth == (integer != 0) && found.text == found.bytes)
    #expect(try Readings(ofPlain: .real(real)) == found)
    try expectCasts(of: .real(real), toGive: found)
  }

  @Test(arguments: [
    (0.1, "0.1"), (100, "100.0"), (-2.5, "-2.5"), (1e14, "100000000000000.0"), (1e15, "1.0e+15"),
    (1e308, "1.0e+308"), (2.0 / 3, "0.666666666666667"), (.infinity, "Inf"), (-.infinity, "-Inf"),
  ])
  func `SQ-13 a real's text has 15 digits`(real: Double, text: String) throws {
    for kind in [DecoderKind.row, .values] {
      #expect(try kind.decode([.real(real)], as: String.self) == text)
    }
  }

  @Test func `SQ-9 NaN is NULL for every decoder`() throws {
    var statement = try Readings.makeReader()
    let found = try Readings(fromRowOf: .real(.nan), by: &statement)
    #expect(found.bytes == nil && found.realBits == nil && found.integer == nil)
    #expect(found.text == nil && found.truth == nil)
    #expect(try Readings(ofPlain: .real(.nan)) == found)
    #expect(try Readings(ofPlain: .null) == found)
  }

  @Test(arguments: [Int64.min, -1, 0, 1, 1 << 53 + 1, .max])
  func `SQ-11 SQ-13 SQ-15 an integer is read as a real, as text and as its bytes`(
    integer: Int64
  ) throws {
    var statement = try Readings.makeReader()
    let found = try Readings(fromRowOf: .integer(integer), by: &statement)
    #expect(found.realBits == Double(integer).bitPattern && found.truth == (integer != 0))
    #expect(found.text == Array("\(integer)".utf8) && found.bytes == found.text)
    #expect(try Readings(ofPlain: .integer(integer)) == found)
    try expectCasts(of: .integer(integer), toGive: found)
  }

  @Test func `SQ-13 invalid UTF-8 in a blob is replaced when it is read as text`() throws {
    for kind in [DecoderKind.row, .values] {
      let columns = try kind.decode(
        [.blob([0x61, 0xFF, 0x62]), .blob([0xFF])], as: Columns<String, [UInt8]>.self)
      #expect(columns.values == ("a\u{FFFD}b", [0xFF]))
    }
  }

  @Test func `SQ-11 SQ-12 SQ-13 SQ-15 a row converts as its decoder does`() throws {
    let values: [SQLiteValue] = [
      "12.5abc", .blob([0x37, 0x2E, 0x35]), 2.75, .integer(.max), .real(.infinity), "", .blob([]),
      .null,
    ]
    var statement = try Readings.makeReader()
    for value in values {
      let expected = try Readings(ofPlain: value)
      var cursor = statement.rows([value])
      guard let row = try cursor.next() else { throw CellDecoder.Failure.noColumn(0) }
      let found = (try row.integer(at: 0), try row.real(at: 1), try row.text(at: 2))
      #expect(found.0 == expected.integer && found.1?.bitPattern == expected.realBits)
      #expect(found.2.map { Array($0.utf8) } == expected.text)
      let (bytes, isNull) = (try row.bytes(at: 3), try row.isNull(at: 4))
      #expect(bytes == expected.bytes && isNull == (value == .null))
      let span = try row.withBytes(at: 3) { span in span.indices.map { span[$0] } }
      #expect(span == expected.bytes)
    }
  }

  /// Compares the values read with SQLite's own conversions of an expression.
  private func expectCasts(of value: SQLiteValue, toGive readings: Readings) throws {
    let row = try Connection.inMemory().query(
      """
      SELECT CAST(\(value) AS INTEGER), CAST(\(value) AS REAL), CAST(\(value) AS TEXT),
        CAST(\(value) AS BLOB)
      """)[0]
    #expect(row[0].integerValue == readings.integer)
    #expect(row[1].realValue?.bitPattern == readings.realBits)
    #expect(row[2].textValue.map { Array($0.utf8) } == readings.text)
    #expect(row[3].blobValue == readings.bytes)
  }
}
