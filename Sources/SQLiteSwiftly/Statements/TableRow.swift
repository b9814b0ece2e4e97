/// A row of a described table: its values by column name, checked against the description.
///
/// ```swift
/// for row in try connection.readAllRows(fromTable: themes) {
///   let name: String = try row.value("name")
///   parents[name] = try row.value("parent_id", as: Int?.self)
/// }
/// ```
public struct TableRow: Equatable, Sendable {
  let places: [String: Int]
  @usableFromInline let values: [SQLiteValue]

  /// The stored value of a column, or nil if the description has no such column.
  public subscript(column: String) -> SQLiteValue? { place(of: column).map { values[$0] } }

  /// The position of a column, by its exact name or else ignoring the case of ASCII letters.
  @usableFromInline
  func place(of column: String) -> Int? {
    if let place = places[column] { return place }
    return places.first { areSameName($0.key, column) }?.value
  }

  /// Reads a column as any type of one column, such as `Bool`, `Int?` or an enumeration.
  ///
  /// The mode decides about values of other storage classes and, for optional types, about raw values without a case.
  ///
  /// - Throws: `SQLiteError` with `range` if the description has no such column, with `mismatch` if
  ///   the value is not valid for the type.
  @inlinable
  public func value<Value: QueryDecodable>(
    _ column: String, as type: Value.Type = Value.self, decoding mode: DecodingMode = .strict
  ) throws(SQLiteError) -> Value {
    // Inlined, so that the type is known at the call: twice as fast.
    guard let place = place(of: column) else {
      throw SQLiteError(.range, "no column \(column) in the description")
    }
    var decoder = ValueQueryDecoder([values[place]], decoding: mode)
    decoder.isNamed = true
    do throws(SQLiteError) { return try Value(decoder: &decoder) } catch {
      throw SQLiteError(error.code, "column \(column): \(error.message)", sql: nil)
    }
  }
}

extension Connection {
  /// Reads all rows of a table, in SQLite's order.
  ///
  /// The table must have exactly the columns of the description, in any order, with values of their
  /// types. The rows are copies.
  ///
  /// - Throws: `SQLiteError` that names the column that does not match; nothing is returned then.
  public func readAllRows(
    fromTable table: TableDescription
  ) throws(SQLiteError) -> [TableRow] {
    try query("SELECT * FROM \(identifier: table.name)", describedBy: table)
  }

  /// Runs one statement and reads all rows of its result, which must have the columns of a description, in any order.
  ///
  /// - Throws: `SQLiteError` that names the column that does not match; with `misuse` if the statement returns no rows.
  public func query(
    _ sql: SQL, _ parameters: SQLParameters = .none, describedBy table: TableDescription
  ) throws(SQLiteError) -> [TableRow] {
    var statement = try prepare(sql)
    return try statement.query(parameters, describedBy: table)
  }
}

extension PreparedStatement {
  /// Runs the statement and reads all rows of its result, as for a connection.
  public mutating func query(
    _ parameters: SQLParameters = .none, describedBy table: TableDescription
  ) throws(SQLiteError) -> [TableRow] {
    var result: [TableRow] = []
    try forEachRow(parameters, describedBy: table) { row throws(SQLiteError) in
      result.append(row)
    }
    return result
  }

  /// Runs the statement as above and passes each row to a closure.
  package mutating func forEachRow(
    _ parameters: SQLParameters = .none, describedBy table: TableDescription,
    _ body: (TableRow) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let (sql, returnsRows) = (text, columnCount > 0)
    var rows = rows(parameters)
    try table.validate()
    guard returnsRows else {
      throw SQLiteError(.misuse, "the statement returns no rows to check", sql: sql)
    }
    // Only the first step shows the current columns: a change of the schema alters them.
    var hasRow = try rows.advance()
    let layout = try TableLayout(of: rows.columnNames, agreeingWith: table, sql: sql)
    var number = 0
    while hasRow {
      try body(try layout.read(rows.row.values, number: number))
      number += 1
      hasRow = try rows.advance()
    }
  }
}
