@testable import Validation
import TestSupport
import Testing

extension HashSeed {
  /// The same for every run of the tests.
  static var fixed: HashSeed {
    var generator = SeededGenerator(seed: 1)
    return HashSeed(using: &generator)
  }
}

/// Keys that somebody has chosen who knows how they are hashed, but not the seed.
@Suite struct HashSeedTests {
  /// Families of keys that a fixed multiplier, or a mask, would put into one slot.
  @Test(
    arguments: [
      // Multiples of the inverse of 2^64 over the golden ratio, the multiplier of Knuth.
      { $0 &* 0xf1de_83e1_9937_733d }, { $0 }, { $0 << 44 }, { $0 << 32 | $0 }, { 0 &- $0 },
      { $0 &* 0xf1de_83e1_9937_733d << 20 }, { $0.byteSwapped },
    ] as [@Sendable (UInt64) -> UInt64])
  func `no pattern of keys shares one slot`(key: @Sendable (UInt64) -> UInt64) {
    for state: UInt64 in 0..<(LongTests.areOn ? 20 : 2) {
      var generator = SeededGenerator(seed: state)
      let seed = HashSeed(using: &generator)
      var loads = [Int](repeating: 0, count: 1 << 14)
      var low = loads
      for number: UInt64 in 1...10_000 {
        loads[Int(seed.hash(of: key(number)) & 0x3fff)] += 1
        var text: [UInt8] = []
        // The third word of a text is mixed apart from the first two.
        for shift in 0..<24 {
          text.append(shift < 16 ? 65 : UInt8(key(number) >> (8 * (UInt64(shift) - 16)) & 255))
        }
        low[Int(TextKeySet.Key(0..<24, of: text.span, seed).hash & 0x3fff)] += 1
      }
      #expect(loads.max() ?? 0 < 64 && low.max() ?? 0 < 64)
    }
  }

  @Test func `each run has its own seed`() {
    let seeds = (0..<100).map { _ in HashSeed() }
    #expect(Set(seeds.map(\.first)).count == 100 && Set(seeds.map(\.third)).count == 100)
    #expect(Set(seeds.map { $0.hash(of: 1) }).count == 100)
  }
}
