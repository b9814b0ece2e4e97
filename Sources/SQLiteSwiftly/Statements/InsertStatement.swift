/// A prepared insert into one table, for any number of rows, one per run.
///
///     var insert = try connection.prepareInsertIntoTable(describedBy: themes)
///     try insert.insert([1, "Technic", .null])
///     try insert.insert(["name": "Arctic", "id": 2, "parent_id": 1])
public struct InsertStatement: ~Copyable {
  private let table: TableDescription
  private let statement: Statement

  init(into table: TableDescription, on connection: Connection) throws(SQLiteError) {
    try table.validate()
    let statement = try Statement(
      table.insertion(from: nil).text, on: connection, isPersistent: true)
    self.table = table
    self.statement = statement
  }

  /// Inserts one row.
  ///
  /// - Parameter values: one for each column of the description, in its order. They are copied.
  /// - Throws: `SQLiteError` when their number is wrong, or when SQLite refuses the row. The
  ///   statement can go on with the next row, unless SQLite rolled the transaction back.
  public mutating func insert(_ values: [SQLiteValue]) throws(SQLiteError) {
    guard values.count == table.columns.count else {
      throw statement.refusal(
        .range,
        "the columns \(table.columns.map(\.name).joined(separator: ", ")) of \(table.name) were "
          + "given \(counted(values.count, "value"))")
    }
    try statement.run(SQLParameters(values))
  }

  /// Inserts one row, whose values are given by the names of the columns.
  ///
  /// - Parameter values: one for each column of the description, in any order. They are copied.
  /// - Throws: `SQLiteError` that names the column which has no value, or two, or which the description
  ///   does not have; or when SQLite refuses the row.
  public mutating func insert(
    _ values: KeyValuePairs<String, SQLiteValue>
  ) throws(SQLiteError) {
    // A dictionary literal with a name that is there twice would end the process.
    try insert(named: values)
  }

  /// Inserts one row, whose values are given by the names of the columns as above, for instance in a
  /// dictionary.
  ///
  /// ```swift
  /// let row: [String: SQLiteValue] = ["id": 3, "name": "Castle", "parent_id": 1]
  /// try insert.insert(row)
  /// ```
  @_disfavoredOverload
  public mutating func insert(
    _ values: some Sequence<(key: String, value: SQLiteValue)>
  ) throws(SQLiteError) {
    // A parameter of the type of a dictionary would get literals, too, whatever is favored.
    try insert(named: values)
  }

  private mutating func insert(
    named values: some Sequence<(key: String, value: SQLiteValue)>
  ) throws(SQLiteError) {
    var row = [SQLiteValue?](repeating: nil, count: table.columns.count)
    var unknown: Set<String> = []
    for (name, value) in values {
      guard let column = table.columnIndex(name) else {
        unknown.insert(name)
        continue
      }
      guard row[column] == nil else {
        throw statement.refusal(.range, "column \(name) of \(table.name) was given two values")
      }
      row[column] = value
    }
    if let missing = row.firstIndex(where: { $0 == nil }) {
      throw statement.refusal(
        .range, "column \(table.columns[missing].name) of \(table.name) was given no value")
    }
    guard unknown.isEmpty else {
      throw statement.refusal(
        .range, "\(table.name) has no column \(unknown.sorted().joined(separator: ", "))")
    }
    try insert(row.compactMap(\.self))
  }
}

extension Connection {
  /// Prepares an insert into the table of a description, which must exist.
  ///
  /// ```swift
  /// try connection.transaction {
  ///   var insert = try connection.prepareInsertIntoTable(describedBy: themes)
  ///   for (id, name) in names { try insert.insert([.integer(id), .text(name), .null]) }
  /// }
  /// ```
  ///
  /// - Returns: The statement; it is compiled once for any number of rows.
  public func prepareInsertIntoTable(
    describedBy table: TableDescription
  ) throws(SQLiteError) -> InsertStatement {
    try InsertStatement(into: table, on: self)
  }
}

extension TableDescription {
  /// The insert of every column, with a parameter for each, or from the columns `c0`, `c1`, … of
  /// `source`.
  func insertion(from source: String?) -> SQL {
    let target = "INSERT INTO \(quoted(identifier: name)) (\(list(columns.map(\.name))))"
    guard let source else {
      let parameters = columns.map { Self.parameter(named: $0.name) }.joined(separator: ", ")
      return SQL(generated: "\(target) VALUES (\(parameters))")
    }
    let fields = columns.indices.map { "c\($0)" }.joined(separator: ", ")
    return SQL(generated: "\(target) SELECT \(fields) FROM \(quoted(identifier: source))")
  }

  /// The parameter for a column, which has its name if SQL can write it: parameters cannot be quoted.
  private static func parameter(named name: String) -> String {
    !name.isEmpty && name.utf8.allSatisfy(\.isNameByte) ? ":" + name : "?"
  }
}
