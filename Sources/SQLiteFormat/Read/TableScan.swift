package import SQLiteSwiftly

/// The location of a table: a file, whose descriptor the caller keeps, and the table's root page.
package struct StoredTable: Sendable {
  let descriptor: Int32
  let root: Int

  package init(in descriptor: Int32, root: Int) {
    self.descriptor = descriptor
    self.root = root
  }
}

/// The result of one pass over a table of a finished file, page by page and without SQLite.
package struct TableScan: Equatable, Sendable {
  package let rows: EntryChecksum
  /// For each column, the number of NULLs.
  package let nulls: [Int]
  /// The differences from the table of an older file, with the columns after the key in the table's
  /// order; nil if that is unreadable or sorted by another key.
  package let differences: RowDifferences?

  /// Reads a loaded table, which is damaged if a row has other types or is out of order, and
  /// compares it with that of an older file.
  ///
  /// The same statement has created both, and nothing may write to the older one meanwhile.
  /// `longestRow` is the maximum number of bytes of a row's values. `report` is called for each key
  /// that one table lacks, or whose values differ, up to the first unreadable page.
  ///
  /// - Complexity: one pass over each table; memory for a page of each level and for the longest row.
  package init(
    at table: TableDescription, _ new: StoredTable, beside old: StoredTable?, longestRow: Int,
    report: ((RowChange) -> Void)? = nil
  ) throws(DatabaseError) {
    let layout = RowLayout(table)
    // The maximum size of a record's header.
    let longestRecord = longestRow + 16 * (layout.columns.count + 1)
    let kind = layout.hasRowids ? TreeCursor.Kind.rowids : .keys
    var rows = try TreeCursor(new.descriptor, kind, root: new.root, longestRecord: longestRecord)
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
