public import SQLiteSwiftly
public import SQLiteSwiftlyData

extension RebrickableCatalog {
  /// The helper of a model's table; every model names it `Helper`.
  ///
  /// ```swift
  /// let store = DataStore(path, opening: .readOnly)
  /// let sets = RebrickableCatalog.LegoSet.Helper(store: store)
  /// let castle = try sets.find("6024-1")
  /// try sets.forEach(where: ["theme_id": 186]) { set in years.append(set.year) }
  /// ```
  ///
  /// An example for `find(like:)` always has a key, so it finds at most one row. To find rows by other columns, use
  /// `find(where:)`.
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
}
