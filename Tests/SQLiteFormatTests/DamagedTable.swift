import Platform
import Glibc
import SQLiteSwiftly
import TestSupport
@testable import SQLiteFormat

/// The pages of a table of three levels with overflow pages, in a new file and an older one, whose bytes can be
/// changed.
final class DamagedTable {
  /// One of the two files.
  struct File {
    let path: String
    let descriptor: Int32
    let table: StoredTable
    let bytes: [UInt8]
    /// The numbers of the table's pages.
    let pages: [Int]
    let overflowPages: [Int]

    fileprivate init(_ path: String, _ descriptor: Int32, _ table: StoredTable) throws {
      (self.path, self.descriptor, self.table) = (path, descriptor, table)
      bytes = try descriptor.bytes(1 << 20, at: 0)
      let connection = try Connection(path, opening: .readOnly)
      pages = try connection.query(
        "SELECT pageno FROM dbstat WHERE name = 't' AND pagetype <> 'overflow' ORDER BY path",
        as: Int.self)
      overflowPages = try connection.query(
        "SELECT pageno FROM dbstat WHERE name = 't' AND pagetype = 'overflow' ORDER BY path",
        as: Int.self)
    }

    var interiorPages: [Int] { pages.filter { [2, 5].contains(bytes[offset($0)]) } }

    /// The offsets of all bytes of the table.
    var offsets: [Int] { (pages + overflowPages).flatMap { offset($0)..<offset($0 + 1) } }

    /// The bytes of a page.
    func page(_ number: Int) -> [UInt8] { Array(bytes[offset(number)..<offset(number + 1)]) }

    /// The offset of a page.
    func offset(_ page: Int) -> Int { (page - 1) * DamagedTable.pageBytes }

    /// The offsets of the cells of a page.
    func cells(_ page: Int) -> [Int] {
      let start = offset(page)
      let header = bytes[start] < 8 ? 12 : 8
      return (0..<number(start + 3)).map { start + number(start + header + 2 * $0) }
    }

    private func number(_ offset: Int) -> Int { Int(bytes[offset]) << 8 | Int(bytes[offset + 1]) }
  }

  /// Bytes that are written over those of a file.
  typealias Change = (offset: Int, bytes: [UInt8])

  static let pageBytes = 512
  static let longestRow = 2000

  let new: File
  let old: File
  private let pair: TablePair
  private let sound: TableScan

  /// Makes both files.
  ///
  /// - Parameter hasRowids: whether the table is sorted by rowids, and not by a key of two columns.
  /// - Throws: any error of a file or of SQLite.
  init(hasRowids: Bool) throws {
    let table = TableDescription(
      "t",
      columns: [
        ColumnDescription("a", .integer), ColumnDescription("b", .text),
        ColumnDescription("c", .integer, isNullable: true),
      ], primaryKey: hasRowids ? ["a"] : ["b", "a"])
    let rows = (0..<64).map { row -> [SQLiteValue] in
      // A page above the leaves has room for fifty rowids, but not for ten keys.
      let count = row % 21 == 3 ? 1200 : (hasRowids ? 270 : 60) + row % 15
      return [
        .integer(Int64(row * row * 1000)), .text(String(repeating: "\(row % 9)", count: count)),
        row % 4 == 0 ? .null : .integer(Int64(row)),
      ]
    }
    let both = BothWays(table: table, pageBytes: Self.pageBytes)
    pair = try TablePair(both, rows)
    try pair.changeOld {
      try $0.execute("UPDATE t SET b = b || 'x' WHERE c % 5 = 1")
      try $0.execute("UPDATE t SET c = -1 WHERE c % 5 = 2")
      try $0.execute("DELETE FROM t WHERE c % 7 = 1")
    }
    sound = try pair.scan()
    new = try File(pair.new, pair.newDescriptor, pair.newTable)
    old = try File(pair.old, pair.oldDescriptor, pair.oldTable)
  }

  /// The results beside the older table.
  var differences: RowDifferences? { sound.differences }

  /// Whether the new table is found to be as it was written.
  var isSound: Bool {
    get throws {
      do throws(DatabaseError) {
        let scan = try TableScan(
          at: pair.table, new.table, beside: nil, longestRow: Self.longestRow)
        return scan.rows == pair.sum
      } catch {
        guard error == .damaged || error == .file(FileError(code: damagedFile)) else { throw error }
        return false
      }
    }
  }

  /// The items that a run of the tests checks: all of them in a long run.
  static func some<Elements: Sequence>(
    _ all: Elements, each step: Int
  ) -> [Elements.Element] {
    all.enumerated().filter { LongTests.areOn || $0.offset % step == 0 }.map(\.element)
  }

  /// Looks at the new table beside the older one, which may begin at another page.
  func scan(besideRoot root: Int? = nil) throws -> TableScan {
    let beside = root.map { (descriptor: old.descriptor, root: $0) } ?? old.table
    return try TableScan(at: pair.table, new.table, beside: beside, longestRow: Self.longestRow)
  }

  /// Whether a scan beside the older table returns the expected results for the new one.
  func finds(_ scan: TableScan) -> Bool { scan.rows == pair.sum && scan.nulls == sound.nulls }

  /// All values of the new table as SQLite reads them; nil if it finds damage.
  func rowsBySQL() throws -> [[SQLiteValue]]? {
    do throws(SQLiteError) {
      let connection = try Connection(new.path, opening: .readOnly)
      return try connection.query("SELECT * FROM t NOT INDEXED").map { Array($0) }
    } catch {
      guard error.code == .corrupt else { throw error }
      return nil
    }
  }

  /// Does something while bytes of a file are others.
  func changing<Result>(
    _ file: File, _ changes: [Change], body: () throws -> Result
  ) throws -> Result {
    for (offset, bytes) in changes { try file.descriptor.writeAll(bytes.span, at: offset) }
    let result = try body()
    for (offset, bytes) in changes {
      try file.descriptor.writeAll(
        Array(file.bytes[offset..<offset + bytes.count]).span, at: offset)
    }
    return result
  }
}
