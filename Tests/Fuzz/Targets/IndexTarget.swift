import Files
import Glibc
import DatabaseFile
import SQLiteSwiftly
import TestSupport

/// Loaded indexes: SQLite finds them sound, and the reader finds in them what was collected; where a file is
/// damaged, the reader says so, or SQLite finds nothing wrong either.
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
    var random = InputGenerator(input.data)
    let table = RandomTable(mostRows: 200, mostBytes: 64 << 10, using: &random)
    let both = BothWays(
      table: table.table, pageBytes: table.pageBytes, memory: memory, batchRows: 50,
      reservedBytes: reservedBytes)
    do {
      try check(both, table.rows, changes, makesMistake: makesMistake)
    } catch {
      fatalError("\(both): \(error)")
    }
  }

  private static func check(
    _ both: BothWays, _ rows: [[SQLiteValue]], _ changes: [Change], makesMistake: Bool
  ) throws {
    let workplace = try Workplace()
    let indexes = try both.load(workplace, rows).indexes
    let path = workplace.path + "/loaded"
    let faults = try faults(path)
    require(faults.isEmpty, "\(both) \(rows): \(faults)")
    let names = indexes.map { both.table.indexName($0.place) }
    var roots: [Int] = []
    var pages: [Int] = []
    let connection = try Connection(path, opening: .readOnly)
    for name in names {
      let root = try connection.value(of: "SELECT rootpage FROM sqlite_schema WHERE name = \(name)")
      roots.append(Int(root?.integerValue ?? 0))
      pages += try connection.query(
        "SELECT pageno FROM dbstat WHERE name = \(name) ORDER BY pageno", as: Int.self)
    }
    try connection.close()
    let descriptor = try both.open(path)
    defer { close(descriptor) }
    for (index, root) in zip(indexes, roots) {
      require(index.checksum.entries == rows.count, "\(both) \(rows): \(index.checksum)")
      let isSound = isSound(index, root, descriptor, ignoresSum: false)
      require(isSound, "\(both) \(rows): \(names) is not read as it was collected")
    }
    guard !changes.isEmpty, !pages.isEmpty else { return }
    for change in changes {
      let page = pages[change.page % pages.count]
      let offset = (page - 1) * both.pageBytes + change.place % both.pageBytes
      let bytes = [change.byte]
      try descriptor.writeAll(bytes.span, at: offset)
    }
    // The mistake: an index is taken for sound if it has entries in order, whatever they are.
    let areSound = zip(indexes, roots).map {
      isSound($0, $1, descriptor, ignoresSum: makesMistake)
    }
    guard areSound.allSatisfy({ $0 }) else { return }
    let missed = try Self.faults(path)
    require(missed.isEmpty, "\(both) \(rows) \(changes): \(missed)")
  }

  private static func isSound(
    _ index: CollectedIndex, _ root: Int, _ descriptor: Int32, ignoresSum: Bool
  ) -> Bool {
    do throws(DatabaseError) {
      let checksum = try index.storedChecksum(in: descriptor, root: root)
      return ignoresSum || checksum == index.checksum
    } catch {
      return false
    }
  }

  private static func faults(_ path: String) throws -> [String] {
    let connection = try Connection(path, opening: .readOnly)
    return try connection.faults(.full).map { "\($0)" }
  }

  static let seeds = (0..<24).map { seed in
    var random = SeededGenerator(seed: UInt64(seed))
    let data = (0..<20 + 20 * seed).map { _ in UInt8.random(in: 0...255, using: &random) }
    let changes = (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) }
    // From the last: the memory, the reserved bytes, and how many bytes are changed.
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
