import Glibc
import SQLiteSwiftly
import TestSupport
import Testing
@testable import SQLiteFormat

/// An older file with any contents: they must not end the run, hang it, or change the results for the new one.
struct DamagedOldTableTests {
  /// Variable-length integers at which sums, products and signs go wrong.
  private static let hostileNumbers: [[UInt8]] = [
    [UInt8](repeating: 0xff, count: 9),
    // The lowest and the highest 64 bits.
    [0xc0] + [UInt8](repeating: 0x80, count: 7) + [0],
    [0xbf] + [UInt8](repeating: 0xff, count: 8),
    [0xbf] + [UInt8](repeating: 0xff, count: 7) + [0xfe],
    // 2^63 - 13, 2^62, 2^32 and 2^31 - 1.
    [0xbf] + [UInt8](repeating: 0xff, count: 7) + [0xf3],
    [0xa0] + [UInt8](repeating: 0x80, count: 7) + [0],
    [0x90, 0x80, 0x80, 0x80, 0], [0x87, 0xff, 0xff, 0xff, 0x7f],
    [0x80], [0x81, 0], [0xff, 0x7f], [0xff], [0], [1], [7], [10], [11], [12], [13], [0x7f],
  ]

  /// Looks at the new table while bytes of the older file are others.
  private func scan(
    _ table: DamagedTable, _ what: @autoclosure () -> String, _ changes: DamagedTable.Change...
  ) throws {
    let scan = try table.changing(table.old, changes) { try table.scan() }
    if !table.finds(scan) { Issue.record("\(what())") }
  }

  @Test(arguments: [false, true], (LongTests.areOn ? [0xff, 1, 0x80, 0x55] : [0xff]) as [UInt8])
  func `each byte may be another`(hasRowids: Bool, bits: UInt8) throws {
    let table = try DamagedTable(hasRowids: hasRowids)
    let old = table.old
    for offset in Array(0..<100) + DamagedTable.some(old.offsets, each: 101) {
      try scan(table, "\(offset)", (offset, [old.bytes[offset] ^ bits]))
    }
  }

  @Test(arguments: [false, true])
  func `any number may be anywhere in a cell`(hasRowids: Bool) throws {
    let table = try DamagedTable(hasRowids: hasRowids)
    let old = table.old
    for page in DamagedTable.some(old.pages, each: 20) {
      for cell in DamagedTable.some(old.cells(page), each: 3) {
        for place in cell..<min(cell + 12, old.offset(page + 1)) {
          for number in Self.hostileNumbers {
            let bytes = Array(number.prefix(old.bytes.count - place))
            try scan(table, "\(number) at \(place)", (place, bytes))
          }
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func `a cell may be anywhere`(hasRowids: Bool) throws {
    let table = try DamagedTable(hasRowids: hasRowids)
    let old = table.old
    for page in DamagedTable.some(old.pages, each: 7) {
      let pointers = old.offset(page) + (old.interiorPages.contains(page) ? 12 : 8)
      for place in [0, 7, 8, 12, 100, 400, 505, 507, 508, 509, 511, 512, 1000, 32767, 65535] {
        let bytes = [UInt8(place >> 8), UInt8(place & 0xff)]
        for pointer in [pointers, pointers + 2, old.offset(page) + 3] {
          try scan(table, "\(place) at \(pointer)", (pointer, bytes))
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func `a child, or an overflow page, may be any page`(hasRowids: Bool) throws {
    let table = try DamagedTable(hasRowids: hasRowids)
    let old = table.old
    let children = old.interiorPages.flatMap { [old.offset($0) + 8] + old.cells($0) }
    let last = UInt8(old.bytes.count / DamagedTable.pageBytes)
    for place in DamagedTable.some(children + old.overflowPages.map(old.offset), each: 7) {
      for page in DamagedTable.some(0...last + 2, each: 3) {
        try scan(table, "\(page) at \(place)", (place, [0, 0, 0, page]))
      }
      for high in [0x7f, 0xff] as [UInt8] {
        try scan(table, "\(high) at \(place)", (place, [high, 0xff, 0xff, 0xff]))
      }
    }
  }

  @Test(arguments: [false, true])
  func `any bytes may be anywhere`(hasRowids: Bool) throws {
    let table = try DamagedTable(hasRowids: hasRowids)
    let old = table.old
    let pages = old.pages + old.overflowPages
    var random = SeededGenerator(seed: hasRowids ? 1 : 2)
    for _ in 0..<(LongTests.areOn ? 200_000 : 300) {
      let page = pages.randomElement(using: &random) ?? 0
      var bytes = old.page(page)
      bytes.damage(using: &random)
      try scan(table, "\(page): \(bytes)", (old.offset(page), bytes))
    }
  }

  @Test(arguments: [false, true])
  func `the file may end anywhere`(hasRowids: Bool) throws {
    let table = try DamagedTable(hasRowids: hasRowids)
    let size = table.old.bytes.count
    let step = LongTests.areOn ? 1 : 1001
    for count in stride(from: size - 1, through: 0, by: -step) {
      #expect(ftruncate(table.old.descriptor, off_t(count)) == 0)
      let scan = try table.scan()
      #expect(table.finds(scan))
      #expect(scan.differences == nil, "\(count)")
    }
  }

  @Test(arguments: [false, true])
  func `the root may be any page`(hasRowids: Bool) throws {
    let table = try DamagedTable(hasRowids: hasRowids)
    for root in [Int.min, -1, 0, 1, 2, 3, 10, 1000, 1 << 32, .max] {
      let scan = try table.scan(besideRoot: root)
      #expect(table.finds(scan))
    }
  }
}

extension [UInt8] {
  /// Writes some bytes to several places.
  mutating func damage(using random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let place = Int.random(in: 0..<count, using: &random)
      for index in place..<Swift.min(place + Int.random(in: 1...9, using: &random), count) {
        self[index] = Bool.random(using: &random) ? 0xff : .random(in: 0...255, using: &random)
      }
    }
  }
}
