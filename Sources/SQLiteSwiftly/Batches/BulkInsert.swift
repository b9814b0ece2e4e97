/// The rows of one bulk insert, which its closure appends.
///
/// They are collected in flat memory and inserted many at a time: for a table of a million rows about twice
/// as fast as an `InsertStatement`.
public struct BulkInsert: ~Copyable {
  /// About as many cells and bytes of text as are inserted at a time.
  private static let cells = 16_384
  private static let textBytes = 1 << 20

  private let table: TableDescription
  private var statement: BatchInsertStatement
  private var batch: RowBatch
  private var inserted = 0
  /// The cells of the row that is being appended.
  private var filled = 0
  /// Why rows could not be inserted, some of which are there if the database has no journal.
  private var failure: SQLiteError?

  fileprivate init(
    into table: TableDescription, onConflict resolution: ConflictResolution,
    on connection: Connection
  ) throws(SQLiteError) {
    let statement = try BatchInsertStatement(into: table, onConflict: resolution, on: connection)
    let columns = table.columns.count
    var batch = RowBatch(cells: max(Self.cells / columns, 1) * columns, textCapacity: 0)
    batch.restart(columns: columns)
    self.table = table
    self.statement = statement
    self.batch = batch
  }

  /// Appends a row, whose values are in the order of the description.
  ///
  /// ```swift
  /// let count = try connection.bulkInsert(intoTable: themes) { rows in
  ///   for (id, name) in names { try rows.append(id, name, .null) }
  /// }
  /// ```
  ///
  /// - Throws: `SQLiteError` with `range` for a wrong number of values or a number beyond 64 bits, and the
  ///   row is left out; or when SQLite refuses one of the rows so far. The message has that row's number
  ///   from 0, unless a foreign key has no parent or the table has a trigger: then SQLite does not say
  ///   which row it is.
  @inlinable
  public mutating func append<each Value: SQLiteValueConvertible>(
    _ value: repeat each Value
  ) throws(SQLiteError) {
    try beginRow()
    repeat try fill(try (each value).sqliteValue)
    try endRow()
  }

  /// Appends a row, whose values are in the order of the description.
  ///
  /// ```swift
  /// let count = try connection.bulkInsert(intoTable: words) { rows in
  ///   for row in read { try rows.append(row) }
  /// }
  /// ```
  public mutating func append(_ values: [SQLiteValue]) throws(SQLiteError) {
    try beginRow()
    for index in values.indices { try fill(values[index]) }
    try endRow()
  }

  @usableFromInline
  mutating func beginRow() throws(SQLiteError) {
    if let failure { throw failure }
    filled = 0
    let isFull = (batch.rows + 1) * batch.columns > batch.values.count
    if isFull || batch.text.count > Self.textBytes { try flush() }
  }

  @usableFromInline
  mutating func fill(_ value: SQLiteValue) throws(SQLiteError) {
    if filled < batch.columns { try batch.setCell(filled, to: value) }
    filled += 1
  }

  @usableFromInline
  mutating func endRow() throws(SQLiteError) {
    guard filled == batch.columns else {
      throw SQLiteError(
        .range,
        "row \(inserted + batch.rows) of \(table.name) was given \(counted(filled, "value")) for "
          + counted(batch.columns, "column"))
    }
    batch.finishRows(1)
  }

  private mutating func flush() throws(SQLiteError) {
    do throws(SQLiteError) {
      try statement.insert(batch, after: inserted)
    } catch {
      failure = error
      throw error
    }
    inserted += batch.rows
    batch.restart(columns: batch.columns)
    batch.text.removeAll(keepingCapacity: true)
  }

  fileprivate mutating func finish() throws(SQLiteError) -> Int {
    if let failure { throw failure }
    if batch.rows > 0 { try flush() }
    return inserted
  }
}

extension RowBatch {
  /// Sets a cell of the next row; the bytes of a text or blob are copied into the arena.
  fileprivate mutating func setCell(
    _ column: Int, to value: SQLiteValue
  ) throws(SQLiteError) {
    switch value {
    case .null:
      var cells = nextCells(ofColumn: column)
      cells.setNull(0)
    case .integer(let value): setCell(column, value, StorageClass.integer)
    case .real(let value):
      setCell(column, Int64(bitPattern: value.bitPattern), StorageClass.real)
    case .text(let value): try setCell(column, of: value.utf8, StorageClass.text)
    case .blob(let value): try setCell(column, of: value, StorageClass.blob)
    }
  }

  private mutating func setCell(
    _ column: Int, of bytes: some Collection<UInt8>, _ storageClass: UInt8
  ) throws(SQLiteError) {
    let start = text.count
    guard let end = UInt32(exactly: start + bytes.count) else {
      throw SQLiteError(.tooBig, "A row of more than 4 GiB cannot be inserted")
    }
    text += bytes
    setCell(column, Self.value(ofTextAt: UInt32(start), end), storageClass)
  }

  private mutating func setCell(_ column: Int, _ value: Int64, _ storageClass: UInt8) {
    var cells = nextCells(ofColumn: column)
    cells.set(0, to: value, storageClass)
  }
}

extension Connection {
  /// Inserts many rows into the table of a description, all of them or none.
  ///
  /// It is one transaction, or a savepoint of the one that is open. The closure may use the connection, but
  /// sees the rows that it appended only once they were inserted, which is done many at a time.
  ///
  /// ```swift
  /// let count = try connection.bulkInsert(intoTable: themes) { rows in
  ///   try rows.append(1, "Technic", .null)
  ///   try rows.append(2, "Arctic", 1)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - table: the description; the table must exist.
  ///   - resolution: what is done with a row whose primary key is there already.
  ///   - body: appends the rows.
  /// - Returns: The number of rows that were appended.
  /// - Throws: What `body` threw, or `SQLiteError` when SQLite refuses a row, also if `body` caught that.
  ///   Nothing is inserted then.
  @discardableResult
  public func bulkInsert(
    intoTable table: TableDescription, onConflict resolution: ConflictResolution = .fail,
    _ body: (inout BulkInsert) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> Int {
    try transaction { () throws(SQLiteError) in
      var rows = try BulkInsert(into: table, onConflict: resolution, on: self)
      try body(&rows)
      return try rows.finish()
    }
  }

  /// Inserts many rows as above, where the closure may throw errors of its own.
  @_disfavoredOverload @discardableResult
  public func bulkInsert(
    intoTable table: TableDescription, onConflict resolution: ConflictResolution = .fail,
    _ body: (inout BulkInsert) throws -> Void
  ) throws -> Int {
    try transaction {
      var rows = try BulkInsert(into: table, onConflict: resolution, on: self)
      try body(&rows)
      return try rows.finish()
    }
  }
}
