/// A row of a described table: its values by column name, checked against the description.
///
/// ```swift
/// for row in try connection.readAllRows(fromTable: themes) {
///   let name: String = try row.value("name")
///   parents[name] = try row.value("parent_id", as: Int?.self)
/// }
/// ```
public struct TableRow: Equatable, Sendable {
  /// The position of each column in a row; shared by all rows of a result.
  private let places: [String: Int]
  @usableFromInline let values: [SQLiteValue]

  init(places: [String: Int], values: [SQLiteValue]) {
    self.places = places
    self.values = values
  }

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
  /// - Parameters:
  ///   - column: the column's name.
  ///   - type: the type to read the value as.
  ///   - mode: the handling of a value of another storage class and, for optional types, of a raw
  ///     value without a case.
  /// - Returns: The value.
  /// - Throws: `SQLiteError` with `range` if the description has no such column, with `mismatch` if
  ///   the value is not valid for the type.
  @inlinable
  public func value<Value: QueryDecodable>(
    _ column: String, as type: Value.Type = Value.self, _ mode: DecodingMode = .strict
  ) throws(SQLiteError) -> Value {
    // Inlined, so that the type is known at the call: twice as fast.
    guard let place = place(of: column) else {
      throw SQLiteError(.range, "no column \(column) in the description")
    }
    var decoder = ValueQueryDecoder([values[place]], mode)
    do throws(SQLiteError) {
      return try Value(decoder: &decoder)
    } catch {
      throw SQLiteError(error.code, "\(column): \(error.message)", sql: nil)
    }
  }
}

extension Connection {
  /// Reads all rows of a table, in SQLite's order.
  ///
  /// - Parameter table: the description that the table must match: exactly its columns, in any
  ///   order, with values of their types. Columns are identified by name, not by position.
  /// - Returns: Copies of the rows.
  /// - Throws: `SQLiteError` that names the column that does not match; nothing is returned then.
  public func readAllRows(
    fromTable table: TableDescription
  ) throws(SQLiteError) -> [TableRow] {
    try query("SELECT * FROM \(identifier: table.name)", describedBy: table)
  }

  /// Runs one statement and reads all rows of its result, which must have the columns of a
  /// description, in any order.
  ///
  /// ```swift
  /// let query: SQL = "SELECT * FROM themes WHERE parent_id IS NULL"
  /// let roots = try connection.query(query, describedBy: themes)
  /// ```
  ///
  /// - Throws: `SQLiteError` that names the column that does not match; with `misuse` if the
  ///   statement returns no rows.
  public func query(
    _ sql: SQL, _ parameters: SQLParameters = .none, describedBy table: TableDescription
  ) throws(SQLiteError) -> [TableRow] {
    var statement = try prepare(sql)
    return try statement.query(parameters, describedBy: table)
  }
}

extension PreparedStatement {
  /// Runs the statement and reads all rows of its result, which must have the columns of a
  /// description, in any order.
  ///
  /// - Throws: `SQLiteError` that names the column that does not match; with `misuse` if the
  ///   statement returns no rows.
  public mutating func query(
    _ parameters: SQLParameters = .none, describedBy table: TableDescription
  ) throws(SQLiteError) -> [TableRow] {
    var result: [TableRow] = []
    try forEachRow(parameters, describedBy: table, failure: { $0 }) { row throws(SQLiteError) in
      result.append(row)
    }
    return result
  }

  /// Runs the statement as above and passes each row to a closure; `failure` converts SQLite's
  /// error to the error type of the closure.
  package mutating func forEachRow<Failure: Error>(
    _ parameters: SQLParameters = .none, describedBy table: TableDescription,
    failure: (SQLiteError) -> Failure, _ body: (TableRow) throws(Failure) -> Void
  ) throws(Failure) {
    let (sql, returnsRows) = (text, columnCount > 0)
    var rows = rows(parameters)
    var hasRow = false
    let layout: TableLayout
    do throws(SQLiteError) {
      try table.validate()
      guard returnsRows else {
        throw SQLiteError(.misuse, "the statement returns no rows to check", sql: sql)
      }
      // Only the first step shows the current columns: a change of the schema alters them.
      hasRow = try rows.advance()
      layout = try TableLayout(of: rows.columnNames, agreeingWith: table, sql: sql)
    } catch {
      throw failure(error)
    }
    var number = 0
    while hasRow {
      let row: TableRow
      do throws(SQLiteError) {
        row = try layout.read(rows.row.values, number: number)
      } catch {
        throw failure(error)
      }
      try body(row)
      number += 1
      do throws(SQLiteError) { hasRow = try rows.advance() } catch { throw failure(error) }
    }
  }
}
