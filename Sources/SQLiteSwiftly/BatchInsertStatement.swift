import CSQLite

/// A prepared insert into one table that takes a whole `RowBatch` per run.
///
/// It is an `INSERT … SELECT` from a virtual table (<https://www.sqlite.org/vtab.html>) that serves
/// the batch: one step for all rows, no binding, and texts are read where they lie. The rows must
/// have been checked, since one that SQLite refuses undoes the whole run.
@safe package struct BatchInsertStatement: ~Copyable {
  private var statement: Statement
  // Owned by SQLite, which frees it with the virtual table when the connection goes away.
  private let source: UnsafeMutablePointer<csqlite_rows>

  /// Prepares the insert; its virtual table is known to `connection` as `rows for` the table.
  package init(into table: TableDescription, on connection: Connection) throws(SQLiteError) {
    let handle = try unsafe connection.openHandle()
    let size = unsafe UInt64(MemoryLayout<csqlite_rows>.size)
    guard let memory = unsafe sqlite3_malloc64(size) else {
      throw SQLiteError(.outOfMemory, "There is no memory for an insert")
    }
    let source = unsafe memory.initializeMemory(as: csqlite_rows.self, to: csqlite_rows())
    unsafe source.pointee.columns = Int32(table.columns.count)
    let name = "rows for \(table.name)"
    // A failing call frees the memory, too.
    let code = unsafe sqlite3_create_module_v2(handle, name, rowsModule, source, sqlite3_free)
    guard code == SQLITE_OK else { throw unsafe SQLiteError(code, on: handle, sql: nil) }
    statement = try Statement(
      table.insertion(from: name).text, on: connection, isPersistent: true)
    unsafe self.source = source
  }

  /// Inserts all rows of `batch`, which stays as it is.
  ///
  /// - Throws: `SQLiteError`; none of the rows is then inserted, and the message tells, counted
  ///   from 0, the row of the batch that SQLite was at.
  package mutating func insert(_ batch: borrowing RowBatch) throws(SQLiteError) {
    let source = unsafe source
    precondition(unsafe Int32(batch.columns) == source.pointee.columns, "rows of another table")
    do throws(SQLiteError) {
      try unsafe batch.withUnsafeCells { cells throws(SQLiteError) in
        unsafe source.pointee.values = cells.values
        unsafe source.pointee.classes = cells.classes
        unsafe source.pointee.text = cells.text
        unsafe source.pointee.rows = Int32(cells.rows)
        defer { unsafe source.pointee.rows = 0 }
        try statement.run()
      }
    } catch {
      let place = "\(error.message), at row \(unsafe source.pointee.current) of a batch"
      throw SQLiteError(error.code, extendedCode: error.extendedCode, place, sql: error.sql)
    }
  }
}

extension RowBatch {
  /// The memory of a batch, valid while a closure runs.
  @unsafe fileprivate struct Cells {
    let values: UnsafePointer<Int64>?
    let classes: UnsafePointer<UInt8>?
    let text: UnsafePointer<UInt8>?
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
              rows: rows))
        }
      }
    }
  }
}
