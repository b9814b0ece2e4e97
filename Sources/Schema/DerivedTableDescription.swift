public import SQLiteSwiftly

/// A table whose rows follow from those of other tables, so that one query fills it.
///
/// It is for what is asked often and takes long to work out. The table is strict, and its columns have texts,
/// integers or booleans.
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
  /// It has a column for each of the table's, in their order. Rows that come in the order of the primary key
  /// are inserted fastest.
  public let query: SQL

  /// Describes a table and how it is filled.
  public init(_ table: TableDescription, filledBy query: SQL) {
    self.table = table
    self.query = query
  }

  /// Throws when its rows could not be inserted and checked.
  func validateRows() throws(SQLiteError) {
    let types: [ColumnDescription.DataType] = [.text, .integer, .boolean]
    let others = table.columns.filter { !types.contains($0.type) }
    var faults = others.map {
      "the column \(written(identifier: $0.name)) has neither texts nor integers"
    }
    if !table.isStrict { faults.append("the table is not strict") }
    if !query.values.isEmpty { faults.append("the query has values") }
    guard !faults.isEmpty else { return }
    throw SQLiteError(misdescribed: "derived table \(written(identifier: table.name))", faults)
  }
}
