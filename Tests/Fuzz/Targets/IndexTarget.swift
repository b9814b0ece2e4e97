import SQLiteFormat
import Platform
import Glibc
import SQLiteSwiftly
import TestSupport

/// A table with loaded indexes: SQLite finds it sound, and the readers find in it what was inserted and collected.
///
/// Where an index is damaged, its reader says so, or SQLite finds nothing wrong either; where the table is, its
/// reader says so, or SQLite reads the same rows. As an older file it may have anything in it.
enum IndexTarget: FuzzTarget {
  static let name = "index"

  private struct Change {
    let page: Int
    let place: Int
    let byte: UInt8
  }

  static func check(_ input: FuzzInput, makesMistake: Bool) {
    var input = input
    let memory = input.number(0...20_000)
    let reservedBytes = UInt8(input.number(0...3) == 3 ? input.number(0...32) : 0)
    let changes = (0..<input.number(0...4)).map { _ in
      Change(
        page: input.number(0...255), place: input.number(0...65535),
        byte: UInt8(input.number(0...255)))
    }
    let changesTable = input.flag()
    var random = InputGenerator(input.data)
    let table = RandomTable(mostRows: 200, mostBytes: 64 << 10, using: &random)
    let both = BothWays(
      table: table.table, pageBytes: table.pageBytes, memory: memory, batchRows: 50,
      reservedBytes: reservedBytes)
    do {
      let file = try LoadedFile(both, table.rows)
      try file.requireSound()
      if changes.isEmpty { return }
      if changesTable {
        try checkTable(file, changes, makesMistake: makesMistake)
      } else {
        try checkIndexes(file, changes, makesMistake: makesMistake)
      }
    } catch {
      fatalError("\(both): \(error)")
    }
  }

  private static func make(_ changes: [Change], in file: LoadedFile, _ pages: [Int]) throws {
    for change in changes {
      let page = pages[change.page % pages.count]
      let offset = (page - 1) * file.both.pageBytes + change.place % file.both.pageBytes
      let bytes = [change.byte]
      try file.descriptor.writeAll(bytes.span, at: offset)
    }
  }

  private static func checkIndexes(
    _ file: LoadedFile, _ changes: [Change], makesMistake: Bool
  ) throws {
    let pages = try file.indexes.flatMap { try file.pages(of: $0.name) }
    guard !pages.isEmpty else { return }
    try make(changes, in: file, pages)
    // The mistake: an index is taken for sound if it has entries in order, whatever they are.
    let areSound = file.indexes.allSatisfy { file.isSound($0, ignoresSum: makesMistake) }
    guard areSound else { return }
    let missed = try file.faults()
    require(missed.isEmpty, "\(file) \(changes): \(missed)")
  }

  private static func checkTable(
    _ file: LoadedFile, _ changes: [Change], makesMistake: Bool
  ) throws {
    let rows = try file.rowsBySQL()
    let copy = try file.copy()
    defer { close(copy) }
    try make(changes, in: file, file.pages(of: file.both.table.name))
    let beside = try file.scan(in: copy, beside: file.descriptor)
    require(beside.rows == file.sum, "\(file) \(changes): the older file changes what is found")
    // The mistake: a table is taken for sound if it has rows in order, whatever they are.
    guard file.isTableSound(ignoresSum: makesMistake) else { return }
    let found = try file.rowsBySQL()
    require(found == rows, "\(file) \(changes): \(found)")
  }

  static let seeds = (0..<24).map { seed in
    var random = SeededGenerator(seed: UInt64(seed))
    let data = (0..<20 + 20 * seed).map { _ in UInt8.random(in: 0...255, using: &random) }
    let changes = (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) }
    // From the last: the memory, the reserved bytes, and how many bytes are changed; which of them, and in
    // what, comes before that.
    return data + changes + (seed % 3 == 0 ? [0] : [UInt8(seed % 5)]) + [0, 100, UInt8(seed)]
  }
}

/// Random numbers whose highest bytes are those of an input as long as there are some.
private struct InputGenerator: RandomNumberGenerator {
  private var bytes: ArraySlice<UInt8>
  private var rest = SeededGenerator(seed: 1)

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  mutating func next() -> UInt64 {
    let number = rest.next()
    guard let byte = bytes.popFirst() else { return number }
    return UInt64(byte) << 56 | number >> 8
  }
}
