/// The rows of a bulk insert, appended by its closure.
///
/// They are collected in flat memory and inserted in batches: about twice as fast as an
/// `InsertStatement` for a table of a million rows.
public struct BulkInsert: ~Copyable {
  private static let cells = 16_384
  private static let textBytes = 1 << 20

  private let table: TableDescription
  private var statement: BatchInsertStatement
  private var batch: RowBatch
  /// The appended rows that were passed to SQLite, and those of them that it kept.
  private var passed = 0
  private var kept = 0
  private var filled = 0
  /// The error of inserting a batch; without a journal some of its rows remain in the table.
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

  /// Appends a row of values in the order of the description.
  ///
  /// - Throws: `SQLiteError` with `range` for a wrong number of values or a number beyond 64 bits, without appending
  ///   the row; or the error if SQLite refuses an earlier row. Its message contains that row's number from 0, unless a
  ///   foreign key has no parent or the table has a trigger: then SQLite does not identify the row.
  @inlinable
  public mutating func append<each Value: SQLiteValueConvertible>(
    _ value: repeat each Value
  ) throws(SQLiteError) {
    try beginRow()
    do throws(SQLiteError) { repeat try fill(try (each value).sqliteValue) } catch {
      throw error.prefixed(by: place)
    }
    try endRow()
  }

  /// Appends a row as above.
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

  @usableFromInline var place: String {
    "row \(passed + batch.rows): \(table.location(ofColumn: filled))"
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
        "row \(passed + batch.rows) of \(table.name): expected "
          + "\(counted(batch.columns, "value")) \(table.columnList), found \(filled)")
    }
    batch.finishRows(1)
  }

  private mutating func flush() throws(SQLiteError) {
    do throws(SQLiteError) {
      try statement.insert(batch, after: passed)
      kept += try statement.changes
    } catch {
      failure = error
      throw error
    }
    passed += batch.rows
    batch.restart(columns: batch.columns)
    batch.text.removeAll(keepingCapacity: true)
  }

  fileprivate mutating func insertRest() throws(SQLiteError) -> Int {
    if let failure { throw failure }
    if batch.rows > 0 { try flush() }
    return kept
  }
}

extension RowBatch {
  fileprivate mutating func setCell(_ column: Int, to value: SQLiteValue) throws(SQLiteError) {
    switch value {
    case .null: setCell(column, 0, StorageClass.null)
    case .integer(let value): setCell(column, value, StorageClass.integer)
    case .real(let value):
      setCell(column, Int64(bitPattern: value.bitPattern), StorageClass.real)
    case .text(let value): try setCell(column, toBytes: value.utf8, StorageClass.text)
    case .blob(let value): try setCell(column, toBytes: value, StorageClass.blob)
    }
  }
}

extension Connection {
  /// Inserts many rows into an existing table of a description, all or none.
  ///
  /// It runs in one transaction, or in a savepoint of the open one. The closure may use the
  /// connection, but sees appended rows only after their batch has been inserted.
  ///
  /// ```swift
  /// let count = try connection.bulkInsert(intoTable: themes) { rows in
  ///   try rows.append(1, "Technic", .null)
  ///   try rows.append(2, "Arctic", 1)
  /// }
  /// ```
  ///
  /// - Returns: The number of rows that were inserted or updated: all that were appended, but for
  ///   those whose key exists and whose resolution is to keep the existing row.
  /// - Throws: The error of `body`, or `SQLiteError` if SQLite refuses a row, even if `body` caught
  ///   that. Nothing is inserted then.
  @discardableResult
  public func bulkInsert(
    intoTable table: TableDescription, onConflict resolution: ConflictResolution = .fail,
    _ body: (inout BulkInsert) throws(SQLiteError) -> Void
  ) throws(SQLiteError) -> Int {
    try transaction { () throws(SQLiteError) in
      var rows = try BulkInsert(into: table, onConflict: resolution, on: self)
      try body(&rows)
      return try rows.insertRest()
    }
  }

  /// Inserts many rows as above; the closure may throw its own errors.
  @_disfavoredOverload @discardableResult
  public func bulkInsert(
    intoTable table: TableDescription, onConflict resolution: ConflictResolution = .fail,
    _ body: (inout BulkInsert) throws -> Void
  ) throws -> Int {
    try transaction {
      var rows = try BulkInsert(into: table, onConflict: resolution, on: self)
      try body(&rows)
      return try rows.insertRest()
    }
  }
}
