@testable import Validation
import TestSupport
import Testing

@Suite struct GroupedKeySetTests {
  /// How keys can come: each group as a whole, or some that were there before once more.
  @Test(
    arguments: [
      (UInt64(1), 12, 20, 0), (2, 12, 20, 1), (3, 12, 20, 300), (4, 23, 40, 2), (5, 23, 41, 0),
      (6, 24, 8, 0), (7, 40, 24, 1), (8, 1, 62, 0), (9, 1, 63, 0), (10, 63, 1, 3), (11, 1, 10, 5),
    ])
  func `it agrees with the standard library's set`(
    seed: UInt64, groupBits: Int, memberBits: Int, returns: Int
  ) {
    var generator = SeededGenerator(seed: seed)
    var keys = GroupedKeySet(
      groupBits: groupBits, memberBits: memberBits, seed: .fixed, memory: KeyMemory(limit: .max))
    var model: Set<UInt64> = []
    let lastGroup = UInt64.max >> UInt64(64 - groupBits)
    let lastMember = UInt64.max >> UInt64(64 - memberBits)
    var groups = Set((0..<300).map { _ in UInt64.random(in: 0...lastGroup, using: &generator) })
    groups.formUnion([0, lastGroup])
    var order = groups.shuffled(using: &generator)
    for _ in 0..<returns { order.append(order.randomElement(using: &generator) ?? 0) }
    var mistakes = 0
    for group in order {
      // Few members to choose from, so that many come twice, whatever the size of the group.
      for _ in 0..<Int.random(in: 1...200, using: &generator) {
        let distance = min(lastMember, UInt64.random(in: 0...100, using: &generator))
        let member = Bool.random(using: &generator) ? distance : lastMember - distance
        let key = group << UInt64(memberBits) | member
        if keys.contains(key) != model.contains(key) { mistakes += 1 }
        if keys.insert(key) != model.insert(key).inserted { mistakes += 1 }
      }
    }
    #expect(mistakes == 0)
    #expect(keys.count == model.count)
  }

  @Test func `a lookup adds nothing in any group`() {
    var keys = GroupedKeySet(
      groupBits: 4, memberBits: 8, seed: .fixed, memory: KeyMemory(limit: .max))
    for key: UInt64 in [0x101, 0x102, 0x201] { _ = keys.insert(key) }
    let looked: [UInt64] = [0x201, 0x202, 0x300, 0x101, 0x103, 0x301, 0x201, 0x202, 0]
    #expect(looked.map { keys.contains($0) } == looked.map { [0x101, 0x201].contains($0) })
    #expect(keys.count == 3)
    let isNew = keys.insert(0x103)
    #expect(isNew)
    let isNewAgain = keys.insert(0x102)
    #expect(!isNewAgain)
  }

  @Test func `a group may have any number of members`() {
    var keys = GroupedKeySet(
      groupBits: 4, memberBits: 32, seed: .fixed, memory: KeyMemory(limit: .max))
    let groups: [UInt64] = [15, 0, 3]
    let members = (0..<50_000).map { UInt64($0) * 77_777 }
    for group in groups {
      for isNew in [true, false] {
        #expect(members.allSatisfy { keys.insert(group << 32 | $0) == isNew })
      }
    }
    #expect(keys.count == 150_000)
    for group in groups {
      #expect(members.allSatisfy { !keys.insert(group << 32 | $0) })
    }
    let isNew = keys.insert(15 << 32 | 1)
    #expect(isNew)
    #expect(keys.count == 150_001)
  }
}
