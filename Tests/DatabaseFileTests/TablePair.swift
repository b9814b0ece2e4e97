import Files
import Glibc
import SQLiteSwiftly
import TestSupport

@testable import DatabaseFile

/// A table in a new file, whose rows are added up when they are inserted, and in an older one that was created
/// by the same statement.
final class TablePair {
  let table: TableDescription
  /// The sum that the rows had.
  let sum: EntryChecksum
  let new: String
  let old: String
  /// The files, opened for reading and writing.
  let newDescriptor: Int32
  let oldDescriptor: Int32
  private let workplace: Workplace

  /// Makes both files.
  ///
  /// - Parameters:
  ///   - both: the table, and how the new file is made.
  ///   - rows: the rows of the new file.
  ///   - oldBoth: how the older file is made; as the new one if it is nil.
  ///   - oldRows: the rows of the older file; those of the new one if it is nil.
  /// - Throws: any error of a file or of SQLite.
  init(
    _ both: BothWays, _ rows: [[SQLiteValue]], old oldBoth: BothWays? = nil,
    oldRows: [[SQLiteValue]]? = nil
  ) throws {
    workplace = try Workplace()
    table = both.table
    new = workplace.path + "/loaded"
    old = workplace.path + "/old"
    sum = try both.load(workplace, rows).rows
    try (oldBoth ?? both).create(old, oldRows ?? rows)
    newDescriptor = try both.open(new)
    oldDescriptor = try both.open(old)
  }

  deinit {
    close(newDescriptor)
    close(oldDescriptor)
  }

  /// Where the table is in the new file.
  var newTable: StoredTable {
    get throws { try StoredTable(in: newDescriptor, root: root(new)) }
  }

  /// Where the table is in the older file.
  var oldTable: StoredTable {
    get throws { try StoredTable(in: oldDescriptor, root: root(old)) }
  }

  private func root(_ path: String) throws -> Int {
    let connection = try Connection(path, opening: .readOnly)
    let root = try connection.value(
      of: "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = \(table.name)")
    return Int(root?.integerValue ?? 0)
  }

  /// Looks at the new table beside the older one.
  func look(
    longestRow: Int = 1 << 20, report: ((RowChange) -> Void)? = nil
  ) throws -> TableLook {
    try TableLook(
      at: table, newTable, beside: oldTable, longestRow: longestRow, report: report)
  }

  /// Changes the older file.
  func changeOld(_ change: (Connection) throws -> Void) throws {
    let connection = try Connection(old, opening: .openExisting)
    try connection.set(.journalMode, to: .memory)
    try change(connection)
    try connection.close()
  }

  /// For each column, the rows of the new table in which SQLite finds NULL.
  func nullsBySQL() throws -> [Int] {
    let counts = table.columns.map { "count(*) - count(\(quoted(identifier: $0.name)))" }
    let connection = try Connection(new, opening: .readOnly)
    let row = try connection.query(
      SQL(
        generated: "SELECT \(counts.joined(separator: ", ")) FROM \(quoted(identifier: table.name))"
      ))[0]
    return row.map { Int($0.integerValue ?? -1) }
  }

  /// What differs when SQLite reads both tables in the order of their key.
  func differencesBySQL(report: ((RowChange) -> Void)? = nil) throws -> RowDifferences {
    let others = table.columns.map(\.name).filter { !table.primaryKey.contains($0) }
    let columns = (table.primaryKey + others).map(quoted(identifier:)).joined(separator: ", ")
    let order = table.primaryKey.map { quoted(identifier: $0) + " COLLATE BINARY" }
    let query = SQL(
      generated: "SELECT \(columns) FROM \(quoted(identifier: table.name)) "
        + "ORDER BY \(order.joined(separator: ", "))")
    let before = try Connection(old, opening: .readOnly)
    let after = try Connection(new, opening: .readOnly)
    return try after.rowDifferences(
      of: query, keyColumns: table.primaryKey.count, from: before, report: report)
  }
}
