package import Facts
package import DatabaseFile
package import SQLiteSwiftly

/// Two databases whose tables are compared: the one way in which that is done.
package struct DatabasePair {
  package let old: Connection
  package let new: Connection
  /// Of a new database that was not built, the rows of a table and those in which each of some columns is NULL.
  private let foreseen: ((_ table: String, _ columns: [String]) -> [Int])?

  package init(
    old: Connection, new: Connection,
    foreseen: ((_ table: String, _ columns: [String]) -> [Int])? = nil
  ) {
    self.old = old
    self.new = new
    self.foreseen = foreseen
  }

  /// Compares a table.
  ///
  /// - Parameters:
  ///   - table: its name and its columns.
  ///   - onlyRows: whether no more than the numbers of rows are compared, for which no value is read.
  ///   - pages: what was found page by page; nil if SQLite reads the tables.
  ///   - report: is told of every key that only one has, or that has other values in the other, in the order
  ///     of the key.
  /// - Returns: How much differs.
  /// - Throws: `ComparisonError` of the database that cannot be read.
  /// - Complexity: one pass over both tables; memory does not grow with them.
  package func change(
    of table: TablePair, onlyRows: Bool = false, foundInPages pages: RowDifferences? = nil,
    report: ((RowChange) -> Void)? = nil
  ) throws(ComparisonError) -> CatalogChanges.Table {
    var change = CatalogChanges.Table(name: table.name)
    guard onlyRows || table.key.isEmpty else {
      let found =
        if let pages {
          pages
        } else {
          try new.rowDifferences(
            of: table.rows, keyColumns: table.key.count, from: old, report: report)
        }
      (change.rowsBefore, change.rowsAfter) = (found.rowsBefore, found.rowsAfter)
      change.keys = .init(
        added: found.rowsAfter - found.commonKeys, removed: found.rowsBefore - found.commonKeys,
        changed: found.changedKeys)
      change.nulls = zip(table.columns, zip(found.nullsBefore, found.nullsAfter)).map {
        .init(column: $0, before: $1.0, after: $1.1)
      }.filter { table.nullableColumns.contains($0.column) }
      return change
    }
    let columns = onlyRows ? [] : table.nullableColumns
    var (before, after): ([Int]?, [Int]?) = (nil, nil)
    if table.isInOld {
      before = try reading(ComparisonError.old) { () throws(SQLiteError) in
        try old.counts(of: table.name, columns)
      }
    }
    if let foreseen, table.isInNew {
      after = foreseen(table.name, columns)
    } else if table.isInNew {
      after = try reading(ComparisonError.new) { () throws(SQLiteError) in
        try new.counts(of: table.name, columns)
      }
    }
    (change.rowsBefore, change.rowsAfter) = (before?[0], after?[0])
    if let before, let after {
      change.nulls = columns.indices.map {
        .init(column: columns[$0], before: before[$0 + 1], after: after[$0 + 1])
      }
    }
    return change
  }
}

extension Connection {
  /// The rows of a table, and those in which each of `columns` is NULL.
  fileprivate func counts(
    of table: String, _ columns: [String]
  ) throws(SQLiteError) -> [Int] {
    let names = columns.map(quoted(identifier:))
    let counts = ["count(*)"] + names.map { "count(*) - count(\($0))" }
    // An index may have lost some of the rows. For the limit to work to be kept, each row must be a step
    // of its own: SQLite does not merge a query that has a limit, be it none, with the one around it.
    let rows =
      "SELECT \((["1"] + names).joined(separator: ", ")) FROM main.\(quoted(identifier: table)) "
      + "NOT INDEXED LIMIT -1"
    let query = SQL(generated: "SELECT \(counts.joined(separator: ", ")) FROM (\(rows))")
    return try self.query(query)[0].map { Int($0.integerValue ?? 0) }
  }
}
