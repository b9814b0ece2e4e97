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
  public subscript(column: String) -> SQLiteValue? { index(of: column).map { values[$0] } }

  /// The position of a column, by its exact name or else ignoring the case of ASCII letters.
  @usableFromInline
  func index(of column: String) -> Int? {
    if let place = places[column] { return place }
    return places.first { areSameName($0.key, column) }?.value
  }

  func name(at position: Int) -> String { places.first { $0.value == position }?.key ?? "" }

  @usableFromInline
  func lackOfColumn(_ name: String) -> SQLiteError {
    SQLiteError(.range, "no column \(name) in the description")
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
    guard let position = index(of: column) else { throw lackOfColumn(column) }
    var decoder = ValueQueryDecoder([values[position]], decoding: mode)
    decoder.isNamed = true
    do throws(SQLiteError) { return try Value(decoder: &decoder) } catch {
      throw SQLiteError(error.code, "column \(column): \(error.message)", sql: nil)
    }
  }
}

extension TableRow {
  /// Decodes the row as a record, by column name, by the rules of a query's records.
  package func record<Record: Decodable>(as type: Record.Type) throws(SQLiteError) -> Record {
    do { return try Record(from: RecordDecoder(.table(self))) } catch {
      throw SQLiteError(coding: error, of: type)
    }
  }
}

extension Connection {
  /// Reads all rows of a table, in SQLite's order.
  ///
  /// The table must have exactly the described columns, in any order, with values of their types. The rows are copies.
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
    try forEachRow(parameters, describedBy: table) { row throws(SQLiteError) in result.append(row) }
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
      try body(try layout.read(rows.row.values(isStrict: true), number: number))
      number += 1
      hasRow = try rows.advance()
    }
  }
}

/// The positions of a description's columns in the rows of a result.
struct TableLayout {
  private let table: TableDescription
  /// The position in the row of each column, in the order of the description.
  private let order: [Int]
  private let places: [String: Int]
  private let sql: String

  /// The columns of the result must be those of `table`, in any order.
  init(
    of columns: [String], agreeingWith table: TableDescription, sql: String
  ) throws(SQLiteError) {
    self.table = table
    self.sql = sql
    var order: [Int] = []
    for column in table.columns {
      let places = columns.indices.filter { areSameName(columns[$0], column.name) }
      guard places.count == 1 else {
        let problem = places.isEmpty ? "is missing from the result" : "occurs twice in the result"
        throw SQLiteError(.misuse, "column \(column.name) of \(table.name) \(problem)", sql: sql)
      }
      order += places
    }
    if let extra = columns.indices.first(where: { !order.contains($0) }) {
      throw SQLiteError(
        .misuse,
        "column \(columns[extra]) of the result is not in the description of "
          + table.name, sql: sql)
    }
    self.order = order
    let names = table.columns.map(\.name)
    places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
  }

  func read(_ values: [SQLiteValue], number: Int) throws(SQLiteError) -> TableRow {
    for (column, index) in zip(table.columns, order) {
      let isUnconverted = column.type == .real && values[index].integerValue != nil
      guard isUnconverted || !column.accepts(values[index]) else { continue }
      throw SQLiteError(
        .mismatch,
        "row \(number), column \(column.name): expected \(column.phrase), "
          + "found \(values[index].phrase)", sql: sql)
    }
    return TableRow(places: places, values: order.map { values[$0] })
  }
}

extension ColumnDescription {
  fileprivate var phrase: String {
    let phrase =
      switch type {
      case .integer: StorageClass.integer.phrase
      case .real: StorageClass.real.phrase
      case .text: StorageClass.text.phrase
      case .blob: StorageClass.blob.phrase
      case .boolean: "0 or 1"
      }
    return isNullable ? phrase + " or NULL" : phrase
  }
}

extension SQLiteValue {
  fileprivate var phrase: String {
    if case .integer(let value) = self { "the integer \(value)" } else { storageClass.phrase }
  }
}
