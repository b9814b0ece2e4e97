import SQLiteSwiftly
import Testing

/// What one column of any storage class is read as, where nothing is strict.
private struct Readings: Equatable {
  let bytes: [UInt8]?
  var realBits: UInt64?
  let integer: Int64?
  let text: [UInt8]?
  let truth: Bool?

  init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    of decoder: inout Decoder
  ) throws(Decoder.Failure) {
    bytes = try decoder.decode([UInt8].self)
    realBits = try decoder.decode(Double.self)?.bitPattern
    integer = try decoder.decode(Int64.self)
    text = try decoder.decode(String.self).map { Array($0.utf8) }
    truth = try decoder.decode(Bool.self)
  }

  /// Reads five columns, which the same value is in.
  init(fromRowOf value: SQLiteValue, by statement: inout PreparedStatement) throws {
    var cursor = statement.rows([value])
    guard let row = try cursor.next() else { throw CellDecoder.Failure.noColumn(0) }
    var decoder = row.decoder()
    try self.init(of: &decoder)
  }

  init(ofPlain value: SQLiteValue) throws {
    var decoder = ValueQueryDecoder([SQLiteValue](repeating: value, count: 5))
    try self.init(of: &decoder)
  }

  /// Whether they are the same; SQLite may miss the number in a text by one in the last place.
  func agree(with other: Readings) -> Bool {
    guard let bits = realBits, let otherBits = other.realBits else { return self == other }
    var same = self
    same.realBits = otherBits
    return same == other && max(bits, otherBits) - min(bits, otherBits) <= 1
  }
}

struct ConversionTests {
  /// Each parameter is the same one, so that every conversion is made of the value as it was bound.
  private func makeReader() throws -> PreparedStatement {
    try Connection.inMemory().prepare("SELECT ?1, ?1, ?1, ?1, ?1")
  }

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
    ("1e308", 1, 1e308), ("1e309", 1, .infinity), ("-1e400", -1, -.infinity),
    ("1e99999999999999999999", 1, .infinity), ("0e99999999999999999999", 0, 0),
    ("1e-400", 1, 0), ("1e-99999999999999999999", 1, 0), ("0.1", 0, 0.1), ("2.5e-3", 2, 0.0025),
    ("123456789.125", 123_456_789, 123_456_789.125),
  ]

  @Test(arguments: texts)
  func `SQ-11 SQ-12 a text is read as the number that it begins with`(
    text: String, integer: Int64, real: Double
  ) throws {
    var statement = try makeReader()
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
    var statement = try makeReader()
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
    var statement = try makeReader()
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
    var statement = try makeReader()
    let found = try Readings(fromRowOf: .integer(integer), by: &statement)
    #expect(found.realBits == Double(integer).bitPattern && found.truth == (integer != 0))
    #expect(found.text == Array("\(integer)".utf8) && found.bytes == found.text)
    #expect(try Readings(ofPlain: .integer(integer)) == found)
    try expectCasts(of: .integer(integer), toGive: found)
  }

  @Test func `SQ-13 a blob that is not UTF-8 is mended when it is read as text`() throws {
    for kind in [DecoderKind.row, .values] {
      let columns = try kind.decode(
        [.blob([0x61, 0xFF, 0x62]), .blob([0xFF])], as: Columns<String, [UInt8]>.self)
      #expect(columns.values == ("a\u{FFFD}b", [0xFF]))
    }
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `SQ-20 both decoders agree on random values`(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var statement = try makeReader()
    for _ in 0..<2000 {
      let value = random.nextValue()
      let found = try Readings(fromRowOf: value, by: &statement)
      let plain = try Readings(ofPlain: value)
      #expect(plain.agree(with: found), "\(value)")
    }
  }

  /// Checks what was read against SQLite's own conversions of an expression.
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

/// Random numbers that a seed determines.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A value of any class; texts and blobs look like numbers, more or less.
  mutating func nextValue() -> SQLiteValue {
    switch Int.random(in: 0..<7, using: &self) {
    case 0: .integer(Int64(bitPattern: next()) >> Int64.random(in: 0..<64, using: &self))
    case 1: .real(Double(bitPattern: next()))
    case 2: .real(Double(Int64(bitPattern: next())) / 1024)
    case 3: .blob(nextBytes(of: Array(0...255), atMost: 12))
    case 4: .blob(nextBytes(of: Array(" \t+-..eE0123456789\0x".utf8), atMost: 12))
    case 5: .text(nextText(of: " \t+-..eE012345678901234567890123456789\0x", atMost: 24))
    default: .text(nextText(of: "123456789", atMost: 14) + "." + nextNumeral())
    }
  }

  private mutating func nextNumeral() -> String {
    nextText(of: "0123456789", atMost: 14) + "e\(Int.random(in: -340...320, using: &self))"
  }

  private mutating func nextText(of alphabet: String, atMost count: Int) -> String {
    String(decoding: nextBytes(of: Array(alphabet.utf8), atMost: count), as: UTF8.self)
  }

  private mutating func nextBytes(of alphabet: [UInt8], atMost count: Int) -> [UInt8] {
    (0..<Int.random(in: 0...count, using: &self)).map { _ in
      alphabet[Int.random(in: 0..<alphabet.count, using: &self)]
    }
  }
}
