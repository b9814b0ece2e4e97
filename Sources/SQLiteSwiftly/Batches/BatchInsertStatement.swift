import CSQLite

/// A prepared insert into one table that inserts a whole `RowBatch` per run.
///
/// It is an `INSERT … SELECT` from a virtual table (<https://www.sqlite.org/vtab.html>) over the
/// batch: one step for all rows, no binding, and texts are read in place. Check the rows first: if
/// SQLite refuses one, the whole run is undone.
@safe package struct BatchInsertStatement: ~Copyable {
  private let statement: Statement
  // SQLite frees it with the connection, which the statement retains.
  private let source: UnsafeMutablePointer<csqlite_rows>

  package init(
    into table: TableDescription, onConflict resolution: ConflictResolution = .fail,
    on connection: Connection
  ) throws(SQLiteError) {
    try table.validate()
    let columns = table.columns.count
    let source = try unsafe connection.rowSource(columns: columns)
    let insertion = try table.insertion(
      from: Connection.rowsTable(columns: columns), onConflict: resolution)
    statement = try Statement(insertion.text, on: connection, isPersistent: true)
    unsafe self.source = source
  }

  /// Inserts all rows of `batch` or none, unless the database has no journal to undo them with.
  ///
  /// If SQLite refuses a row, the message contains its number from 0, which includes the `earlier`
  /// rows.
  package mutating func insert(
    _ batch: borrowing RowBatch, after earlier: Int = 0
  ) throws(SQLiteError) {
    let source = unsafe source
    precondition(unsafe Int32(batch.columns) == source.pointee.columns, "wrong number of columns")
    unsafe source.pointee.current = -1
    do throws(SQLiteError) {
      try unsafe batch.withUnsafeCells { cells throws(SQLiteError) in
        unsafe source.pointee.values = cells.values
        unsafe source.pointee.classes = cells.classes
        unsafe source.pointee.text = cells.text
        unsafe source.pointee.text_bytes = Int64(cells.textBytes)
        unsafe source.pointee.rows = Int32(cells.rows)
        defer { unsafe source.pointee.rows = 0 }
        try statement.run { () throws(SQLiteError) in }
      }
    } catch {
      let row = Int(unsafe source.pointee.current)
      guard 0..<batch.rows ~= row else { throw error }
      let place = "row \(earlier + row): \(error.message)"
      throw SQLiteError(error.extendedCode, place, sql: error.sql)
    }
  }
}

extension RowBatch {
  /// The memory of a batch, valid during a closure.
  @unsafe fileprivate struct Cells {
    let values: UnsafePointer<Int64>?
    let classes: UnsafePointer<UInt8>?
    let text: UnsafePointer<UInt8>?
    let textBytes: Int
    let rows: Int
  }

  fileprivate borrowing func withUnsafeCells(
    _ body: (Cells) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let rows = rows
    try unsafe values.withUnsafeBufferPointer { values throws(SQLiteError) in
      try unsafe classes.withUnsafeBufferPointer { classes throws(SQLiteError) in
        try unsafe text.withUnsafeBufferPointer { text throws(SQLiteError) in
          try unsafe body(
            Cells(
              values: values.baseAddress, classes: classes.baseAddress, text: text.baseAddress,
              textBytes: text.count, rows: rows))
        }
      }
    }
  }
}
