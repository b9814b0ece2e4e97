import CSQLite

extension Connection {
  /// Reads the rows of a query without values in batches, without an allocation for each value.
  ///
  /// The batch must have room for a row. It contains at most `textBytes` of text, unless a single
  /// row has more. The statement is active while `body` has the batch.
  package func readBatches(
    of query: SQL, into batch: inout RowBatch, textBytes: Int = 64 << 10,
    _ body: (borrowing RowBatch) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let statement = try Statement(query.text, on: self)
    defer { statement.reset() }
    try statement.start {}
    batch.restart(columns: statement.columnCount)
    batch.text.removeAll(keepingCapacity: true)
    while try statement.step() {
      batch.appendRow(of: statement)
      guard !batch.hasRoomForRow || batch.text.count > textBytes else { continue }
      try body(batch)
      batch.restart(columns: statement.columnCount)
      batch.text.removeAll(keepingCapacity: true)
    }
    if batch.rows > 0 { try body(batch) }
  }
}

extension RowBatch {
  fileprivate var hasRoomForRow: Bool { (rows + 1) * columns <= values.count }

  fileprivate mutating func appendRow(of statement: Statement) {
    for column in 0..<columns {
      let value = unsafe sqlite3_column_value(statement.handle, Int32(truncatingIfNeeded: column))
      let type = unsafe sqlite3_value_type(value)
      var cell: Int64 = 0
      switch type {
      case SQLITE_INTEGER: cell = unsafe sqlite3_value_int64(value)
      case SQLITE_FLOAT:
        cell = Int64(bitPattern: unsafe sqlite3_value_double(value).bitPattern)
      case SQLITE_TEXT, SQLITE_BLOB:
        let start = text.count
        let count = unsafe Int(sqlite3_value_bytes(value))
        let bytes = unsafe UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: count)
        unsafe text.append(contentsOf: bytes)
        cell = Self.value(ofTextAt: UInt32(start), UInt32(text.count))
      default: break
      }
      var cells = nextCells(ofColumn: column)
      // The numbers of the storage classes are SQLite's.
      cells.set(0, to: cell, UInt8(type))
    }
    finishRows(1)
  }
}
