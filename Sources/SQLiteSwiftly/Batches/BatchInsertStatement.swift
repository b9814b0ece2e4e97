import CSQLite

/// A prepared insert into one table that inserts a whole `RowBatch` per run.
///
/// It is an `INSERT … SELECT` from a virtual table (<https://www.sqlite.org/vtab.html>) over the
/// batch: one step for all rows, no binding, and texts are read in place. Check the rows first: if
/// SQLite refuses one, the whole run is undone.
///
/// Columns that were NULL in all rows so far are omitted, since it takes as long to ask the batch for a NULL as for a
/// value. The statement is compiled again when one of them gets a value.
@safe package struct BatchInsertStatement: ~Copyable {
  /// How often it is compiled again at most: that takes long if there are thousands of columns.
  private static let mostCompilations = 16

  private let table: TableDescription
  private let resolution: ConflictResolution
  private var statement: Statement
  // SQLite frees it with the connection, which the statement retains.
  private let source: UnsafeMutablePointer<csqlite_rows>
  /// The columns that the statement omits; nil before the first row, when it omits none.
  private var omittedColumns: [Int]?
  private var compilations = 0

  package init(
    into table: TableDescription, onConflict resolution: ConflictResolution = .fail,
    on connection: Connection
  ) throws(SQLiteError) {
    try table.validate()
    let source = try unsafe connection.rowSource(columns: table.columns.count)
    statement = try Statement(
      into: table, omitting: [], onConflict: resolution, on: connection)
    unsafe self.source = source
    self.table = table
    self.resolution = resolution
  }

  /// The columns that were NULL in all rows so far, as far as known.
  package var emptyColumns: [Int] { omittedColumns ?? Array(table.columns.indices) }

  /// Omits the columns that are NULL in all rows, including those of the batch.
  private mutating func omitEmptyColumns(_ batch: borrowing RowBatch) throws(SQLiteError) {
    guard omittedColumns != [], batch.rows > 0 else { return }
    var empty = emptyColumns.filter { !batch.hasValue(inColumn: $0) }
    if empty != omittedColumns ?? [] {
      try statement.connection.checkTransaction(before: statement.text)
      compilations += 1
      if compilations == Self.mostCompilations { empty = [] }
      statement = try Statement(
        into: table, omitting: empty, onConflict: resolution, on: statement.connection)
    }
    omittedColumns = empty
  }

  /// The rows that the last run inserted or updated.
  var changes: Int { get throws(SQLiteError) { try statement.connection.changes } }

  /// Inserts all rows of `batch` or none, unless the database has no journal to undo them with.
  ///
  /// If SQLite refuses a row, the message contains its number from 0, which includes the `earlier` rows.
  package mutating func insert(
    _ batch: borrowing RowBatch, after earlier: Int = 0
  ) throws(SQLiteError) {
    let source = unsafe source
    precondition(unsafe Int32(batch.columns) == source.pointee.columns, "wrong number of columns")
    try omitEmptyColumns(batch)
    unsafe source.pointee.current = -1
    do throws(SQLiteError) {
      try unsafe batch.values.withUnsafeBufferPointer { values throws(SQLiteError) in
        try unsafe batch.classes.withUnsafeBufferPointer { classes throws(SQLiteError) in
          try unsafe batch.text.withUnsafeBufferPointer { text throws(SQLiteError) in
            unsafe source.pointee.values = values.baseAddress
            unsafe source.pointee.classes = classes.baseAddress
            unsafe source.pointee.text = text.baseAddress
            unsafe source.pointee.text_bytes = Int64(text.count)
            unsafe source.pointee.rows = Int32(batch.rows)
            defer { unsafe source.pointee.rows = 0 }
            try statement.run { () throws(SQLiteError) in }
          }
        }
      }
    } catch {
      let row = Int(unsafe source.pointee.current)
      guard 0..<batch.rows ~= row else { throw error }
      throw error.prefixed(by: "row \(earlier + row)")
    }
  }
}

extension Statement {
  fileprivate convenience init(
    into table: TableDescription, omitting columns: [Int],
    onConflict resolution: ConflictResolution, on connection: Connection
  ) throws(SQLiteError) {
    let insertion = try table.insertion(
      from: Connection.rowsTable(columns: table.columns.count), omitting: columns,
      onConflict: resolution)
    try self.init(insertion.text, on: connection, isPersistent: true)
  }
}

extension Connection {
  /// The name of the virtual table for rows of that number of columns; no ordinary table can have such a name.
  static func rowsTable(columns: Int) -> String { "sqlite_rows_\(columns)" }

  /// The source of that virtual table, which lives as long as any statement that uses the table.
  ///
  /// One source serves all statements for that number of columns, since one thread at a time uses
  /// the connection. The table must never be created again: SQLite would free the source of a
  /// statement when a change of the schema makes it compile the statement again.
  @unsafe func rowSource(columns: Int) throws(SQLiteError) -> UnsafeMutablePointer<csqlite_rows> {
    let handle = try unsafe openHandle()
    if let source = unsafe rowSources[columns] { return unsafe source }
    guard let source = unsafe allocate(csqlite_rows()) else {
      throw SQLiteError(.outOfMemory, "out of memory for an insert")
    }
    unsafe source.pointee.columns = Int32(columns)
    // A failing call frees the memory, too.
    let code = unsafe sqlite3_create_module_v2(
      handle, Self.rowsTable(columns: columns), rowsModule, source, sqlite3_free)
    guard code == SQLITE_OK else { throw unsafe SQLiteError(code, on: handle, sql: nil) }
    unsafe rowSources[columns] = source
    return unsafe source
  }
}

/// The module of the virtual table that serves the rows of a batch.
///
/// It lives as long as the process, since every connection of SQLite keeps its address.
nonisolated(unsafe) private let rowsModule: UnsafePointer<sqlite3_module> = {
  let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
  unsafe module.initialize(to: sqlite3_module())
  // Without xCreate, the table exists by its name alone, and nothing is stored.
  unsafe module.pointee.xConnect = connect
  unsafe module.pointee.xBestIndex = { _, plan in
    unsafe plan?.pointee.estimatedCost = 1
    return SQLITE_OK
  }
  unsafe module.pointee.xDisconnect = { table in
    unsafe sqlite3_free(table)
    return SQLITE_OK
  }
  unsafe module.pointee.xOpen = openCursor
  unsafe module.pointee.xClose = { cursor in
    unsafe sqlite3_free(cursor)
    return SQLITE_OK
  }
  unsafe module.pointee.xFilter = { cursor, _, _, _, _ in
    unsafe rows(of: cursor)?.pointee.current = 0
    return SQLITE_OK
  }
  unsafe module.pointee.xNext = { cursor in
    unsafe rows(of: cursor)?.pointee.current += 1
    return SQLITE_OK
  }
  unsafe module.pointee.xEof = { cursor in
    guard let rows = unsafe rows(of: cursor) else { return 1 }
    return unsafe rows.pointee.current < rows.pointee.rows ? 0 : 1
  }
  unsafe module.pointee.xColumn = column
  unsafe module.pointee.xRowid = { cursor, rowid in
    unsafe rowid?.pointee = Int64(rows(of: cursor)?.pointee.current ?? 0)
    return SQLITE_OK
  }
  return unsafe UnsafePointer(module)
}()

/// Allocates memory for `sqlite3_free`; nil if there is none.
private func allocate<Value>(_ value: Value) -> UnsafeMutablePointer<Value>? {
  unsafe sqlite3_malloc64(UInt64(MemoryLayout<Value>.size))?
    .initializeMemory(as: Value.self, to: value)
}

private func connect(
  _ connection: OpaquePointer?, _ rows: UnsafeMutableRawPointer?, _: Int32,
  _: UnsafePointer<UnsafePointer<CChar>?>?,
  _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
  _: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  guard let rows = unsafe rows?.assumingMemoryBound(to: csqlite_rows.self) else {
    return SQLITE_MISUSE
  }
  let columns = (0..<(unsafe rows.pointee.columns)).map { "c\($0)" }.joined(separator: ", ")
  let code = unsafe sqlite3_declare_vtab(connection, "CREATE TABLE rows (\(columns))")
  guard code == SQLITE_OK else { return code }
  guard let table = unsafe allocate(csqlite_rows_table(base: sqlite3_vtab(), rows: rows)) else {
    return SQLITE_NOMEM
  }
  unsafe result?.pointee = UnsafeMutableRawPointer(table)
    .assumingMemoryBound(to: sqlite3_vtab.self)
  return SQLITE_OK
}

private func openCursor(
  _ table: UnsafeMutablePointer<sqlite3_vtab>?,
  _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>?
) -> Int32 {
  let rows = unsafe UnsafeMutableRawPointer(table)?
    .assumingMemoryBound(to: csqlite_rows_table.self).pointee.rows
  let start = unsafe csqlite_rows_cursor(base: sqlite3_vtab_cursor(), rows: rows)
  guard let cursor = unsafe allocate(start) else { return SQLITE_NOMEM }
  unsafe result?.pointee = UnsafeMutableRawPointer(cursor)
    .assumingMemoryBound(to: sqlite3_vtab_cursor.self)
  return SQLITE_OK
}

private func column(
  _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?, _ context: OpaquePointer?, _ index: Int32
) -> Int32 {
  guard let rows = unsafe rows(of: cursor) else { return SQLITE_MISUSE }
  let cell = unsafe Int(rows.pointee.current) * Int(rows.pointee.columns) + Int(index)
  let value = unsafe rows.pointee.values[cell]
  switch unsafe rows.pointee.classes[cell] {
  case RowBatch.StorageClass.integer:
    unsafe sqlite3_result_int64(context, value)
  case RowBatch.StorageClass.text:
    let (start, count) = unsafe location(value, rows)
    unsafe csqlite_result_text(context, start, UInt64(count), 0)
  case RowBatch.StorageClass.real:
    unsafe sqlite3_result_double(context, Double(bitPattern: UInt64(bitPattern: value)))
  case RowBatch.StorageClass.blob:
    let (start, count) = unsafe location(value, rows)
    unsafe csqlite_result_blob(context, start, UInt64(count), 0)
  default:
    // A column without a result is NULL.
    break
  }
  return SQLITE_OK
}

@inline(__always)
private func location(
  _ value: Int64, _ rows: UnsafeMutablePointer<csqlite_rows>
) -> (start: UnsafePointer<UInt8>?, count: Int) {
  let (start, count) = RowBatch.textPlace(value)
  precondition(unsafe start + count <= rows.pointee.text_bytes, "text outside the batch's arena")
  return unsafe (count > 0 ? rows.pointee.text + start : nil, count)
}

private func rows(
  of cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
) -> UnsafeMutablePointer<csqlite_rows>? {
  unsafe UnsafeMutableRawPointer(cursor)?
    .assumingMemoryBound(to: csqlite_rows_cursor.self).pointee.rows
}
