import SQLiteSwiftly
import Testing

/// The rules for every decoder.
struct DecoderTests {
  typealias Bytes = [UInt8]
  static let kinds = DecoderKind.allCases

  @Test(arguments: kinds)
  func `SQ-3 SQ-4 a decoder begins with the first column`(kind: DecoderKind) throws {
    #expect(try kind.decode([7, 8, 9], as: Int.self) == 7)
  }

  @Test(arguments: kinds)
  func `SQ-2 SQ-5 SQ-6 each of the six calls reads one column`(kind: DecoderKind) throws {
    let row: [SQLiteValue] = [.blob([1, 0]), 2.5, -3, "four", 1, 6]
    let columns = try kind.decode(row, as: Columns<Bytes, Double, Int64, String, Bool, Int>.self)
    #expect(columns.values == ([1, 0], 2.5, -3, "four", true, 6))
  }

  @Test(arguments: kinds)
  func `SQ-6 SQ-7 a NULL is one column, too, for any requested type`(kind: DecoderKind) throws {
    func check<Value: QueryDecodableValue & Equatable>(_ type: Value.Type) throws {
      let columns = try kind.decode([1, .null, 3], as: Columns<Int, Value?, Int>.self).values
      #expect(columns == (1, nil, 3), "\(type)")
    }
    try check(Bytes.self)
    try check(Double.self)
    try check(Int64.self)
    try check(String.self)
    try check(Bool.self)
    try check(Int.self)
  }

  @Test(arguments: kinds)
  func `SQ-8 a truth value and an integer are one column each`(kind: DecoderKind) throws {
    let columns = try kind.decode([1, 20, 0, 40, 5], as: Columns<Bool, Int, Bool, Int, Int64>.self)
    #expect(columns.values == (true, 20, false, 40, 5))
  }

  @Test(arguments: kinds)
  func `SQ-9 NULL is nil for all six types`(kind: DecoderKind) throws {
    let row = [SQLiteValue](repeating: .null, count: 6)
    let columns = try kind.decode(
      row, as: Columns<Bytes?, Double?, Int64?, String?, Bool?, Int?>.self)
    #expect(columns.values == (nil, nil, nil, nil, nil, nil))
  }

  @Test(arguments: kinds)
  func `SQ-10 zero and empty values are not nil`(kind: DecoderKind) throws {
    let row: [SQLiteValue] = [.blob([]), 0.0, 0, "", 0, 0]
    let columns = try kind.decode(
      row, as: Columns<Bytes?, Double?, Int64?, String?, Bool?, Int?>.self)
    #expect(columns.values == ([], 0, 0, "", false, 0))
  }

  @Test(arguments: kinds)
  func `SQ-16 a truth value is whether the integer is not 0`(kind: DecoderKind) throws {
    #expect(try !kind.decode([0], as: Bool.self))
    for value: Int64 in [1, -1, 2, .max, .min, 1 << 32] {
      #expect(try kind.decode([.integer(value)], as: Bool.self), "\(value)")
    }
  }

  @Test(arguments: kinds)
  func `SQ-20 columns at the end may be left unread`(kind: DecoderKind) throws {
    #expect(try kind.decode([1, "two", 3.5], as: Columns<Int, String>.self).values == (1, "two"))
  }

  @Test(arguments: kinds)
  func `SQ-20 a missing column is an error, also for optional types`(kind: DecoderKind)
    throws
  {
    let errors: [any Error] = [
      try #require(throws: (any Error).self) {
        _ = try kind.decode([1, 2], as: Columns<Int, Int, Int>.self)
      },
      try #require(throws: (any Error).self) {
        _ = try kind.decode([1, 2], as: Columns<Int, Int, String?>.self)
      },
    ]
    for error in errors {
      switch kind {
      case .double: #expect(error as? CellDecoder.Failure == .noColumn(2))
      case .row, .values:
        let error = try #require(error as? SQLiteError)
        #expect(error.code == .range)
        #expect(error.message == "no column 2 in the row (it has 2 columns)")
      }
    }
  }
}

/// A model that is read from several columns, one of them another model.
private struct Part: QueryDecodable, Equatable {
  struct Color: QueryDecodable, Equatable {
    var id: Int
    var name: String?

    init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
      decoder: inout Decoder
    ) throws(Decoder.Failure) {
      id = try Int(decoder: &decoder)
      name = try decoder.decode(String.self)
    }
  }

  var number: String
  var color: Color
  var isSpare: Bool

  init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    decoder: inout Decoder
  ) throws(Decoder.Failure) {
    number = try String(decoder: &decoder)
    color = try Color(decoder: &decoder)
    isSpare = try Bool(decoder: &decoder)
  }
}

struct ModelDecodingTests {
  @Test(arguments: DecoderKind.allCases)
  func `SQ-18 SQ-20 models nest, and each continues where the last one ended`(kind: DecoderKind)
    throws
  {
    let row: [SQLiteValue] = ["3001", 4, .null, 1, "3002", 5, "Red", 0]
    let (first, second) = try kind.decode(row, as: Columns<Part, Part>.self).values
    #expect(first.number == "3001" && first.color.id == 4 && first.color.name == nil)
    #expect(first.isSpare)
    #expect(second.number == "3002" && second.color.id == 5 && second.color.name == "Red")
    #expect(!second.isSpare)
  }

  @Test func `SQ-18 SQ-19 each row is read from its first column on`() throws {
    let connection = try Connection.inMemory()
    let query: SQL = """
      WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 999)
      SELECT 'part ' || i, i % 7, iif(i % 2, 'odd', NULL), i % 3 FROM n
      """
    let parts = try connection.query(query, as: Part.self)
    #expect(parts.count == 1000)
    for (index, part) in parts.enumerated() {
      #expect(part.number == "part \(index)" && part.color.id == index % 7)
      #expect(part.color.name == (index % 2 == 1 ? "odd" : nil) && part.isSpare == (index % 3 != 0))
    }
    let values = try connection.query(query).map { row throws(SQLiteError) in
      var decoder = ValueQueryDecoder(row)
      return try Part(decoder: &decoder)
    }
    #expect(values == parts)
  }
}
