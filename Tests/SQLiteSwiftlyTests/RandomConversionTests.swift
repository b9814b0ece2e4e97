import SQLiteSwiftly
import Testing

struct RandomConversionTests {
  @Test(arguments: 0..<8 as Range<UInt64>)
  func `SQ-20 both decoders agree on random values`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var statement = try Readings.makeReader()
    for _ in 0..<2000 {
      let value = random.nextValue()
      let found = try Readings(fromRowOf: value, by: &statement)
      let plain = try Readings(ofPlain: value)
      #expect(plain.agree(with: found), "\(value)")
    }
  }
}

extension SeededGenerator {
  /// A value of any class; texts and blobs look like numbers, more or less.
  fileprivate mutating func nextValue() -> SQLiteValue {
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
