public import SQLiteSwiftly

/// A table whose rows are derived from other tables by one query.
///
/// Use it for common queries that take long. The table is strict, and its columns hold texts, integers or booleans.
///
/// ```swift
/// let lengths = DerivedTableDescription(
///   TableDescription(
///     "lengths",
///     columns: [ColumnDescription("length", .integer), ColumnDescription("words", .integer)],
///     primaryKey: ["length"]),
///   filledBy: "SELECT length(word), count(*) FROM words GROUP BY 1 ORDER BY 1")
/// let schema = SchemaDescription(
///   tables: [words], derivedTables: [lengths], applicationID: 1, version: 1)
/// ```
public struct DerivedTableDescription: Sendable {
  /// The table itself.
  public let table: TableDescription
  /// The query for its rows, without values.
  ///
  /// Its columns are those of the table, in order. Rows in the order of the primary key are inserted fastest.
  public let query: SQL

  /// Describes a table and the query that fills it.
  public init(_ table: TableDescription, filledBy query: SQL) {
    self.table = table
    self.query = query
  }

  func validateRows() throws(SQLiteError) {
    let types: [ColumnDescription.DataType] = [.text, .integer, .boolean]
    let others = table.columns.filter { !types.contains($0.type) }
    var faults = others.map {
      "the type of column \(written(identifier: $0.name)) is neither text nor integer"
    }
    if !table.isStrict { faults.append("the table is not strict") }
    if !query.values.isEmpty { faults.append("the query must not have values") }
    try refuse(faults, in: "derived table \(written(identifier: table.name))")
  }
}
