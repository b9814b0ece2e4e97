import CSQLite

/// Reads the rows of a query without copying values.
///
/// SQLite allows direct reads of result values if only one thread uses the connection
/// (<https://www.sqlite.org/c3ref/value.html>), which this library requires. That takes a fifth
/// less time than reading through columns.
package struct RowReader {
  /// A value of a row, valid until the next row.
  @unsafe package enum Value {
    case null
    case integer(Int64)
    case real(Double)
    /// A text, or a blob.
    case bytes(UnsafeRawBufferPointer, isText: Bool)
  }

  private let statement: Statement
  package let columnCount: Int

  package init(_ query: SQL, on connection: Connection) throws(SQLiteError) {
    statement = try Statement(query.text, on: connection)
    try statement.start {}
    columnCount = statement.columnCount
  }

  package func next() throws(SQLiteError) -> Bool { try statement.step() }

  @unsafe @inline(__always)
  package func value(_ column: Int) -> Value {
    let value = unsafe sqlite3_column_value(statement.handle, Int32(truncatingIfNeeded: column))
    let type = unsafe sqlite3_value_type(value)
    switch type {
    case SQLITE_INTEGER: return unsafe .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return unsafe .real(sqlite3_value_double(value))
    case SQLITE_TEXT, SQLITE_BLOB:
      // Requesting the length first makes SQLite convert other encodings to UTF-8.
      let count = Int(unsafe sqlite3_value_bytes(value))
      let bytes = unsafe UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: count)
      return unsafe .bytes(bytes, isText: type == SQLITE_TEXT)
    default: return unsafe .null
    }
  }
}

extension Connection {
  /// Reads the rows of a query without values in batches, without an allocation for each value.
  ///
  /// The batch must have room for a row. It contains at most `textBytes` of text, unless a single
  /// row has more. The statement is active while `body` has the batch.
  package func readBatches(
    of query: SQL, into batch: inout RowBatch, textBytes: Int = 64 << 10,
    _ body: (borrowing RowBatch) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let reader = try RowReader(query, on: self)
    batch.restart(columns: reader.columnCount)
    batch.text.removeAll(keepingCapacity: true)
    while try reader.next() {
      try batch.appendRow(of: reader)
      let hasRoom = (batch.rows + 1) * batch.columns <= batch.values.count
      guard !hasRoom || batch.text.count > textBytes else { continue }
      try body(batch)
      batch.restart(columns: reader.columnCount)
      batch.text.removeAll(keepingCapacity: true)
    }
    if batch.rows > 0 { try body(batch) }
  }
}

extension RowBatch {
  fileprivate mutating func appendRow(of reader: RowReader) throws(SQLiteError) {
    for column in 0..<columns {
      switch unsafe reader.value(column) {
      case .null: setCell(column, 0, StorageClass.null)
      case .integer(let value): setCell(column, value, StorageClass.integer)
      case .real(let value):
        setCell(column, Int64(bitPattern: value.bitPattern), StorageClass.real)
      case .bytes(let bytes, let isText):
        try unsafe setCell(
          column, toBytes: bytes, isText ? StorageClass.text : StorageClass.blob)
      }
    }
    finishRows(1)
  }
}
