@testable import Validation
import TestSupport
import Testing

@Suite struct KeySetTests {
  @Test(arguments: [UInt64(1), 2, 3])
  func `a set of integers agrees with the standard library's`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var keys = IntegerKeySet(seed: .fixed, memory: KeyMemory(limit: .max))
    var model: Set<UInt64> = []
    let edges: [UInt64] = [0, 1, .max, .max - 1, 1 << 63]
    var mistakes = 0
    for round in 0..<20_000 {
      let key =
        round.isMultiple(of: 50)
        ? edges[Int.random(in: 0..<edges.count, using: &generator)]
        : UInt64.random(in: 0..<15_000, using: &generator)
          &* (round.isMultiple(of: 2) ? 1 : 1 << 40)
      if (keys.ordinal(of: key) != nil) != model.contains(key) { mistakes += 1 }
      if keys.insert(key) != model.insert(key).inserted { mistakes += 1 }
    }
    #expect(mistakes == 0)
    #expect(keys.count == model.count)
    let ordinals = Set(model.compactMap { keys.ordinal(of: $0) })
    #expect(ordinals.count == model.count)
    #expect(ordinals.allSatisfy { $0 >= 0 && $0 < 1 << keys.ordinalBits })
  }

  @Test(arguments: [UInt64(4), 5, 6])
  func `a set of texts agrees with the standard library's`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var keys = TextKeySet(seed: .fixed, memory: KeyMemory(limit: .max))
    var model: [[UInt8]: Int] = [:]
    var mistakes = 0
    for _ in 0..<20_000 {
      let length = Int.random(in: 0...6, using: &generator)
      let key = (0..<length).map { _ in UInt8.random(in: 0...3, using: &generator) }
      if keys.ordinal(of: key.span) != model[key] { mistakes += 1 }
      let isNew = keys.insert(key.span)
      if isNew != (model[key] == nil) { mistakes += 1 }
      if isNew { model[key] = model.count }
    }
    #expect(mistakes == 0)
    #expect(keys.count == model.count)
    #expect(model.values.allSatisfy { $0 < 1 << keys.ordinalBits })
  }

  @Test(arguments: [0, 1, 12, 13, 24, 25, 1000])
  func `space for integers can be reserved`(count: Int) {
    var keys = IntegerKeySet(capacity: count, seed: .fixed, memory: KeyMemory(limit: .max))
    let ordinalBits = keys.ordinalBits
    #expect((0..<UInt64(count)).count { keys.insert($0) } == count)
    #expect(keys.ordinalBits == ordinalBits)
  }
}
