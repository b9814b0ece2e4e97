/// A table whose rows follow from those of other tables, so that one query fills it.
///
/// It is for what is asked often and takes long to work out.
///
/// ```swift
/// let lengths = DerivedTableDescription(
///   TableDescription(
///     "lengths", columns: [ColumnDescription("length", .integer), ColumnDescription("words", .integer)],
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
  /// It has a column for each of the table's, in their order. Rows that come in the order of the primary key
  /// are inserted fastest.
  public let query: SQL

  /// Describes a table and how it is filled.
  public init(_ table: TableDescription, filledBy query: SQL) {
    self.table = table
    self.query = query
  }

  /// The statement that fills it.
  package var filling: SQL {
    let columns = table.columns.map { quoted(identifier: $0.name) }.joined(separator: ", ")
    return SQL(
      generated: "INSERT INTO \(quoted(identifier: table.name)) (\(columns))\n\(query.text)")
  }

  /// Throws when the query has values, which nobody would bind.
  func validateQuery() throws(SQLiteError) {
    guard !query.values.isEmpty else { return }
    throw SQLiteError(
      misdescribed: "derived table \(written(identifier: table.name))", ["the query has values"])
  }
}
