public import Foundation
public import SQLiteSwiftly
import Testing

// A program's conformances for types of other libraries.

extension Duration: SQLiteValueConvertible, QueryDecodableValue {
  /// The form it is stored in.
  public var sqliteValue: SQLiteValue { .real(self / .seconds(1)) }
  /// Reads the next column; NULL is nil.
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> Duration? {
    try decoder.decode(Double.self).map { .seconds($0) }
  }
}

extension TimeZone: SQLiteValueConvertible, QueryDecodableValue {
  /// The form it is stored in.
  public var sqliteValue: SQLiteValue { .text(identifier) }
  /// Reads the next column; NULL is nil.
  public static func decodeIfPresent<Decoder: QueryDecoder & ~Copyable & ~Escapable>(
    from decoder: inout Decoder
  ) throws(Decoder.Failure) -> TimeZone? {
    guard let text = try decoder.decode(String.self) else { return nil }
    guard let value = TimeZone(identifier: text) else {
      throw decoder.failure(.invalidValue(expected: "a time zone"))
    }
    return value
  }
}

struct OwnTypeTests {
  private let zone: TimeZone

  init() throws { zone = try #require(TimeZone(identifier: "GMT+0100")) }

  @Test(arguments: DecodingModeTests.everyCase)
  func `SQ-22 a duration and a time zone need their own conformance`(
    kind: DecoderKind, mode: DecodingMode
  ) throws {
    let duration = Duration.seconds(1_234_567) + .milliseconds(500)
    let row = [duration.sqliteValue, zone.sqliteValue, .null, .null]
    #expect(row == [1_234_567.5, .text(zone.identifier), .null, .null])
    typealias Values = Columns<Duration, TimeZone, Duration?, TimeZone?>
    #expect(try kind.decode(row, as: Values.self, mode).values == (duration, zone, nil, nil))
  }

  @Test func `SQ-22 a duration and a time zone are interpolated and read back`() throws {
    let connection = try Connection.inMemory()
    let (duration, nothing) = (Duration.milliseconds(-250), TimeZone?.none)
    let rows = try connection.query(
      "SELECT \(duration), \(zone), \(nothing), typeof(\(duration)), typeof(\(zone))",
      as: Columns<Duration, TimeZone, TimeZone?, String, String>.self)
    #expect(rows[0].values == (duration, zone, nil, "real", "text"))
  }

  @Test(arguments: DecodingModeTests.everyCase)
  func `SQ-23 a value of no form of the type is an error, never nil`(
    kind: DecoderKind, mode: DecodingMode
  ) throws {
    for row: [SQLiteValue] in [["Nowhere"], [""]] {
      for isOptional in [false, true] {
        let error = try #require(throws: (any Error).self) {
          if isOptional {
            _ = try kind.decode(row, as: TimeZone?.self, mode)
          } else {
            _ = try kind.decode(row, as: TimeZone.self, mode)
          }
        }
        try check(error, kind, value: row[0].textValue ?? "")
      }
    }
  }

  private func check(_ error: any Error, _ kind: DecoderKind, value: String) throws {
    let message = "expected a time zone"
    switch kind {
    case .row:
      let error = try #require(error as? SQLiteError)
      #expect(error.code == .mismatch && error.message == "column 0 (?): \(message)")
    case .values:
      #expect(error as? SQLiteError == SQLiteError(.mismatch, "column 0: \(message)"))
    case .double:
      let problem = QueryDecodingProblem.invalidValue(expected: "a time zone")
      #expect(error as? CellDecoder.Failure == .problem(0, problem))
    }
  }
}
