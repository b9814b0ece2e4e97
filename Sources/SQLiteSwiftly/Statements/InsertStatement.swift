import CSQLite

/// A prepared insert into one table, for any number of rows.
///
///     var insert = try connection.prepareInsert(into: themes)
///     try insert.insert([.integer(1), .text("Technic"), .null])
public struct InsertStatement: ~Copyable {
  private let table: TableDescription
  private var statement: Statement

  init(into table: TableDescription, on connection: Connection) throws(SQLiteError) {
    self.table = table
    statement = try Statement(table.insertion(from: nil).text, on: connection, isPersistent: true)
  }

  /// Inserts one row.
  ///
  /// - Parameter values: one for each column of the description, in its order. They are copied.
  /// - Throws: `SQLiteError` when their number is wrong, or when SQLite refuses the row. The
  ///   statement can go on with the next row, unless SQLite rolled the transaction back.
  public mutating func insert(_ values: [SQLiteValue]) throws(SQLiteError) {
    guard values.count == table.columns.count else {
      let names = table.columns.map(\.name).joined(separator: ", ")
      throw SQLiteError(
        .range, "\(values.count) values were given for the columns \(names)", sql: statement.text)
    }
    try statement.run(values)
  }
}

extension Connection {
  /// Prepares an insert into the table of a description, which must exist.
  public func prepareInsert(into table: TableDescription) throws(SQLiteError) -> InsertStatement {
    try InsertStatement(into: table, on: self)
  }
}

extension TableDescription {
  /// The insert of every column, with parameters, or from the columns `c0`, `c1`, … of `source`.
  func insertion(from source: String?) -> SQL {
    let target = "INSERT INTO \(quoted(identifier: name)) (\(list(columns.map(\.name))))"
    guard let source else {
      let parameters = repeatElement("?", count: columns.count).joined(separator: ", ")
      return SQL(generated: "\(target) VALUES (\(parameters))")
    }
    let fields = columns.indices.map { "c\($0)" }.joined(separator: ", ")
    return SQL(generated: "\(target) SELECT \(fields) FROM \(quoted(identifier: source))")
  }
}
