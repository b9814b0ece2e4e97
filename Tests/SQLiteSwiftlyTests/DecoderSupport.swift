import SQLiteSwiftly

/// The types after a decoder in the tests for all decoders.
enum DecoderKind: CaseIterable {
  /// A row of a SELECT of SQLite's.
  case row
  /// Values, without a database.
  case values
  /// A conformance that does not depend on SQLite.
  case double

  /// Decodes one row of `values`.
  func decode<Value: QueryDecodable>(
    _ values: [SQLiteValue], as type: Value.Type = Value.self, _ mode: DecodingMode = .lenient
  ) throws -> Value {
    switch self {
    case .row: return try decodeRow(values, as: type, mode)
    case .values:
      var decoder = ValueQueryDecoder(values, decoding: mode)
      return try Value(decoder: &decoder)
    case .double:
      var decoder = CellDecoder(values.map(Cell.init), isStrict: mode == .strict)
      return try Value(decoder: &decoder)
    }
  }

  private func decodeRow<Value: QueryDecodable>(
    _ values: [SQLiteValue], as type: Value.Type, _ mode: DecodingMode
  ) throws -> Value {
    let marks = repeatElement("?", count: values.count).joined(separator: ", ")
    var statement = try Connection.inMemory().prepare(SQL(generated: "SELECT " + marks))
    var cursor = statement.rows(SQLParameters(values))
    guard let row = try cursor.next() else { throw CellDecoder.Failure.noColumn(0) }
    var decoder = row.decoder(decoding: mode)
    return try Value(decoder: &decoder)
  }
}

/// A row's columns, each read as its own type.
struct Columns<each Column: QueryDecodable>: QueryDecodable {
  let values: (repeat each Column)

  init<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    decoder: inout Decoder
  ) throws(Decoder.Failure) {
    values = (repeat try (each Column)(decoder: &decoder))
  }
}

/// The content of a column, for a driver other than SQLite's.
enum Cell: Equatable {
  case nothing
  case number(Int64)
  case fraction(Double)
  case word(String)
  case bytes([UInt8])

  init(_ value: SQLiteValue) {
    self =
      switch value {
      case .null: .nothing
      case .integer(let value): .number(value)
      case .real(let value): .fraction(value)
      case .text(let value): .word(value)
      case .blob(let value): .bytes(value)
      }
  }
}

/// A decoder over cells, with its own error and without conversions: the minimal conformance.
struct CellDecoder: QueryDecoder {
  enum Failure: Error, Equatable {
    case noColumn(Int)
    case otherKind(Int)
    case problem(Int, QueryDecodingProblem)
  }

  let isStrict: Bool
  private let cells: [Cell]
  private var index = 0

  init(_ cells: [Cell], isStrict: Bool) {
    self.cells = cells
    self.isStrict = isStrict
  }

  mutating func decode(_ type: [UInt8].Type) throws(Failure) -> [UInt8]? {
    try next { if case .bytes(let value) = $0 { value } else { nil } }
  }

  mutating func decode(_ type: Double.Type) throws(Failure) -> Double? {
    try next { if case .fraction(let value) = $0 { value } else { nil } }
  }

  mutating func decode(_ type: Int64.Type) throws(Failure) -> Int64? {
    try next { if case .number(let value) = $0 { value } else { nil } }
  }

  mutating func decode(_ type: String.Type) throws(Failure) -> String? {
    try next { if case .word(let value) = $0 { value } else { nil } }
  }

  mutating func decode(_ type: Bool.Type) throws(Failure) -> Bool? {
    try decode(Int64.self).map { $0 != 0 }
  }

  mutating func decode(_ type: Int.Type) throws(Failure) -> Int? {
    try decode(Int64.self).map { Int($0) }
  }

  func failure(_ problem: QueryDecodingProblem) -> Failure { .problem(index - 1, problem) }

  private mutating func next<Value>(_ value: (Cell) -> Value?) throws(Failure) -> Value? {
    guard index < cells.count else { throw .noColumn(index) }
    defer { index += 1 }
    if cells[index] == .nothing { return nil }
    guard let value = value(cells[index]) else { throw .otherKind(index) }
    return value
  }
}
