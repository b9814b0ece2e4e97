extension Connection {
  /// Runs one statement that returns no rows.
  ///
  /// Here and in the queries below, the statement is compiled for one run (a pool keeps it
  /// compiled), and the values of its parameters are copied. Empty SQL does nothing and returns no
  /// rows: builders create it for an insert without rows.
  ///
  /// ```swift
  /// try connection.execute("UPDATE parts SET name = \(name) WHERE part_num = \(number)")
  /// try connection.execute("DELETE FROM parts WHERE part_num = :number", ["number": "973"])
  /// ```
  ///
  /// - Throws: `SQLiteError`; with `misuse`, before running it, if the statement returns rows, which would be lost.
  public func execute(
    _ sql: SQL, _ parameters: SQLParameters = .none
  ) throws(SQLiteError) {
    guard var statement = try prepare(sql, with: parameters) else { return }
    try statement.run(parameters)
  }

  /// The values of parameters are passed in an array.
  @available(
    *, unavailable, message: "pass the values in an array, as in execute(\"… WHERE id = ?\", [id])"
  )
  public func execute<each Value: SQLiteValueConvertible>(
    _ sql: SQL, _ value: some SQLiteValueConvertible, _ others: repeat each Value
  ) throws(SQLiteError) {}

  /// Runs one statement and returns copies of all rows, each with its columns in order.
  public func query(
    _ sql: SQL, _ parameters: SQLParameters = .none
  ) throws(SQLiteError) -> [[SQLiteValue]] {
    guard var statement = try prepare(sql, with: parameters) else { return [] }
    return try statement.query(parameters)
  }

  /// Runs one statement and decodes each row as one value.
  ///
  /// ```swift
  /// let count = try connection.query("SELECT count(*) FROM parts", as: Int.self)[0]
  /// let names = try connection.query("SELECT name FROM parts", as: String?.self)
  /// ```
  ///
  /// The type is that of a model, or of one column.
  ///
  /// - Throws: `SQLiteError` of the run or of decoding; nothing is returned then. In strict mode,
  ///   the code is `mismatch` if a value has another storage class, and `range` if the type reads
  ///   only the first columns. Models that read by name may ignore columns.
  @inlinable
  public func query<Value: RowDecodable>(
    _ sql: SQL, _ parameters: SQLParameters = .none, as type: Value.Type,
    decoding mode: DecodingMode = .strict
  ) throws(SQLiteError) -> [Value] {
    guard var statement = try prepare(sql, with: parameters) else { return [] }
    return try statement.query(parameters, as: type, decoding: mode)
  }

  /// Runs one statement and decodes the columns of each row, each as its own type.
  ///
  /// ```swift
  /// let parts = try connection.query(
  ///   "SELECT part_num, name FROM parts", as: (String, String?).self)
  /// for (number, name) in parts { names[number] = name }
  /// ```
  ///
  /// - Throws: `SQLiteError` as above; in strict mode with `range` if the row has more columns.
  @_disfavoredOverload @inlinable
  public func query<each Value: QueryDecodable>(
    _ sql: SQL, _ parameters: SQLParameters = .none, as type: (repeat each Value).Type,
    decoding mode: DecodingMode = .strict
  ) throws(SQLiteError) -> [(repeat each Value)] {
    guard var statement = try prepare(sql, with: parameters) else { return [] }
    return try statement.query(parameters, as: type, decoding: mode)
  }

  /// Runs one statement and returns the results of a closure for each row.
  ///
  /// The decoder is lenient by default, unlike the queries above, as drivers of query builders need it: it converts
  /// values as SQLite does. Columns that the closure does not read are ignored in every mode.
  ///
  /// ```swift
  /// let parts = try connection.query("SELECT part_num, name FROM parts") {
  ///   row throws(SQLiteError) in
  ///   (number: try String(decoder: &row), name: try row.decode(String.self))
  /// }
  /// ```
  public func query<Value>(
    _ sql: SQL, _ parameters: SQLParameters = .none,
    decoding mode: DecodingMode = .lenient,
    decodingRow: (inout SQLiteQueryDecoder) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> [Value] {
    var values: [Value] = []
    try forEachRow(of: sql, parameters) { row throws(SQLiteError) in
      var decoder = row.decoder(decoding: mode)
      values.append(try decodingRow(&decoder))
    }
    return values
  }

  /// Runs one statement as above; the closure may throw its own errors.
  @_disfavoredOverload
  public func query<Value>(
    _ sql: SQL, _ parameters: SQLParameters = .none,
    decoding mode: DecodingMode = .lenient,
    decodingRow: (inout SQLiteQueryDecoder) throws -> Value
  ) throws -> [Value] {
    var values: [Value] = []
    try forEachRow(of: sql, parameters) { row in
      var decoder = row.decoder(decoding: mode)
      values.append(try decodingRow(&decoder))
    }
    return values
  }

  /// Runs one statement and decodes the one column of its first row; nil if that is NULL, or if there are no rows.
  ///
  /// ```swift
  /// let count = try connection.first("SELECT count(*) FROM parts", as: Int.self) ?? 0
  /// let name = try connection.first("SELECT name FROM parts WHERE part_num = 1", as: String?.self)
  /// ```
  ///
  /// To distinguish NULL from no row, request an optional: `as: Int?.self` is nil without a row, `.some(nil)` for NULL.
  ///
  /// - Throws: `SQLiteError`, as for decoding all rows; other rows are not read.
  @inlinable
  public func first<Value: QueryDecodableValue>(
    _ sql: SQL, _ parameters: SQLParameters = .none, as type: Value.Type,
    decoding mode: DecodingMode = .strict
  ) throws(SQLiteError) -> Value? {
    try first(sql, parameters, as: Value?.self, decoding: mode) ?? nil
  }

  /// Runs one statement and decodes its first row; nil if there are no rows.
  ///
  /// - Throws: `SQLiteError`, as for decoding all rows; other rows are not read.
  @inlinable
  public func first<Value: RowDecodable>(
    _ sql: SQL, _ parameters: SQLParameters = .none, as type: Value.Type,
    decoding mode: DecodingMode = .strict
  ) throws(SQLiteError) -> Value? {
    guard var statement = try prepare(sql, with: parameters) else { return nil }
    return try statement.first(parameters, as: type, decoding: mode)
  }

  /// Runs one statement and decodes the columns of its first row, each as its own type; nil if there are no rows.
  @_disfavoredOverload @inlinable
  public func first<each Value: QueryDecodable>(
    _ sql: SQL, _ parameters: SQLParameters = .none, as type: (repeat each Value).Type,
    decoding mode: DecodingMode = .strict
  ) throws(SQLiteError) -> (repeat each Value)? {
    guard var statement = try prepare(sql, with: parameters) else { return nil }
    return try statement.first(parameters, as: type, decoding: mode)
  }

  /// Runs one statement and returns the first column of its first row; nil if there are no rows.
  public func value(
    of sql: SQL, _ parameters: SQLParameters = .none
  ) throws(SQLiteError) -> SQLiteValue? {
    guard var statement = try prepare(sql, with: parameters) else { return nil }
    var rows = statement.rows(parameters)
    guard let value = try rows.next()?.value(at: 0) else { return nil }
    try rows.skipRest()
    return value
  }

  /// Runs one statement and calls a closure with each row; the closure may use the connection.
  ///
  /// Memory does not grow with the number of rows. An error thrown by the closure ends the run.
  /// The mode is that of the rows; see ``Row``.
  ///
  /// ```swift
  /// try connection.forEachRow(of: "SELECT part_num, name FROM parts") { row in
  ///   guard let number = try row.text(at: 0) else { return }
  ///   names[number] = try row.text(at: 1)
  /// }
  /// ```
  public func forEachRow(
    of sql: SQL, _ parameters: SQLParameters = .none, decoding mode: DecodingMode? = nil,
    _ body: (borrowing Row) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    guard var statement = try prepare(sql, with: parameters) else { return }
    var rows = statement.rows(parameters, decoding: mode)
    while let row = try rows.next() { try body(row) }
  }

  /// Runs one statement as above; the closure may throw its own errors.
  @_disfavoredOverload
  public func forEachRow(
    of sql: SQL, _ parameters: SQLParameters = .none, decoding mode: DecodingMode? = nil,
    _ body: (borrowing Row) throws -> Void
  ) throws {
    guard var statement = try prepare(sql, with: parameters) else { return }
    var rows = statement.rows(parameters, decoding: mode)
    while let row = try rows.next() { try body(row) }
  }

  /// Nil for empty SQL.
  @usableFromInline
  func prepare(
    _ sql: SQL, with parameters: SQLParameters
  ) throws(SQLiteError) -> PreparedStatement? {
    sql == "" && parameters.isEmpty ? nil : try PreparedStatement(forQuery: sql, on: self)
  }
}
