import CSQLite

/// A run of a statement that reads one row at a time.
///
///     var statement = try connection.prepare("SELECT part_num, name FROM parts")
///     var cursor = statement.rows()
///     while let row = try cursor.next() { names.append(try row.text(at: 1) ?? "") }
///
/// Only one row is in memory at a time. A cursor has exclusive use of its statement, and a row of its cursor. Use of an
/// outdated row does not compile, or throws if the compiler cannot detect it. Rows may be left unread, unless the
/// statement writes: only its end shows whether SQLite could store the changes.
public struct Cursor: ~Copyable, ~Escapable {
  private let statement: Statement
  private let mode: DecodingMode?
  private var state: State
  private var start: ContinuousClock.Instant?

  private enum State {
    case notStarted(SQLParameters)
    case running(Int)
    case atEnd
  }

  @_lifetime(immortal)
  init(_ statement: Statement, _ parameters: SQLParameters, _ mode: DecodingMode? = nil) {
    self.statement = statement
    self.mode = mode
    state = .notStarted(parameters)
  }

  deinit {
    // Another cursor of the statement may have started.
    if case .running(statement.run) = state {
      // An error while storing a change is lost here, except for the trace handler.
      try? statement.check(statement.reset(), is: SQLITE_OK)
    }
    guard let start else { return }
    statement.connection.trace(.finished(sql: statement.text, duration: .now - start))
  }

  /// Advances to the next row; the first call begins the run.
  ///
  /// - Returns: The row, which borrows the cursor; nil after the last one.
  /// - Throws: `SQLiteError`: with `range` if a parameter has no value or a value has no parameter,
  ///   which the message names, or the error of the run. No more rows follow.
  @_lifetime(&self)
  public mutating func next() throws(SQLiteError) -> Row? {
    guard try advance() else { return nil }
    let row = Row(statement, mode)
    return unsafe _overrideLifetime(row, mutating: &self)
  }

  mutating func advance() throws(SQLiteError) -> Bool {
    switch exchange(&state, with: .atEnd) {
    case .notStarted(let parameters):
      if statement.connection.isTraced {
        try statement.connection.checkOccupation()
        start = .now
      }
      try statement.start { () throws(SQLiteError) in try statement.bind(parameters) }
    case .running(statement.run): break
    case .running:
      throw statement.refusal(.misuse, "another run of the statement has begun")
    // Another step would run the statement again.
    case .atEnd: return false
    }
    guard try statement.step() else { return false }
    state = .running(statement.run)
    return true
  }

  /// Skips the remaining rows, and throws if SQLite cannot store the changes, which only the end of the run shows.
  @usableFromInline
  mutating func finish() throws(SQLiteError) {
    guard case .running(statement.run) = exchange(&state, with: .atEnd) else { return }
    try statement.check(statement.reset(), is: SQLITE_OK)
  }

  var row: Row {
    @_lifetime(borrow self) get {
      let row = Row(statement, mode)
      return unsafe _overrideLifetime(row, borrowing: self)
    }
  }

  var columnNames: [String] { statement.columnNames }
}
