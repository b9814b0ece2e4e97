package import Vocabulary
package import SQLiteFormat
package import SQLiteSwiftly
import Text

/// A table of two databases, or of one of them, for a comparison.
package struct TablePair: Sendable {
  package let name: String
  /// The columns of the primary key, in key order; empty if the keys differ, so that rows cannot be matched.
  package var key: [String] = []
  /// The other columns that both tables have.
  package var columns: [String] = []
  /// The columns among them that can be NULL in either table.
  var nullableColumns: [String] = []
  package var removedColumns: [String] = []
  package var addedColumns: [String] = []
  /// The position among the tables of the old database; nil if it lacks the table.
  var oldPlace: Int?
  package var isInNew = false

  package var isInOld: Bool { oldPlace != nil }

  /// Pairs the tables of two databases, those of the new one first.
  package static func all(of old: [StoredColumns], _ new: [StoredColumns]) -> [TablePair] {
    let kept = new.map { table in
      var pair = TablePair(name: table.name, isInNew: true)
      pair.oldPlace = old.firstIndex { haveSameBytes($0.name, table.name) }
      guard let before = pair.oldPlace.map({ old[$0] }) else { return pair }
      pair.key = haveSameBytes(table.key, before.key) ? table.key : []
      for column in table.columns where column.keyPlace == 0 {
        guard let other = before.column(column.name) else { continue }
        pair.columns.append(column.name)
        if column.isNullable || other.isNullable { pair.nullableColumns.append(column.name) }
      }
      pair.removedColumns = before.columns.map(\.name).filter { table.column($0) == nil }
      pair.addedColumns = table.columns.map(\.name).filter { before.column($0) == nil }
      return pair
    }
    let gone = old.indices.filter { index in !new.map(\.name).hasName(old[index].name) }
    return kept + gone.map { TablePair(name: old[$0].name, oldPlace: $0) }
  }

  /// The query for the key and the other columns of all rows, in the order of the key.
  ///
  /// The collation is explicit, since a database of another version may have another one.
  package var rows: SQL {
    let names = (key + columns).map(quoted(identifier:)).joined(separator: ", ")
    let order = key.map { quoted(identifier: $0) + " COLLATE BINARY" }.joined(separator: ", ")
    return SQL(generated: "SELECT \(names) FROM main.\(quoted(identifier: name)) ORDER BY \(order)")
  }

  /// Whether anything differs: the table, a column or a row is in one database only, or rows have other values.
  package func isDifferent(_ change: DatabaseChanges.Table) -> Bool {
    guard isInOld, isInNew, removedColumns.isEmpty, addedColumns.isEmpty else { return true }
    return change.keys.map { $0 != DatabaseChanges.Keys() }
      ?? (change.rowsBefore != change.rowsAfter)
  }
}

extension TablePair {
  /// Compares the table; every comparison uses this.
  ///
  /// With `onlyRows`, only the numbers of rows are compared, without reading values. `pages` has the differences found
  /// page by page; without it, SQLite reads the tables. `report` is called, in key order, for each key that is in one
  /// table only or has other values in the other.
  ///
  /// - Complexity: one pass over both tables; memory does not grow with them.
  package func change(
    from old: Connection, to new: Connection, onlyRows: Bool = false,
    foundInPages pages: RowDifferences? = nil, report: ((RowChange) -> Void)? = nil
  ) throws(ComparisonError) -> DatabaseChanges.Table {
    var change = DatabaseChanges.Table(name: name)
    guard onlyRows || key.isEmpty else {
      let found =
        if let pages {
          pages
        } else {
          try new.rowDifferences(of: rows, keyColumns: key.count, from: old, report: report)
        }
      (change.rowsBefore, change.rowsAfter) = (found.rowsBefore, found.rowsAfter)
      change.keys = .init(
        added: found.rowsAfter - found.commonKeys, removed: found.rowsBefore - found.commonKeys,
        changed: found.changedKeys)
      change.columns = zip(columns, found.changedValues).filter { $1 > 0 }.map {
        (name: $0, keys: $1)
      }
      change.nulls = zip(columns, zip(found.nullsBefore, found.nullsAfter)).map {
        (column: $0, before: $1.0, after: $1.1)
      }.filter { nullableColumns.contains($0.column) }
      return change
    }
    let columns = onlyRows ? [] : nullableColumns
    let before = try mapError(as: ComparisonError.old) { () throws(SQLiteError) in
      isInOld ? try old.counts(of: name, columns) : nil
    }
    let after = try mapError(as: ComparisonError.new) { () throws(SQLiteError) in
      isInNew ? try new.counts(of: name, columns) : nil
    }
    (change.rowsBefore, change.rowsAfter) = (before?[0], after?[0])
    if let before, let after {
      change.nulls = columns.indices.map {
        (column: columns[$0], before: before[$0 + 1], after: after[$0 + 1])
      }
    }
    return change
  }
}

extension Connection {
  /// The number of rows of a table, and of those in which each of `columns` is NULL.
  fileprivate func counts(
    of table: String, _ columns: [String]
  ) throws(SQLiteError) -> [Int] {
    let names = columns.map(quoted(identifier:))
    let counts = ["count(*)"] + names.map { "count(*) - count(\($0))" }
    // An index may lack some of the rows. For the work limit to apply, each row must be a step of its own: SQLite
    // does not flatten a subquery with a LIMIT, even LIMIT -1.
    let rows =
      "SELECT \((["1"] + names).joined(separator: ", ")) FROM main.\(quoted(identifier: table)) "
      + "NOT INDEXED LIMIT -1"
    let query = SQL(generated: "SELECT \(counts.joined(separator: ", ")) FROM (\(rows))")
    return try self.query(query)[0].map { Int($0.integerValue ?? 0) }
  }
}
