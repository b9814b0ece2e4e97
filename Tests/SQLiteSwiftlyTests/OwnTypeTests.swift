public import Foundation
public import SQLiteSwiftly
import Testing

// What a program that has Foundation writes for its own types.

extension Date: SQLiteValueConvertible, QueryDecodableValue {
  /// The form it is stored in.
  public var sqliteValue: SQLiteValue { .real(timeIntervalSince1970) }
  /// Reads the next column; NULL is nil.
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Date? {
    try decoder.decode(Double.self).map(Date.init(timeIntervalSince1970:))
  }
}

extension UUID: SQLiteValueConvertible, QueryDecodableValue {
  /// The form it is stored in.
  public var sqliteValue: SQLiteValue { .text(uuidString) }
  /// Reads the next column; NULL is nil.
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> UUID? {
    guard let text = try decoder.decode(String.self) else { return nil }
    guard let value = UUID(uuidString: text) else { throw decoder.failure(.unknownValue(text)) }
    return value
  }
}

struct OwnTypeTests {
  @Test(arguments: DecodingModeTests.everyCase)
  func `SQ-22 a date and a UUID take a conformance of their own`(
    kind: DecoderKind, mode: DecodingMode
  ) throws {
    let (date, id) = (Date(timeIntervalSince1970: 1_234_567_890.5), UUID())
    let row = [date.sqliteValue, id.sqliteValue, .null, .null]
    #expect(row == [1_234_567_890.5, .text(id.uuidString), .null, .null])
    let found = try kind.decode(row, as: Columns<Date, UUID, Date?, UUID?>.self, mode).values
    #expect(found == (date, id, nil, nil))
    #expect(throws: (any Error).self) { try kind.decode(["no UUID"], as: UUID.self, mode) }
  }

  @Test func `SQ-22 a date and a UUID are interpolated and read back`() throws {
    let connection = try Connection.inMemory()
    let (date, id, nothing) = (Date(timeIntervalSince1970: -0.25), UUID(), UUID?.none)
    let rows = try connection.query(
      "SELECT \(date), \(id), \(nothing), typeof(\(date)), typeof(\(id))",
      as: Columns<Date, UUID, UUID?, String, String>.self, .strict)
    #expect(rows[0].values == (date, id, nil, "real", "text"))
  }
}
