import Glibc
import SQLiteSwiftly
import TestSupport
@testable import SQLiteFormat

/// A table in a new file, whose rows are added up when they are inserted, and in an older one that was created
/// by the same statement.
final class TablePair {
  let table: TableDescription
  /// The checksum of the rows.
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
  var newTable: StoredTable { get throws { (descriptor: newDescriptor, root: try root(new)) } }

  /// Where the table is in the older file.
  var oldTable: StoredTable { get throws { (descriptor: oldDescriptor, root: try root(old)) } }

  private func root(_ path: String) throws -> Int {
    let connection = try Connection(path, opening: .readOnly)
    let root = try connection.value(
      of: "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = \(table.name)")
    return Int(root?.integerValue ?? 0)
  }

  /// Looks at the new table beside the older one.
  func scan(
    longestRow: Int = 1 << 20, report: ((RowChange) -> Void)? = nil
  ) throws -> TableScan {
    try TableScan(at: table, newTable, beside: oldTable, longestRow: longestRow, report: report)
  }

  /// Changes the older file.
  func changeOld(_ change: (Connection) throws -> Void) throws {
    try changeDatabase(old) { connection in
      try connection.set(.journalMode, to: .memory)
      try change(connection)
    }
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

  /// The differences found by SQLite's join of both tables by their key.
  func differencesBySQL(report: ((RowChange) -> Void)? = nil) throws -> RowDifferences {
    let key = table.primaryKey
    let others = table.columns.map(\.name).filter { !key.contains($0) }
    func list(_ names: [String], _ separator: String = ", ", _ text: (String) -> String) -> String {
      names.map { text(quoted(identifier: $0)) }.joined(separator: separator)
    }
    let columns =
      ["o.side", "n.side"] + (key + others).map { "o.\(quoted(identifier: $0))" }
      + (key + others).map { "n.\(quoted(identifier: $0))" }
      + others.map { name in
        let name = quoted(identifier: name)
        return "n.\(name) IS NOT o.\(name) COLLATE BINARY"
      }
    let name = quoted(identifier: table.name)
    let query = SQL(
      generated: """
        SELECT \(columns.joined(separator: ", ")) FROM (SELECT 1 AS side, * FROM old.\(name)) AS o
        FULL JOIN (SELECT 1 AS side, * FROM main.\(name)) AS n
        ON \(list(key, " AND ") { "o.\($0) = n.\($0) COLLATE BINARY" })
        ORDER BY \(list(key) { "ifnull(o.\($0), n.\($0)) COLLATE BINARY" })
        """)
    let connection = try Connection(new, opening: .readOnly)
    try connection.execute("ATTACH \(old) AS old")
    var result = RowDifferences(columns: others.count)
    for row in try connection.query(query) {
      let (isInOld, isInNew) = (row[0] != .null, row[1] != .null)
      let width = key.count + others.count
      let before = Array(row[2..<2 + width])
      let after = Array(row[2 + width..<2 + 2 * width])
      result.rowsBefore += isInOld ? 1 : 0
      result.rowsAfter += isInNew ? 1 : 0
      result.commonKeys += isInOld && isInNew ? 1 : 0
      for place in others.indices {
        result.nullsBefore[place] += isInOld && before[key.count + place] == .null ? 1 : 0
        result.nullsAfter[place] += isInNew && after[key.count + place] == .null ? 1 : 0
      }
      guard isInOld else {
        report?(RowChange(.added, key: Array(after[..<key.count])))
        continue
      }
      let oldKey = Array(before[..<key.count])
      guard isInNew else {
        report?(RowChange(.removed, key: oldKey))
        continue
      }
      let fields = others.indices.filter { row[2 + 2 * width + $0] == .integer(1) }.map {
        RowChange.Field(column: $0, before: before[key.count + $0], after: after[key.count + $0])
      }
      guard !fields.isEmpty else { continue }
      result.changedKeys += 1
      for field in fields { result.changedValues[field.column] += 1 }
      report?(RowChange(.changed, key: oldKey, fields: fields))
    }
    return result
  }

  /// The differences found by SQLite when reading both tables in key order.
  func differencesByRows(report: ((RowChange) -> Void)? = nil) throws -> RowDifferences {
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
