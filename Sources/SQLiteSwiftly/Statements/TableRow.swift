/// A row of a described table: its values by the names of the columns, checked against what the
/// description says of them.
///
/// ```swift
/// for row in try connection.readAllRows(fromTable: themes) {
///   let name: String = try row.value("name")
///   parents[name] = try row.value("parent_id", as: Int?.self)
/// }
/// ```
public struct TableRow: Equatable, Sendable {
  /// The place of each column in a row; all rows of a result share one.
  private let places: [String: Int]
  @usableFromInline let values: [SQLiteValue]

  init(places: [String: Int], values: [SQLiteValue]) {
    self.places = places
    self.values = values
  }

  /// The value of a column as it is stored, or nil if the description has no such column.
  public subscript(column: String) -> SQLiteValue? { place(of: column).map { values[$0] } }

  /// The place of a column, found by its name as it is or else without regard to the case of ASCII letters.
  @usableFromInline
  func place(of column: String) -> Int? {
    if let place = places[column] { return place }
    return places.first { areOneName($0.key, column) }?.value
  }

  /// The value of a column, read as a type that one column can hold, such as `Bool`, `Int?` or an
  /// enumeration.
  ///
  /// - Parameters:
  ///   - column: the column's name.
  ///   - type: what its value is read as.
  ///   - mode: what is done with a value of another storage class, and, where none is required, with
  ///     the raw value of no case.
  /// - Returns: The value.
  /// - Throws: `SQLiteError` with `range` if the description has no such column, with `mismatch` if
  ///   the value is none of the type.
  @inlinable
  public func value<Value: QueryDecodable>(
    _ column: String, as type: Value.Type = Value.self, _ mode: DecodingMode = .strict
  ) throws(SQLiteError) -> Value {
    // Inlined, so that the type is known where it is read: twice as fast.
    guard let place = place(of: column) else {
      throw SQLiteError(.range, "The description has no column \(column)")
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
  /// Reads all rows of a table, in the order in which SQLite has them.
  ///
  /// - Parameter table: what the table must be: it has the description's columns, in any order and no
  ///   others, and values of their types. Their names are used, and not their positions.
  /// - Returns: Copies of the rows.
  /// - Throws: `SQLiteError` that names the column which does not agree; nothing is returned then.
  public func readAllRows(
    fromTable table: TableDescription
  ) throws(SQLiteError) -> [TableRow] {
    try query("SELECT * FROM \(identifier: table.name)", describedBy: table)
  }

  /// Runs one statement and reads all rows of its result, whose columns must be those of a
  /// description, in any order.
  ///
  /// ```swift
  /// let query: SQL = "SELECT * FROM themes WHERE parent_id IS NULL"
  /// let roots = try connection.query(query, describedBy: themes)
  /// ```
  ///
  /// - Throws: `SQLiteError` that names the column which does not agree; with `misuse` if the statement
  ///   returns no rows.
  public func query(
    _ sql: SQL, _ parameters: SQLParameters = .none, describedBy table: TableDescription
  ) throws(SQLiteError) -> [TableRow] {
    var statement = try prepare(sql)
    return try statement.query(parameters, describedBy: table)
  }
}

extension PreparedStatement {
  /// Runs the statement and reads all rows of its result, whose columns must be those of a
  /// description, in any order.
  ///
  /// - Throws: `SQLiteError` that names the column which does not agree; with `misuse` if the statement
  ///   returns no rows.
  public mutating func query(
    _ parameters: SQLParameters = .none, describedBy table: TableDescription
  ) throws(SQLiteError) -> [TableRow] {
    var result: [TableRow] = []
    try forEachRow(parameters, describedBy: table, failure: { $0 }) { row throws(SQLiteError) in
      result.append(row)
    }
    return result
  }

  /// Runs the statement as above and gives each row to a closure; `failure` makes an error of the closure's
  /// kind of one of SQLite's.
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
        throw SQLiteError(.misuse, "The statement returns no rows to be described", sql: sql)
      }
      // Only the first step shows the columns as they are: a change of the schema alters them.
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
