public import SQLiteSwiftly

extension RebrickableCatalog {
  /// A row of one of the catalog's tables as a value.
  ///
  /// A model says which table it is of, how it is read by the names of the columns, and which values it has.
  /// Reading it from any query and the helper of its table follow from that.
  ///
  /// ```swift
  /// func count<Model: RebrickableCatalog.Model>(of type: Model.Type) throws(SQLiteError) -> Int {
  ///   let query: SQL = "SELECT count(*) FROM \(identifier: Model.table.name)"
  ///   return try connection.first(query, as: Int.self) ?? 0
  /// }
  /// ```
  public protocol Model: RowDecodable, Hashable, Sendable {
    /// The table.
    static var table: TableDescription { get }

    /// Reads a row, which may have more columns than the table.
    init(reading row: borrowing some NamedColumns & ~Escapable) throws(SQLiteError)

    // Required, so that each model has one of its own, in which the types of its columns are known.
    /// Reads a row of the table, as the helper does.
    init(row: TableRow) throws(SQLiteError)

    /// The values, in the order of the table's columns.
    var values: [(any SQLiteValueConvertible)?] { get }
  }

  /// The columns of a row by their names: what a model reads from, be it a row of a query or of a helper.
  public protocol NamedColumns: ~Escapable {
    /// The value of a column.
    subscript<Value: QueryDecodable>(_ column: String) -> Value { get throws(SQLiteError) }
  }
}

extension RebrickableCatalog.Model {
  // What reads a row is inlined, so that the types of its columns are known there: twice as fast.
  /// Reads a row of a query, which may have more columns than the table.
  @inlinable
  public init(row: borrowing Row) throws(SQLiteError) { try self.init(reading: row) }

  /// Reads a row of the table, as the helper does.
  public init(row: TableRow) throws(SQLiteError) {
    try self.init(reading: DescribedColumns(row: row))
  }
}

extension Row: RebrickableCatalog.NamedColumns {}

/// The columns of a row of a table, which was checked against the table's description.
private struct DescribedColumns: RebrickableCatalog.NamedColumns {
  let row: TableRow

  subscript<Value: QueryDecodable>(_ column: String) -> Value {
    get throws(SQLiteError) { try row.value(column) }
  }
}
