import CSQLite

/// A run of a statement, whose rows are read one at a time.
///
///     var statement = try connection.prepare("SELECT part_num, name FROM parts")
///     var cursor = statement.rows()
///     while let row = try cursor.next() { names.append(try row.text(at: 1) ?? "") }
///
/// Memory does not grow with the number of rows: there is one at a time. A cursor has exclusive use of
/// its statement, and a row of its cursor. Using a row that is gone does not compile, or throws where
/// the compiler does not see it. Rows may be left unread, except those of a statement that writes:
/// only its end shows whether SQLite could keep the changes.
public struct Cursor: ~Copyable, ~Escapable {
  private let statement: Statement
  private let mode: DecodingMode
  private var state: State
  private var start: ContinuousClock.Instant?

  private enum State {
    case notStarted(SQLParameters)
    case running(Int)
    case atEnd
  }

  @_lifetime(immortal)
  init(_ statement: Statement, _ parameters: SQLParameters, _ mode: DecodingMode = .lenient) {
    self.statement = statement
    self.mode = mode
    state = .notStarted(parameters)
  }

  deinit {
    // Another cursor of the statement may have taken over.
    if case .running(statement.run) = state {
      // What cannot be kept of a change is lost; only the trace handler can be told.
      try? statement.check(statement.reset(), is: SQLITE_OK)
    }
    guard let start else { return }
    statement.connection.tell(.finished(sql: statement.text, duration: .now - start))
  }

  /// Goes on to the next row; the first call begins the run.
  ///
  /// ```swift
  /// var cursor = statement.rows()
  /// if let row = try cursor.next() { oldest = try row["name"] }
  /// ```
  ///
  /// - Returns: The row, which borrows the cursor; nil after the last one.
  /// - Throws: `SQLiteError`: with `range` if a parameter has no value or a value no parameter, which
  ///   the message names, or the error of the run. There are no more rows then.
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
      throw statement.refusal(.misuse, "Another run of the statement has begun meanwhile")
    // A further step would run the statement again.
    case .atEnd: return false
    }
    guard try statement.step() else { return false }
    state = .running(statement.run)
    return true
  }

  /// Leaves the remaining rows unread, and throws if SQLite cannot keep what the statement has written,
  /// which is known only now.
  @usableFromInline
  mutating func finish() throws(SQLiteError) {
    guard case .running(statement.run) = exchange(&state, with: .atEnd) else { return }
    try statement.check(statement.reset(), is: SQLITE_OK)
  }

  /// The row that was advanced to.
  var row: Row {
    @_lifetime(borrow self) get {
      let row = Row(statement, mode)
      return unsafe _overrideLifetime(row, borrowing: self)
    }
  }

  /// The names of the columns, right after a step.
  var columnNames: [String] { statement.columnNames }
}
