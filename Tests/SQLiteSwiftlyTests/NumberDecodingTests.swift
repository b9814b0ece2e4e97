import SQLiteSwiftly
import Testing

/// Numbers of each type of Swift's, read and written.
struct NumberDecodingTests {
  static let everyCase = DecodingModeTests.everyCase

  /// Checks the bounds of a type, and the numbers beyond them.
  private func check<Number: FixedWidthInteger & QueryDecodableValue & SQLiteValueConvertible>(
    _ type: Number.Type, _ kind: DecoderKind, _ mode: DecodingMode
  ) throws {
    let (least, most) = (Int64(clamping: Number.min), Int64(clamping: Number.max))
    for number in [least, most, 0, 1] {
      let read = try kind.decode([.integer(number)], as: Number.self, mode)
      #expect(read == Number(number))
      #expect(try read.sqliteValue == .integer(number))
      #expect(try kind.decode([.integer(number)], as: Number?.self, mode) == Number(number))
    }
    #expect(try kind.decode([.null], as: Number?.self, mode) == nil)
    for number in [least.subtractingReportingOverflow(1), most.addingReportingOverflow(1)]
    where !number.overflow {
      let error = try #require(throws: (any Error).self) {
        _ = try kind.decode([.integer(number.partialValue)], as: Number?.self, mode)
      }
      let kindOfNumber = Number.isSigned ? "an integer" : "an unsigned integer"
      let expected = "\(kindOfNumber) of \(Number.bitWidth) bits"
      #expect(
        "\(error)".contains("expected \(expected)")
          || error as? CellDecoder.Failure
            == .problem(0, .invalidValue(expected: expected))
      )
    }
  }

  @Test(arguments: everyCase)
  func `an integer beyond its type is an error in every mode`(
    kind: DecoderKind, mode: DecodingMode
  ) throws {
    try check(Int.self, kind, mode)
    try check(Int8.self, kind, mode)
    try check(Int16.self, kind, mode)
    try check(Int32.self, kind, mode)
    try check(Int64.self, kind, mode)
    try check(Int128.self, kind, mode)
    try check(UInt.self, kind, mode)
    try check(UInt8.self, kind, mode)
    try check(UInt16.self, kind, mode)
    try check(UInt32.self, kind, mode)
    try check(UInt64.self, kind, mode)
    try check(UInt128.self, kind, mode)
  }

  @Test(arguments: everyCase)
  func `a finite number beyond Float is an error, and others are rounded`(
    kind: DecoderKind, mode: DecodingMode
  ) throws {
    let numbers: [(Double, Float)] = [
      (0.1, 0.1), (-0.0, -0.0), (.infinity, .infinity), (-.infinity, -.infinity),
      (Double(Float.greatestFiniteMagnitude), .greatestFiniteMagnitude), (1e-60, 0),
      // Just below half of the distance to the next number.
      (0x1.fffffefffffffp127, .greatestFiniteMagnitude),
    ]
    for (number, expected) in numbers {
      #expect(try kind.decode([.real(number)], as: Float.self, mode) == expected)
    }
    #expect(try kind.decode([.null], as: Float?.self, mode) == nil)
    for number in [1e39, -1e39, 0x1.ffffffp127, .greatestFiniteMagnitude] {
      let error = try #require(throws: (any Error).self) {
        _ = try kind.decode([.real(number)], as: Float?.self, mode)
      }
      #expect(
        "\(error)".contains("expected a number of 32 bits")
          || error as? CellDecoder.Failure
            == .problem(0, .invalidValue(expected: "a number of 32 bits"))
      )
    }
  }
}
