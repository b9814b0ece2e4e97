/// Reads the columns of a row of values, without a database.
///
/// By default it converts values as SQLite does, so decoding can be tested with plain values, and rows that
/// were read before can be decoded later. Text with a number becomes the nearest floating-point
/// number; SQLite may miss it by one unit in the last place.
///
/// ```swift
/// var decoder = ValueQueryDecoder(["Rubber", .null, "12"])
/// let material = try Material(decoder: &decoder)
/// let weight = try decoder.decode(Double.self)
/// let count = try decoder.decode(Int.self)
/// ```
public struct ValueQueryDecoder: QueryDecoder {
  private let values: [SQLiteValue]
  private var index = 0
  /// Whether the caller adds the name of the one column to errors.
  @usableFromInline var isNamed = false
  /// Whether a value of another storage class is an error.
  public let isStrict: Bool

  /// Creates a decoder for the values of one row, in the order of the columns.
  public init(_ values: [SQLiteValue], decoding mode: DecodingMode = .lenient) {
    self.values = values
    isStrict = mode == .strict
  }

  /// Reads the next column as bytes; text is read as UTF-8.
  public mutating func decode(_ type: [UInt8].Type) throws(SQLiteError) -> [UInt8]? {
    try next(.blob)?.convertedToBytes
  }

  /// Reads the next column as a floating-point number.
  public mutating func decode(_ type: Double.Type) throws(SQLiteError) -> Double? {
    try next(.real)?.convertedToReal
  }

  /// Reads the next column as an integer of 64 bits.
  public mutating func decode(_ type: Int64.Type) throws(SQLiteError) -> Int64? {
    try next(.integer)?.convertedToInteger
  }

  /// Reads the next column as text; U+FFFD replaces bytes that are not UTF-8.
  public mutating func decode(_ type: String.Type) throws(SQLiteError) -> String? {
    try next(.text)?.convertedToText
  }

  /// Reads the next column as a truth value: false for 0, otherwise true.
  public mutating func decode(_ type: Bool.Type) throws(SQLiteError) -> Bool? {
    try decode(Int64.self).map { $0 != 0 }
  }

  /// Reads the next column as an integer.
  public mutating func decode(_ type: Int.Type) throws(SQLiteError) -> Int? {
    try decode(Int64.self).map { Int($0) }
  }

  /// Returns an error for the column that was read last.
  public func failure(_ problem: QueryDecodingProblem) -> SQLiteError {
    SQLiteError(.mismatch, "\(place)\(problem.message)")
  }

  private var place: String { isNamed ? "" : "column \(index - 1): " }

  private mutating func next(_ expected: StorageClass) throws(SQLiteError) -> SQLiteValue? {
    guard index < values.count else {
      throw SQLiteError(
        .range, "no column \(index) in the row (it has \(counted(values.count, "column")))")
    }
    let value = values[index]
    index += 1
    let found = value.storageClass
    if found == .null { return nil }
    guard !isStrict || found == expected else {
      throw SQLiteError(.mismatch, "\(place)\(found.mismatch(expected))")
    }
    return value
  }
}
