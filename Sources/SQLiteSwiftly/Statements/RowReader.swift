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

  /// Begins a run of a query without parameters.
  package init(_ query: SQL, on connection: Connection) throws(SQLiteError) {
    statement = try Statement(query.text, on: connection)
    try statement.start {}
    columnCount = statement.columnCount
  }

  package func next() throws(SQLiteError) -> Bool { try statement.step() }

  @unsafe package func value(_ column: Int) -> Value {
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
