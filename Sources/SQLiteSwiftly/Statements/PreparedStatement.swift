import CSQLite

/// A statement of any kind, compiled once for any number of runs.
///
///     var update = try connection.prepare("UPDATE parts SET name = :name WHERE part_num = :number")
///     for (number, name) in names {
///       try update.run(["name": name, "number": number])
///     }
///
/// It has one owner, and its resources are freed at the end of the owner's scope. Methods may be
/// called in any order: each run starts afresh, even if the previous one was abandoned or failed,
/// and values of earlier runs are never reused. Each parameter needs a value, which is copied.
public struct PreparedStatement: ~Copyable {
  private let statement: Statement
  private let values: [SQLiteValue]
  /// Whether it lasts as long as an outermost call.
  private let isOutermost: Bool

  init(_ sql: SQL, on connection: Connection) throws(SQLiteError) {
    try sql.checkValues()
    statement = try connection.statement(forQuery: sql.text)
    values = sql.values
    isOutermost = false
  }

  /// Creates a statement for one call, in which it must end.
  init(forQuery sql: SQL, on connection: Connection) throws(SQLiteError) {
    try sql.checkValues()
    let isOutermost = try connection.beginCall()
    do throws(SQLiteError) {
      statement = try connection.statement(forQuery: sql.text)
    } catch {
      connection.endCall(isOutermost)
      throw error
    }
    values = sql.values
    self.isOutermost = isOutermost
  }

  deinit { statement.connection.endCall(isOutermost) }

  /// The text of the statement.
  public var text: String { statement.text }

  /// The number of its parameters; a parameter written as `?3` makes it at least 3.
  public var parameterCount: Int { statement.parameterCount }

  /// The names of its parameters as written in the text (`:id`, `@id`, `$id`, `?3`), in order; nil
  /// for a parameter without a name.
  public var parameterNames: [String?] { statement.parameterNames }

  /// The number of columns of its result; 0 if it returns no rows.
  public var columnCount: Int { statement.columnCount }

  /// The names of the columns of its result, in order; empty if it returns no rows.
  ///
  /// A change of the schema can change those of a `SELECT *`, at the first row of the next run.
  public var columnNames: [String] { statement.columnNames }

  /// Runs a statement that returns no rows.
  ///
  /// - Throws: `SQLiteError`: with `range` if a parameter has no value or a value has no parameter, which the message
  ///   names, and with `misuse` if the statement returns rows. The statement is not run then.
  public mutating func run(_ parameters: SQLParameters = .none) throws(SQLiteError) {
    try statement.checkReturnsNoRows()
    let resolved = resolve(parameters)
    try statement.run { () throws(SQLiteError) in try statement.bind(resolved) }
  }

  /// Runs a statement that returns no rows, with values for its parameters in order.
  ///
  /// - Throws: `SQLiteError` as above.
  @_disfavoredOverload @inlinable
  public mutating func run<each Value: SQLiteValueConvertible>(
    _ value: repeat each Value
  ) throws(SQLiteError) {
    // Disfavored, since an array of values would become one blob.
    var values: [SQLiteValue] = []
    repeat values.append(try (each value).sqliteValue)
    try run(SQLParameters(values))
  }

  /// Returns a cursor over the rows of a run, in the given mode; see ``Row``.
  ///
  /// - Returns: A cursor before the first row, whose request begins the run; it borrows the statement.
  @_lifetime(&self)
  public mutating func rows(
    _ parameters: SQLParameters = .none, decoding mode: DecodingMode? = nil
  ) -> Cursor {
    let cursor = Cursor(statement, resolve(parameters), mode)
    return unsafe _overrideLifetime(cursor, mutating: &self)
  }

  /// Returns a cursor over the rows of a run that ends before the calling function does.
  @usableFromInline @_lifetime(&self)
  mutating func rowsOfCall(_ parameters: SQLParameters, _ mode: DecodingMode?) -> Cursor {
    let cursor = Cursor(statement, resolve(parameters), mode, isOneCall: true)
    return unsafe _overrideLifetime(cursor, mutating: &self)
  }

  /// Returns a cursor over the rows of a run, with values for the parameters in order.
  @_disfavoredOverload @_lifetime(&self)
  public mutating func rows<each Value: SQLiteValueConvertible>(
    _ value: repeat each Value
  ) -> Cursor { rows(SQLParameters(pack: repeat each value)) }

  /// Runs the statement and returns copies of all rows.
  public mutating func query(
    _ parameters: SQLParameters = .none
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    var result: [[SQLiteValue]] = []
    var rows = rowsOfCall(parameters, nil)
    while let row = try rows.next() { result.append(try row.values) }
    return result
  }

  /// Runs the statement and decodes all rows.
  ///
  /// - Throws: `SQLiteError` of the run or of decoding, as for a connection; nothing is returned then.
  @inlinable
  public mutating func query<Value: RowDecodable>(
    _ parameters: SQLParameters = .none, as type: Value.Type,
    decoding mode: DecodingMode = .strict
  ) throws(SQLiteError) -> [Value] {
    // Inlined, so that the model's code is specialized where rows are read: three times as fast.
    var values: [Value] = []
    var rows = rowsOfCall(parameters, mode)
    while let row = try rows.next() { values.append(try Value(row: row)) }
    return values
  }

  /// Runs the statement and decodes the columns of all rows, each as its own type.
  @_disfavoredOverload @inlinable
  public mutating func query<each Value: QueryDecodable>(
    _ parameters: SQLParameters = .none, as type: (repeat each Value).Type,
    decoding mode: DecodingMode = .strict
  ) throws(SQLiteError) -> [(repeat each Value)] {
    var values: [(repeat each Value)] = []
    var rows = rowsOfCall(parameters, mode)
    while let row = try rows.next() {
      var decoder = row.decoder(at: 0)
      values.append((repeat try (each Value)(columns: &decoder)))
      try decoder.checkAllColumnsRead(by: type)
    }
    return values
  }

  /// Runs the statement and decodes the one column of its first row; nil if that is NULL, or if there are no rows.
  @inlinable
  public mutating func first<Value: QueryDecodableValue>(
    _ parameters: SQLParameters = .none, as type: Value.Type,
    decoding mode: DecodingMode = .strict
  ) throws(SQLiteError) -> Value? { try first(parameters, as: Value?.self, decoding: mode) ?? nil }

  /// Runs the statement and decodes its first row; nil if there are no rows.
  @inlinable
  public mutating func first<Value: RowDecodable>(
    _ parameters: SQLParameters = .none, as type: Value.Type,
    decoding mode: DecodingMode = .strict
  ) throws(SQLiteError) -> Value? {
    var rows = rowsOfCall(parameters, mode)
    var value: Value?
    if let row = try rows.next() { value = try Value(row: row) }
    try rows.skipRest()
    return value
  }

  /// Runs the statement and decodes the columns of its first row, each as its own type; nil if there are no rows.
  @_disfavoredOverload @inlinable
  public mutating func first<each Value: QueryDecodable>(
    _ parameters: SQLParameters = .none, as type: (repeat each Value).Type,
    decoding mode: DecodingMode = .strict
  ) throws(SQLiteError) -> (repeat each Value)? {
    var rows = rowsOfCall(parameters, mode)
    var value: (repeat each Value)?
    if let row = try rows.next() {
      var decoder = row.decoder(at: 0)
      value = (repeat try (each Value)(columns: &decoder))
      try decoder.checkAllColumnsRead(by: type)
    }
    try rows.skipRest()
    return value
  }

  /// Frees the statement before the end of its owner's scope, for example to close the connection.
  public consuming func close() {}

  private func resolve(_ parameters: SQLParameters) -> SQLParameters {
    guard !values.isEmpty else { return parameters }
    return parameters.isEmpty ? SQLParameters(values) : SQLParameters(.conflicting)
  }
}

extension Connection {
  /// Compiles one statement, to run any number of times.
  ///
  /// - Throws: `SQLiteError` if the SQL is not one valid statement, or uses objects that do not exist.
  public func prepare(_ sql: SQL) throws(SQLiteError) -> PreparedStatement {
    try PreparedStatement(sql, on: self)
  }
}

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
  private let isOneCall: Bool
  /// Whether its rows are an outermost call.
  private var isOutermost = false

  private enum State {
    case notStarted(SQLParameters)
    case running(Int)
    case atEnd
  }

  @_lifetime(immortal)
  init(
    _ statement: Statement, _ parameters: SQLParameters, _ mode: DecodingMode? = nil,
    isOneCall: Bool = false
  ) {
    self.statement = statement
    self.mode = mode
    self.isOneCall = isOneCall
    state = .notStarted(parameters)
  }

  deinit {
    defer { statement.connection.endCall(isOutermost) }
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
    let connection = statement.connection
    let isBegun = try connection.beginCall()
    if isOneCall { isOutermost = isOutermost || isBegun }
    defer { if !isOneCall { connection.endCall(isBegun) } }
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
  mutating func skipRest() throws(SQLiteError) {
    let isOutermost = try statement.connection.beginCall()
    defer { statement.connection.endCall(isOutermost) }
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
