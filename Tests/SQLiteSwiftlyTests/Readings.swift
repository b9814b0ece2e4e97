import SQLiteSwiftly

/// The results of reading one column of any storage class in lenient mode.
struct Readings: Equatable {
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

  /// A statement whose columns are all its parameter: each conversion is made of the value as it was.
  static func makeReader() throws -> PreparedStatement {
    try Connection.inMemory().prepare("SELECT ?1, ?1, ?1, ?1, ?1")
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
