import Foundation
import SQLiteSwiftly
import SQLiteSwiftlyFoundation
import Testing

struct DataTests {
  @Test(
    arguments: [Data(), Data([0]), Data(0...255), Data([9, 1, 2, 3])[2...]],
    DecoderKind.inEveryMode)
  func `SQ-22 bytes are a blob and come back`(
    data: Data, reading: (kind: DecoderKind, mode: DecodingMode)
  ) throws {
    #expect(data.sqliteValue == .blob([UInt8](data)))
    #expect(try reading.kind.decode(data.sqliteValue, as: Data.self, reading.mode) == data)
    #expect(try reading.kind.decode(data.sqliteValue, as: Data?.self, reading.mode) == data)
  }

  @Test(arguments: DecoderKind.inEveryMode)
  func `SQ-23 NULL is nil, or an error if bytes are required`(
    kind: DecoderKind, mode: DecodingMode
  ) throws {
    #expect(try kind.decode(.null, as: Data?.self, mode) == nil)
    #expect(
      try kind.failure(of: .null, as: Data.self, mode)
        == "expected a value, found NULL; read it as an optional")
  }

  @Test(arguments: DecoderKind.allCases)
  func `SQ-23 another class is converted, or an error in strict mode`(kind: DecoderKind) throws {
    #expect(try kind.decode("Ä1", as: Data.self) == Data([0xc3, 0x84, 0x31]))
    #expect(try kind.decode(12, as: Data?.self) == Data("12".utf8))
    for (value, phrase) in [("Ä1", "text"), (12, "an integer"), (1.5, "a real")]
      as [(SQLiteValue, String)]
    {
      let message = "expected a blob, found \(phrase)"
      #expect(try kind.failure(of: value, as: Data.self, .strict) == message)
      #expect(try kind.failure(of: value, as: Data?.self, .strict) == message)
    }
  }
}
