extension Connection {
  /// Runs one statement that returns no rows.
  ///
  /// Here and in the queries below, empty SQL does nothing and has no rows: it is what a builder makes
  /// of an insert of no rows.
  ///
  /// ```swift
  /// try connection.execute("UPDATE parts SET name = \(name) WHERE part_num = \(number)")
  /// try connection.execute("DELETE FROM parts WHERE part_num = :number", ["number": "973"])
  /// ```
  ///
  /// - Parameters:
  ///   - sql: the statement, compiled for this one run.
  ///   - parameters: the values for parameters that are written into it; they are copied.
  /// - Throws: `SQLiteError`; with `misuse` and without running it if the statement returns rows, which
  ///   would be lost.
  public func execute(
    _ sql: SQL, _ parameters: SQLParameters = .none
  ) throws(SQLiteError) {
    guard !isNothing(sql, parameters) else { return }
    var statement = try prepare(sql)
    try statement.run(parameters)
  }

  /// Runs one statement and returns copies of all rows of its result, each with its columns in their
  /// order.
  ///
  /// ```swift
  /// let rows = try connection.query("SELECT part_num, name FROM parts")
  /// let firstName = rows.first?[1].textValue
  /// ```
  public func query(
    _ sql: SQL, _ parameters: SQLParameters = .none
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    guard !isNothing(sql, parameters) else { return [] }
    var statement = try prepare(sql)
    return try statement.query(parameters)
  }

  /// Runs one statement and decodes all rows of its result, each as one value.
  ///
  /// ```swift
  /// let count = try connection.query("SELECT count(*) FROM parts", as: Int.self)[0]
  /// let names = try connection.query("SELECT name FROM parts", as: String?.self)
  /// ```
  ///
  /// - Parameters:
  ///   - sql: the statement.
  ///   - parameters: the values for parameters that are written into it.
  ///   - type: what each row is decoded as: a model, or a type that one column can hold, which leaves those
  ///     after the first unread.
  ///   - mode: what is done with values of other storage classes than those asked for.
  /// - Returns: What was decoded, in the order of the rows.
  /// - Throws: `SQLiteError` of the run or of decoding; nothing is returned then.
  @inlinable
  public func query<Value: RowDecodable>(
    _ sql: SQL, _ parameters: SQLParameters = .none, as type: Value.Type,
    _ mode: DecodingMode = .lenient
  ) throws(SQLiteError) -> [Value] {
    guard !isNothing(sql, parameters) else { return [] }
    var statement = try prepare(sql)
    return try statement.query(parameters, as: type, mode)
  }

  /// Runs one statement and decodes the first columns of all rows of its result, each as a type of its own.
  ///
  /// ```swift
  /// let parts = try connection.query(
  ///   "SELECT part_num, name FROM parts", as: (String, String?).self)
  /// for (number, name) in parts { names[number] = name }
  /// ```
  @_disfavoredOverload @inlinable
  public func query<each Value: QueryDecodable>(
    _ sql: SQL, _ parameters: SQLParameters = .none, as type: (repeat each Value).Type,
    _ mode: DecodingMode = .lenient
  ) throws(SQLiteError) -> [(repeat each Value)] {
    guard !isNothing(sql, parameters) else { return [] }
    var statement = try prepare(sql)
    return try statement.query(parameters, as: type, mode)
  }

  /// Runs one statement and returns what a closure makes of each row of its result.
  ///
  /// ```swift
  /// let parts = try connection.query("SELECT part_num, name FROM parts") {
  ///   row throws(SQLiteError) in
  ///   (number: try String(decoder: &row), name: try row.decode(String.self))
  /// }
  /// ```
  public func query<Value>(
    _ sql: SQL, _ parameters: SQLParameters = .none, _ mode: DecodingMode = .lenient,
    decodingRow: (inout SQLiteQueryDecoder) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> [Value] {
    var values: [Value] = []
    try forEachRow(of: sql, parameters) { row throws(SQLiteError) in
      var decoder = row.decoder(mode)
      values.append(try decodingRow(&decoder))
    }
    return values
  }

  /// Runs one statement and returns what a closure makes of each row of its result, where the closure may
  /// throw errors of its own.
  ///
  /// ```swift
  /// let pairs = try connection.query("SELECT part_num, name FROM parts") {
  ///   (try $0.decode(String.self), try $0.decode(String.self))
  /// }
  /// ```
  @_disfavoredOverload
  public func query<Value>(
    _ sql: SQL, _ parameters: SQLParameters = .none, _ mode: DecodingMode = .lenient,
    decodingRow: (inout SQLiteQueryDecoder) throws -> Value
  ) throws -> [Value] {
    var values: [Value] = []
    try forEachRow(of: sql, parameters) { row in
      var decoder = row.decoder(mode)
      values.append(try decodingRow(&decoder))
    }
    return values
  }

  /// Runs one statement and decodes the first row of its result; nil without a row.
  ///
  /// ```swift
  /// let count = try connection.first("SELECT count(*) FROM parts", as: Int.self) ?? 0
  /// let name = try connection.first("SELECT name FROM parts WHERE part_num = 1", as: String?.self)
  /// ```
  ///
  /// - Throws: `SQLiteError` as when all rows are decoded; the other rows are not looked at.
  @inlinable
  public func first<Value: RowDecodable>(
    _ sql: SQL, _ parameters: SQLParameters = .none, as type: Value.Type,
    _ mode: DecodingMode = .lenient
  ) throws(SQLiteError) -> Value? {
    guard !isNothing(sql, parameters) else { return nil }
    var statement = try prepare(sql)
    return try statement.first(parameters, as: type, mode)
  }

  /// Runs one statement and decodes the first columns of the first row of its result, each as a type of its
  /// own; nil without a row.
  ///
  /// ```swift
  /// let bounds = try connection.first(
  ///   "SELECT min(part_num), count(*) FROM parts", as: (String?, Int).self)
  /// ```
  @_disfavoredOverload @inlinable
  public func first<each Value: QueryDecodable>(
    _ sql: SQL, _ parameters: SQLParameters = .none, as type: (repeat each Value).Type,
    _ mode: DecodingMode = .lenient
  ) throws(SQLiteError) -> (repeat each Value)? {
    guard !isNothing(sql, parameters) else { return nil }
    var statement = try prepare(sql)
    return try statement.first(parameters, as: type, mode)
  }

  /// Runs one statement and returns the first column of its first row, or nil without a row.
  ///
  /// ```swift
  /// let count = try connection.value(of: "SELECT count(*) FROM parts")?.integerValue ?? 0
  /// ```
  public func value(
    of sql: SQL, _ parameters: SQLParameters = .none
  ) throws(SQLiteError) -> SQLiteValue? {
    guard !isNothing(sql, parameters) else { return nil }
    var statement = try prepare(sql)
    var rows = statement.rows(parameters)
    guard let value = try rows.next()?.value(at: 0) else { return nil }
    try rows.finish()
    return value
  }

  /// Runs one statement and gives each row of its result to a closure, which may use the connection.
  ///
  /// Memory does not grow with the number of rows. An error of the closure ends the run.
  ///
  /// ```swift
  /// try connection.forEachRow(of: "SELECT part_num, name FROM parts") { row in
  ///   guard let number = try row.text(at: 0) else { return }
  ///   names[number] = try row.text(at: 1)
  /// }
  /// ```
  public func forEachRow(
    of sql: SQL, _ parameters: SQLParameters = .none,
    _ body: (borrowing Row) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    guard !isNothing(sql, parameters) else { return }
    var statement = try prepare(sql)
    var rows = statement.rows(parameters)
    while let row = try rows.next() { try body(row) }
  }

  /// Runs one statement and gives each row of its result to a closure, which may throw errors of its
  /// own.
  ///
  /// ```swift
  /// try connection.forEachRow(of: "SELECT part_num, name FROM parts") { row in
  ///   guard let name = try row.text(at: 1) else { throw NoName(part: try row["part_num"]) }
  ///   names.append(name)
  /// }
  /// ```
  @_disfavoredOverload
  public func forEachRow(
    of sql: SQL, _ parameters: SQLParameters = .none, _ body: (borrowing Row) throws -> Void
  ) throws {
    guard !isNothing(sql, parameters) else { return }
    var statement = try prepare(sql)
    var rows = statement.rows(parameters)
    while let row = try rows.next() { try body(row) }
  }

  @usableFromInline func isNothing(_ sql: SQL, _ parameters: SQLParameters) -> Bool {
    sql == "" && parameters.isEmpty
  }
}
