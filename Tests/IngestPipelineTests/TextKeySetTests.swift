@testable import Validation
import TestSupport
import Testing

@Suite struct TextKeySetTests {
  /// Texts of a few words, of which many are equal but for one byte.
  @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 17, 24, 100])
  func `texts of one size are distinguished`(size: Int) {
    var generator = SeededGenerator(seed: UInt64(size))
    var texts = [[UInt8](repeating: 0, count: size)]
    for place in 0..<size {
      texts.append(texts[0])
      texts[place + 1][place] = UInt8.random(in: 1...255, using: &generator)
    }
    // A zero after a text makes it another one.
    texts.append([UInt8](repeating: 0, count: size + 1))
    var keys = TextKeySet(seed: .fixed, memory: KeyMemory(limit: .max))
    for text in texts {
      let isNew = keys.insert(text.span)
      #expect(isNew)
    }
    #expect(keys.count == texts.count)
    for (ordinal, text) in texts.enumerated() {
      let found = keys.ordinal(of: text.span)
      #expect(found == ordinal)
      let isNew = keys.insert(text.span)
      #expect(!isNew)
    }
  }

  @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 17])
  func `bytes around a text do not matter`(size: Int) {
    var generator = SeededGenerator(seed: UInt64(size))
    let text = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var keys = TextKeySet(seed: .fixed, memory: KeyMemory(limit: .max))
    let isNew = keys.insert(text.span)
    #expect(isNew)
    for before in 0...9 {
      for after in 0...9 {
        let around = (0..<before + after).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let bytes = around[..<before] + text + around[before...]
        let place = before..<before + size
        let found = keys.ordinal(of: place, of: Array(bytes).span)
        #expect(found == 0, "\(before) before and \(after) after")
        let isNew = keys.insert(place, of: Array(bytes).span)
        #expect(!isNew)
      }
    }
  }

  /// Only a comparison of all their bytes tells them apart.
  @Test(arguments: LongTests.areOn ? [8, 12, 16, 17, 24, 31] : [8, 17])
  func `texts of one hash are distinguished`(size: Int) throws {
    var generator = SeededGenerator(seed: UInt64(size))
    var firstOfHash: [UInt64: [UInt8]] = [:]
    var pairs: [([UInt8], [UInt8])] = []
    // Among so many texts about five pairs have one hash, of 32 bits.
    for _ in 0..<200_000 {
      let number = generator.next()
      var text = [UInt8](repeating: 0, count: size)
      for byte in 0..<8 { text[size - 1 - byte] = UInt8(truncatingIfNeeded: number >> (8 * byte)) }
      let hash = TextKeySet.Key(0..<size, of: text.span, .fixed).hash
      if let first = firstOfHash.updateValue(text, forKey: hash) { pairs.append((first, text)) }
    }
    try #require(!pairs.isEmpty)
    for (first, second) in pairs {
      var keys = TextKeySet(seed: .fixed, memory: KeyMemory(limit: .max))
      _ = keys.insert(first.span)
      let ordinalBefore = keys.ordinal(of: second.span)
      #expect(ordinalBefore == nil)
      var found: [UInt64] = [0]
      var ordinals = found.mutableSpan
      keys.findMost(of: [TextKeySet.Key(0..<size, of: second.span, .fixed)].span, &ordinals)
      #expect(found == [TextKeySet.unknown])
      let isNew = keys.insert(second.span)
      #expect(isNew)
      let ordinal = keys.ordinal(of: second.span)
      #expect(ordinal == 1)
    }
  }

  @Test func `the set grows and keeps the ordinals`() {
    let texts = (0..<50_000).map { "part \($0)" }
    var keys = TextKeySet(seed: .fixed, memory: KeyMemory(limit: .max))
    #expect(texts.count { keys.insert($0.utf8.span) } == texts.count)
    #expect(texts.map { keys.ordinal(of: $0.utf8.span) } == Array(0..<texts.count))
    let unknown = keys.ordinal(of: "part 50000".utf8.span)
    #expect(unknown == nil)
    #expect(keys.ordinalBits == 16)
  }
}
