public import SQLiteSwiftly
public import SQLiteSwiftlyData

extension RebrickableCatalog {
  /// A row of one of the catalog's tables as a value.
  ///
  /// A model has a table, is read by column names, and returns its values. Reading from any query and the table
  /// helper follow from that.
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

    // Required, so that each model has its own implementation, which is specialized for its column types.
    /// Reads a row of the table, as the helper does.
    init(row: TableRow) throws(SQLiteError)

    /// The values, in the order of the table's columns.
    var values: [(any SQLiteValueConvertible)?] { get }
  }

  /// The columns of a row by name: a row of a query or of a helper.
  public protocol NamedColumns: ~Escapable {
    /// The value of a column.
    subscript<Value: QueryDecodable>(_ column: String) -> Value { get throws(SQLiteError) }
  }

  /// The helper of a model's table; every model names it `Helper`.
  ///
  /// ```swift
  /// let store = DataStore(path, opening: .readOnly)
  /// let sets = RebrickableCatalog.LegoSet.Helper(store: store)
  /// let castle = try sets.find("6024-1")
  /// try sets.forEach(where: ["theme_id": 186]) { set in years.append(set.year) }
  /// ```
  ///
  /// An example for `find(like:)` always has a key, so it finds at most one row; `find(where:)` finds by other columns.
  public struct ModelHelper<Model: RebrickableCatalog.Model>: DataHelper {
    /// The model's table.
    public static var table: TableDescription { Model.table }

    /// False: the keys come from the source files.
    public static var choosesKeys: Bool { false }

    /// The store with the connection.
    public let store: DataStore

    /// Creates the helper of the table in a store's database.
    public init(store: DataStore) { self.store = store }

    /// The values of a model, in the order of the table's columns.
    public static func values(of model: Model) -> [(any SQLiteValueConvertible)?] { model.values }

    /// Creates a model from a row.
    public static func model(from row: TableRow) throws(SQLiteError) -> Model {
      try Model(row: row)
    }
  }
}

extension RebrickableCatalog.Model {
  /// The helper of the model's table.
  ///
  /// ```swift
  /// let themes = RebrickableCatalog.Theme.Helper(store: store)
  /// try themes.upsert(RebrickableCatalog.Theme(id: 186, name: "Castle"))
  /// ```
  public typealias Helper = RebrickableCatalog.ModelHelper<Self>

  // Reading a row is inlined and specialized for the column types, which makes it twice as fast.
  /// Reads a row of a query, which may have more columns than the table.
  @inlinable
  public init(row: borrowing Row) throws(SQLiteError) { try self.init(reading: row) }

  /// Reads a row of the table, as the helper does.
  public init(row: TableRow) throws(SQLiteError) {
    try self.init(reading: DescribedColumns(row: row))
  }
}

extension Row: RebrickableCatalog.NamedColumns {}

/// The columns of a table row that was checked against the table's description.
private struct DescribedColumns: RebrickableCatalog.NamedColumns {
  let row: TableRow

  subscript<Value: QueryDecodable>(_ column: String) -> Value {
    get throws(SQLiteError) { try row.value(column) }
  }
}
