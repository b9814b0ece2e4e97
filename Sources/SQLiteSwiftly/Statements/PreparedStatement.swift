/// A statement of any kind, compiled once for any number of runs.
///
///     var update = try connection.prepare("UPDATE parts SET name = :name WHERE part_num = :number")
///     for (number, name) in names {
///       try update.run(["name": name, "number": number])
///     }
///
/// It has one owner, and its resources are freed at the end of the owner's scope. Methods may be
/// called in any order: each run starts afresh, even if the previous one was abandoned or failed,
/// and values of earlier runs are never reused.
public struct PreparedStatement: ~Copyable {
  private let statement: Statement
  /// The values interpolated into the SQL.
  private let values: [SQLiteValue]

  init(_ sql: SQL, on connection: Connection) throws(SQLiteError) {
    if let failure = sql.failure { throw failure }
    statement = try Statement(sql.text, on: connection, isPersistent: true)
    values = sql.values
  }

  /// The text of the statement.
  public var text: String { statement.text }

  /// The number of its parameters; a parameter written as `?3` makes it at least 3.
  ///
  /// ```swift
  /// let isComplete = newer.parameterCount == values.count
  /// ```
  public var parameterCount: Int { statement.parameterCount }

  /// The names of its parameters as written in the text (`:id`, `@id`, `$id`, `?3`), in order; nil
  /// for a parameter without a name.
  ///
  /// ```swift
  /// let search = try connection.prepare("SELECT * FROM parts WHERE part_num = :number AND name = ?")
  /// let parameters = search.parameterNames.map { $0 ?? "?" }
  /// ```
  public var parameterNames: [String?] { statement.parameterNames }

  /// The number of columns of its result; 0 if it returns no rows.
  ///
  /// ```swift
  /// let returnsRows = newer.columnCount > 0
  /// ```
  public var columnCount: Int { statement.columnCount }

  /// The names of the columns of its result, in order; empty if it returns no rows.
  ///
  /// A change of the schema can change those of a `SELECT *`, at the first row of the next run.
  ///
  /// ```swift
  /// let all = try connection.prepare("SELECT * FROM parts")
  /// let header = all.columnNames.joined(separator: ",")
  /// ```
  public var columnNames: [String] { statement.columnNames }

  /// Runs a statement that returns no rows.
  ///
  /// - Parameter parameters: a value for each parameter; they are copied.
  /// - Throws: `SQLiteError`: with `range` if a parameter has no value or a value has no parameter,
  ///   which the message names, and with `misuse` if the statement returns rows. The statement is
  ///   not run then.
  public mutating func run(_ parameters: SQLParameters = .none) throws(SQLiteError) {
    try statement.checkReturnsNoRows()
    let resolved = resolve(parameters)
    try statement.run { () throws(SQLiteError) in try statement.bind(resolved) }
  }

  /// Runs a statement that returns no rows, with values for its parameters in order.
  ///
  /// ```swift
  /// var update = try connection.prepare("UPDATE parts SET name = ? WHERE part_num = ?")
  /// try update.run(name, number)
  /// ```
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

  /// Returns a cursor over the rows of a run.
  ///
  /// ```swift
  /// var search = try connection.prepare("SELECT name FROM parts WHERE year BETWEEN :from AND :to")
  /// var rows = search.rows(["from": 1950, "to": 1959])
  /// while let row = try rows.next() { names.append(try row["name"]) }
  /// ```
  ///
  /// - Parameter parameters: a value for each parameter; they are copied.
  /// - Returns: A cursor before the first row, which borrows the statement. The run begins when the
  ///   first row is requested.
  @_lifetime(&self)
  public mutating func rows(_ parameters: SQLParameters = .none) -> Cursor {
    rows(parameters, .lenient)
  }

  /// Returns a cursor over the rows of a run, with values for the parameters in order.
  ///
  /// ```swift
  /// var heavy = try connection.prepare("SELECT name FROM parts WHERE weight > ? AND material = ?")
  /// var rows = heavy.rows(weight, "Plastic")
  /// while let row = try rows.next() { names.append(try row["name"]) }
  /// ```
  @_disfavoredOverload @_lifetime(&self)
  public mutating func rows<each Value: SQLiteValueConvertible>(
    _ value: repeat each Value
  ) -> Cursor {
    rows(SQLParameters(pack: repeat each value), .lenient)
  }

  @_lifetime(&self) @usableFromInline
  mutating func rows(_ parameters: SQLParameters, _ mode: DecodingMode) -> Cursor {
    let cursor = Cursor(statement, resolve(parameters), mode)
    return unsafe _overrideLifetime(cursor, mutating: &self)
  }

  /// Runs the statement and returns copies of all rows.
  ///
  /// ```swift
  /// var newer = try connection.prepare("SELECT name, year FROM parts WHERE year > ?")
  /// let found = try newer.query([1970])
  /// let name = found.first?[0].textValue
  /// ```
  public mutating func query(
    _ parameters: SQLParameters = .none
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    var result: [[SQLiteValue]] = []
    var rows = rows(parameters)
    while let row = try rows.next() { result.append(try row.values) }
    return result
  }

  /// Runs the statement and decodes all rows.
  ///
  /// ```swift
  /// var search = try connection.prepare("SELECT name FROM parts WHERE part_num = ?")
  /// let brick = try search.query(["3001"], as: String.self).first
  /// let tyre = try search.query(["3139"], as: String.self).first
  /// ```
  ///
  /// - Parameters:
  ///   - parameters: a value for each parameter; they are copied.
  ///   - type: the type of a decoded row.
  ///   - mode: the handling of values of other storage classes.
  /// - Returns: The decoded values, in the order of the rows.
  /// - Throws: `SQLiteError` of the run or of decoding; nothing is returned then.
  @inlinable
  public mutating func query<Value: RowDecodable>(
    _ parameters: SQLParameters = .none, as type: Value.Type, _ mode: DecodingMode = .lenient
  ) throws(SQLiteError) -> [Value] {
    // Inlined, so that the model's code is specialized where rows are read: three times as fast.
    var values: [Value] = []
    var rows = rows(parameters, mode)
    while let row = try rows.next() { values.append(try Value(row: row)) }
    return values
  }

  /// Runs the statement and decodes the first columns of all rows, each as its own type.
  ///
  /// ```swift
  /// var statement = try connection.prepare("SELECT part_num, name FROM parts WHERE name LIKE ?")
  /// let bricks = try statement.query(["Brick%"], as: (String, String?).self)
  /// ```
  ///
  /// - Parameters:
  ///   - parameters: a value for each parameter; they are copied.
  ///   - type: the types of the columns, starting at the first.
  ///   - mode: the handling of values of other storage classes.
  /// - Returns: The decoded values, in the order of the rows.
  /// - Throws: `SQLiteError` of the run or of decoding; nothing is returned then.
  @_disfavoredOverload @inlinable
  public mutating func query<each Value: QueryDecodable>(
    _ parameters: SQLParameters = .none, as type: (repeat each Value).Type,
    _ mode: DecodingMode = .lenient
  ) throws(SQLiteError) -> [(repeat each Value)] {
    var values: [(repeat each Value)] = []
    var rows = rows(parameters, mode)
    while let row = try rows.next() {
      var decoder = row.decoder(at: 0)
      values.append((repeat try (each Value)(columns: &decoder)))
    }
    return values
  }

  /// Runs the statement and decodes its first row; nil if there are no rows.
  ///
  /// ```swift
  /// var search = try connection.prepare("SELECT name FROM parts WHERE part_num = ?")
  /// let brick = try search.first(["3001"], as: String.self)
  /// ```
  @inlinable
  public mutating func first<Value: RowDecodable>(
    _ parameters: SQLParameters = .none, as type: Value.Type, _ mode: DecodingMode = .lenient
  ) throws(SQLiteError) -> Value? {
    var rows = rows(parameters, mode)
    var value: Value?
    if let row = try rows.next() { value = try Value(row: row) }
    try rows.finish()
    return value
  }

  /// Runs the statement and decodes the first columns of its first row, each as its own type; nil
  /// if there are no rows.
  @_disfavoredOverload @inlinable
  public mutating func first<each Value: QueryDecodable>(
    _ parameters: SQLParameters = .none, as type: (repeat each Value).Type,
    _ mode: DecodingMode = .lenient
  ) throws(SQLiteError) -> (repeat each Value)? {
    var rows = rows(parameters, mode)
    var value: (repeat each Value)?
    if let row = try rows.next() {
      var decoder = row.decoder(at: 0)
      value = (repeat try (each Value)(columns: &decoder))
    }
    try rows.finish()
    return value
  }

  /// Frees the statement before the end of its owner's scope, for example to close the connection.
  ///
  /// ```swift
  /// statement.close()
  /// try connection.close()
  /// ```
  public consuming func close() {}

  /// The values of a run: the parameters, or the values interpolated into the SQL.
  private func resolve(_ parameters: SQLParameters) -> SQLParameters {
    guard !values.isEmpty else { return parameters }
    return parameters.isEmpty ? SQLParameters(values) : SQLParameters(.conflicting)
  }
}

extension Connection {
  /// Compiles one statement, to run any number of times.
  ///
  /// ```swift
  /// var statement = try connection.prepare("DELETE FROM parts WHERE material = :material")
  /// try statement.run(["material": "Rubber"])
  /// try statement.run(["material": "Foam"])
  /// ```
  ///
  /// - Throws: `SQLiteError` if the SQL is not one valid statement, or uses objects that do not
  ///   exist.
  public func prepare(_ sql: SQL) throws(SQLiteError) -> PreparedStatement {
    try PreparedStatement(sql, on: self)
  }
}
