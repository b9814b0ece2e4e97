import TestSupport
import Testing

@testable import SQLiteFormat

struct KeySorterTests {
  /// Sorts, and compares the result with that of a plain stable sort.
  private func expectSorted(_ keys: [[UInt8]], capacity: Int? = nil) {
    // Something lies between the keys.
    let buffer = ByteBuffer(keys.flatMap { [0xee] + $0 } + [0xee])
    var sorter = KeySorter(capacity: capacity ?? keys.count)
    // A sorter is used again.
    for _ in 0..<2 {
      var start = 1
      for key in keys {
        sorter.add(start..<start + key.count, of: buffer)
        start += key.count + 1
      }
      #expect(sorter.count == keys.count)
      sorter.sort(buffer)
      let found = (0..<sorter.count).map(sorter.range)
      #expect(found.map { buffer.bytes($0) } == keys.sorted { $0.lexicographicallyPrecedes($1) })
      for (place, next) in zip(found, found.dropFirst())
      where buffer.bytes(place) == buffer.bytes(next) {
        #expect(place.lowerBound < next.lowerBound)
      }
      sorter.removeAll()
    }
  }

  /// A key that is the beginning of no other: it ends with the only zero.
  private func key(_ most: Int, _ letters: UInt8, _ random: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 0...most, using: &random)).map { _ in
      255 - UInt8.random(in: 0..<letters, using: &random)
    } + [0]
  }

  @Test(arguments: [0, 1, 2, 3, 31, 32, 33, 64, 65, 1000])
  func `keys that share their first eight bytes`(count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    for letters in [1, 2, 255] as [UInt8] {
      expectSorted((0..<count).map { _ in Array("12345678".utf8) + key(20, letters, &random) })
    }
  }

  @Test func `groups of keys that share their first eight bytes`() {
    var random = SeededGenerator(seed: 7)
    var keys: [[UInt8]] = []
    for (group, count) in [2, 32, 33, 1000, 1, 40].enumerated() {
      let prefix = (0..<8).map { _ in UInt8.random(in: 1...255, using: &random) }
      keys += (0..<count).map { _ in prefix + key(group * 3, 3, &random) }
    }
    expectSorted(keys.shuffled(using: &random), capacity: 5000)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `any keys`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let most = Int.random(in: 0...30, using: &random)
    let letters = UInt8.random(in: 1...255, using: &random)
    expectSorted(
      (0..<Int.random(in: 1...1000, using: &random)).map { _ in key(most, letters, &random) })
  }

  @Test func `each byte of the first eight counts`() {
    let keys = (0..<8).flatMap { place in
      ([0, 1, 0x7f, 0x80, 0xff] as [UInt8]).map { byte in
        var key = [UInt8](repeating: 0x40, count: 9)
        key[place] = byte
        return key
      }
    }
    expectSorted(keys)
    expectSorted(keys.reversed())
  }
}
