import SQLiteFormat
import Platform
import Glibc
import SQLiteSwiftly
import TestSupport

/// A file with a table whose indexes were loaded, and what was collected of it.
final class LoadedFile: CustomStringConvertible {
  struct Index {
    let name: String
    let root: Int
    let collected: CollectedIndex
  }

  let both: BothWays
  /// The file, opened for reading and writing.
  let descriptor: Int32
  /// The sum of its rows.
  let sum: EntryChecksum
  let indexes: [Index]
  private let rows: [[SQLiteValue]]
  private let workplace: Workplace
  private let path: String
  private let root: Int

  init(_ both: BothWays, _ rows: [[SQLiteValue]]) throws {
    self.both = both
    self.rows = rows
    workplace = try Workplace()
    let collected = try both.load(workplace, rows)
    sum = collected.rows
    let path = workplace.path + "/loaded"
    let connection = try Connection(path, opening: .readOnly)
    let root = { (name: String) in
      let root = try connection.value(of: "SELECT rootpage FROM sqlite_schema WHERE name = \(name)")
      return Int(root?.integerValue ?? 0)
    }
    self.root = try root(both.table.name)
    indexes = try collected.indexes.map { index in
      let name = both.table.indexName(index.place)
      return Index(name: name, root: try root(name), collected: index)
    }
    self.path = path
    descriptor = try both.open(path)
  }

  deinit { close(descriptor) }

  var description: String { "\(both) \(rows)" }

  /// The numbers of the pages of a table or an index.
  func pages(of name: String) throws -> [Int] {
    let connection = try Connection(path, opening: .readOnly)
    return try connection.query(
      "SELECT pageno FROM dbstat WHERE name = \(name) ORDER BY pageno", as: Int.self)
  }

  /// What SQLite finds wrong.
  func faults() throws -> [String] {
    let connection = try Connection(path, opening: .readOnly)
    return try connection.faults(.full).map { "\($0)" }
  }

  /// The rows as SQLite reads them.
  func rowsBySQL() throws -> [[SQLiteValue]] {
    let connection = try Connection(path, opening: .readOnly)
    return try connection.query("SELECT * FROM t NOT INDEXED").map { Array($0) }
  }

  /// Copies the file, and opens the copy.
  func copy() throws -> Int32 {
    writeFile(path + ".copy", readFile(path) ?? [])
    return try both.open(path + ".copy")
  }

  /// Looks at the table in one file beside that of another.
  func scan(in file: Int32, beside other: Int32) throws(DatabaseError) -> TableScan {
    try TableScan(
      at: both.table, (descriptor: file, root: root),
      beside: (descriptor: other, root: root), longestRow: 1 << 20)
  }

  /// Whether the table is read as it was inserted.
  func isTableSound(ignoresSum: Bool) -> Bool {
    do throws(DatabaseError) {
      let rows = try scan(in: descriptor, beside: descriptor).rows
      return ignoresSum || rows == sum
    } catch {
      return false
    }
  }

  /// Whether an index is read as it was collected.
  func isSound(_ index: Index, ignoresSum: Bool) -> Bool {
    do throws(DatabaseError) {
      let checksum = try index.collected.storedChecksum(in: descriptor, root: index.root)
      return ignoresSum || checksum == index.collected.checksum
    } catch {
      return false
    }
  }

  /// Ends the process unless everything is as it was inserted and collected.
  func requireSound() throws {
    let faults = try faults()
    require(faults.isEmpty, "\(self): \(faults)")
    for index in indexes {
      require(index.collected.checksum.entries == rows.count, "\(self): \(index.name)")
      require(
        isSound(index, ignoresSum: false), "\(self): \(index.name) is not read as it was collected")
    }
    let scan = try scan(in: descriptor, beside: descriptor)
    require(scan.rows == sum && sum.entries == rows.count, "\(self): the rows are others")
    let nulls = both.table.columns.indices.map { column in rows.count { $0[column] == .null } }
    require(scan.nulls == nulls, "\(self): \(scan.nulls) are NULL")
    guard !both.table.primaryKey.isEmpty else { return }
    let differences = scan.differences
    require(
      differences?.commonKeys == rows.count && differences?.changedKeys == 0
        && differences?.rowsBefore == rows.count
        && differences?.nullsBefore == differences?.nullsAfter,
      "\(self): \(String(describing: differences)) beside itself")
  }
}
