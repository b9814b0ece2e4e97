package import SQLiteSwiftly

/// Where a table is: a file, which stays the caller's, and the number of the table's root page.
package struct StoredTable: Sendable {
  let descriptor: Int32
  let root: Int

  package init(in descriptor: Int32, root: Int) {
    self.descriptor = descriptor
    self.root = root
  }
}

/// What one look at a table of a finished file has found, page by page and without SQLite.
package struct TableLook: Equatable, Sendable {
  package let rows: EntryChecksum
  /// For each column, the rows in which it is NULL.
  package let nulls: [Int]
  /// What differs from the table of an older file, the columns after the key being in the order of the
  /// table's; nil if that is not sorted by the same key, or is none that can be read.
  package let differences: RowDifferences?

  /// Looks at a table that rows were loaded into, and walks through that of an older file beside it.
  ///
  /// It is damaged if a row has other types, or does not come after the one before it.
  ///
  /// - Parameters:
  ///   - table: what it must consist of.
  ///   - new: where it is.
  ///   - old: where a table is that was created by the same statement; nobody writes to it meanwhile.
  ///   - longestRow: the most bytes that the values of a row have.
  ///   - report: is told of every key that one of the two does not have, or that has other values there, up to
  ///     where a table cannot be read.
  /// - Throws: `DatabaseError` if the new table cannot be read.
  /// - Complexity: one pass over each table; memory for a page of each level and for the longest row.
  package init(
    at table: TableDescription, _ new: StoredTable, beside old: StoredTable?, longestRow: Int,
    report: ((RowChange) -> Void)? = nil
  ) throws(DatabaseError) {
    let layout = RowLayout(table)
    // The header of a record takes no more than that.
    let longestRecord = longestRow + 16 * (layout.columns.count + 1)
    let kind = layout.hasRowids ? TreeCursor.Kind.rowids : .keys
    var rows = try TreeCursor(
      new.descriptor, kind, root: new.root, longestRecord: longestRecord)
    var check = RecordCheck(layout)
    var comparison: TableComparison<TreeCursor>? = nil
    if let old, layout.keyColumns > 0 || layout.rowidColumn != nil {
      comparison = try? TableComparison(
        TreeCursor(old.descriptor, kind, root: old.root, longestRecord: longestRecord),
        columns: layout.columns.count, keyColumns: layout.keyColumns,
        rowidColumn: layout.rowidColumn, report: report)
    }
    while try rows.next() {
      guard check.add(rows.record, of: rows.bytes, rowid: rows.rowid) else { throw .damaged }
      do throws(DatabaseError) {
        try comparison?.add(rows)
      } catch {
        comparison = nil
      }
    }
    self.rows = check.checksum
    var nulls = [Int](repeating: 0, count: layout.columns.count)
    for (column, count) in zip(layout.columns, check.nulls) { nulls[column.place] = count }
    self.nulls = nulls
    differences = try? comparison?.finish(nulls: check.nulls)
  }
}
