import CSQLite

/// The rows of a query, whose values are looked at where they are.
///
/// Values of result columns may be looked into like any other since no connection of this library is
/// used by two threads at a time (<https://www.sqlite.org/c3ref/value.html>). That takes a fifth less
/// time than by way of the columns.
package struct RowReader {
  /// A value of a row, until the next row.
  @unsafe package enum Value {
    case null
    case integer(Int64)
    case real(Double)
    /// A text, or a blob.
    case bytes(UnsafeRawBufferPointer, isText: Bool)
  }

  private let statement: Statement
  package let columnCount: Int

  /// Begins to run a query that has no parameters.
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
      // The length is asked for first, at which SQLite makes UTF-8 of a text that is not.
      let count = Int(unsafe sqlite3_value_bytes(value))
      let bytes = unsafe UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: count)
      return unsafe .bytes(bytes, isText: type == SQLITE_TEXT)
    default: return unsafe .null
    }
  }
}
