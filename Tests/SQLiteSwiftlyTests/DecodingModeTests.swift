import SQLiteSwiftly
import Testing

private enum Relation: String, QueryDecodableValue, SQLiteValueConvertible {
  case print = "P"
  case mold = "M"
}

private enum Level: Int, QueryDecodableValue, SQLiteValueConvertible {
  case low = 1
  case high = 2
}

/// The failure of a decoder, for any error type.
private enum Failing: Equatable {
  case missingValue
  case unknownValue
  case otherClass

  init(_ error: any Error) throws {
    switch error {
    case CellDecoder.Failure.problem(_, .missingValue): self = .missingValue
    case CellDecoder.Failure.problem(_, .unknownValue): self = .unknownValue
    case CellDecoder.Failure.otherKind: self = .otherClass
    case let error as SQLiteError where error.code == .mismatch:
      if error.message.hasSuffix("expected a value, found NULL; read it as an optional") {
        self = .missingValue
      } else if error.message.contains("expected a case of ") {
        self = .unknownValue
      } else {
        #expect(error.message.contains(", found "))
        self = .otherClass
      }
    default: throw error
    }
  }
}

struct DecodingModeTests {
  static let kinds = DecoderKind.allCases
  static let everyCase = kinds.flatMap { kind in
    [DecodingMode.lenient, .strict].map { (kind, $0) }
  }

  /// How decoding `values` fails.
  private func failing<Value: QueryDecodable>(
    _ kind: DecoderKind, _ values: [SQLiteValue], as type: Value.Type, _ mode: DecodingMode,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Failing {
    let error = try #require(throws: (any Error).self, sourceLocation: sourceLocation) {
      _ = try kind.decode(values, as: type, mode)
    }
    return try Failing(error)
  }

  @Test(arguments: everyCase)
  func `SQ-23 NULL where a value is required is an error`(
    kind: DecoderKind, mode: DecodingMode
  ) throws {
    #expect(try failing(kind, [.null], as: Int.self, mode) == .missingValue)
    #expect(try failing(kind, [.null], as: Int64.self, mode) == .missingValue)
    #expect(try failing(kind, [.null], as: Double.self, mode) == .missingValue)
    #expect(try failing(kind, [.null], as: Bool.self, mode) == .missingValue)
    #expect(try failing(kind, [.null], as: String.self, mode) == .missingValue)
    #expect(try failing(kind, [.null], as: [UInt8].self, mode) == .missingValue)
    #expect(try failing(kind, [.null], as: Relation.self, mode) == .missingValue)
    #expect(try failing(kind, [1, .null], as: Columns<Int?, Level>.self, mode) == .missingValue)
  }

  @Test(arguments: everyCase)
  func `SQ-23 values of their own class, and NULL where it may be, are no error`(
    kind: DecoderKind, mode: DecodingMode
  ) throws {
    let row: [SQLiteValue] = [.blob([1]), 2.5, 3, "four", 2, 6]
    typealias Values = Columns<[UInt8]?, Double?, Int64?, String?, Bool?, Int?>
    #expect(try kind.decode(row, as: Values.self, mode).values == ([1], 2.5, 3, "four", true, 6))
    let nulls = [SQLiteValue](repeating: .null, count: 6)
    #expect(try kind.decode(nulls, as: Values.self, mode).values == (nil, nil, nil, nil, nil, nil))
  }

  /// Values, and the types that are of another class, in a strict mode.
  @Test(arguments: kinds)
  func `SQ-23 a value of another class is an error when decoding is strict`(
    kind: DecoderKind
  ) throws {
    func check<Value: QueryDecodableValue>(_ type: Value.Type, _ values: SQLiteValue...) throws {
      for value in values {
        #expect(try failing(kind, [value], as: type, .strict) == .otherClass, "\(type) \(value)")
        #expect(
          try failing(kind, [value], as: Value?.self, .strict) == .otherClass, "\(type) \(value)")
      }
    }
    try check(Int.self, 1.0, "1", .blob([0x31]))
    try check(Int64.self, 1.0, "1", .blob([0x31]))
    try check(Bool.self, 1.0, "1", .blob([0x31]))
    try check(Double.self, 1, "1", .blob([0x31]))
    try check(String.self, 1, 1.0, .blob([0x31]))
    try check([UInt8].self, 1, 1.0, "1")
    try check(Relation.self, 1, .blob([0x50]))
    try check(Level.self, "1", 1.0)
  }

  @Test(
    arguments: [
      (1, "an integer", "text"), (1.0, "a real", "text"), (.blob([]), "a blob", "text"),
    ] as [(SQLiteValue, String, String)])
  func `SQ-23 a strict error names the column and both classes`(
    value: SQLiteValue, found: String, expected: String
  ) throws {
    let connection = try Connection.inMemory()
    let query: SQL = "SELECT 'first', \(value) AS second"
    let error = try failure { _ = try connection.query(query, as: Columns<String, String>.self) }
    #expect(error.code == .mismatch && error.sql == query.text)
    #expect(error.message == "column 1 (second): expected \(expected), found \(found)")
    let plain = try failure {
      var decoder = ValueQueryDecoder(["first", value], decoding: .strict)
      _ = try Columns<String, String>(decoder: &decoder)
    }
    #expect(plain.code == .mismatch && plain.sql == nil)
    #expect(plain.message == "column 1: expected \(expected), found \(found)")
  }

  @Test(arguments: everyCase)
  func `SQ-23 enumerations are read by their raw values`(
    kind: DecoderKind, mode: DecodingMode
  ) throws {
    let row: [SQLiteValue] = ["M", 2, "P", 1, .null, .null]
    typealias Values = Columns<Relation, Level, Relation?, Level?, Relation?, Level?>
    let found = try kind.decode(row, as: Values.self, mode).values
    #expect(found == (.mold, .high, .print, .low, nil, nil))
  }

  @Test(arguments: kinds)
  func `SQ-23 the raw value of no case is nil, or an error when strict or required`(
    kind: DecoderKind
  ) throws {
    let row: [SQLiteValue] = ["X", 3, "m", 4]
    let found = try kind.decode(row, as: Columns<Relation?, Level?, Relation?, Int>.self).values
    #expect(found == (nil, nil, nil, 4))
    #expect(try failing(kind, ["X"], as: Relation?.self, .strict) == .unknownValue)
    #expect(try failing(kind, [3], as: Level?.self, .strict) == .unknownValue)
    for mode in [DecodingMode.lenient, .strict] {
      #expect(try failing(kind, ["X"], as: Relation.self, mode) == .unknownValue)
      #expect(try failing(kind, [3], as: Level.self, mode) == .unknownValue)
    }
  }

  @Test func `SQ-23 the error of a raw value names column and type`() throws {
    let connection = try Connection.inMemory()
    let error = try failure {
      _ = try connection.query("SELECT 1, 'X' AS relation", as: Columns<Int, Relation>.self)
    }
    #expect(error.message == "column 1 (relation): expected a case of Relation")
    #expect(error.code == .mismatch && error.sql == "SELECT 1, 'X' AS relation")
  }

  @Test func `SQ-22 SQ-23 enumerations are bound and converted as their raw values`() throws {
    let connection = try Connection.inMemory()
    let nothing: Relation? = nil
    let row = try connection.query("SELECT \(Relation.mold), \(Level.high), \(nothing)")[0]
    #expect(row == ["M", 2, .null])
    let lenient = try connection.query(
      "SELECT '2x', 2.9", as: Columns<Level, Level?>.self, decoding: .lenient)
    #expect(lenient[0].values == (.high, .high))
  }
}
