/// The helper of one table: it creates the table, and inserts, deletes and finds its rows as values
/// of a model.
///
/// A helper states its table, and how a model becomes a row and a row a model; the rest is here. The
/// table's primary key must be one integer, which SQLite chooses for a new row.
///
///     struct TeamHelper: DataHelper {
///       static let table = TableDescription(
///         "teams", columns: [ColumnDescription("id", .integer), ColumnDescription("city", .text)],
///         primaryKey: ["id"])
///       let store: DataStore
///
///       static func values(of team: Team) -> [(any SQLiteValueConvertible)?] { [team.id, team.city] }
///
///       static func model(from row: TableRow) throws(SQLiteError) -> Team {
///         Team(id: try row.value("id"), city: try row.value("city"))
///       }
///     }
public protocol DataHelper<Model> {
  /// A value type with a property, usually optional, for each column.
  associatedtype Model

  /// The table.
  static var table: TableDescription { get }

  /// The store with the connection.
  var store: DataStore { get }

  /// The values of a model, in the order of the table's columns; nil where it has none.
  static func values(of model: Model) -> [(any SQLiteValueConvertible)?]

  /// Makes a model of a row.
  static func model(from row: TableRow) throws(SQLiteError) -> Model
}

extension DataHelper {
  /// Creates the table; one that exists stays as it is.
  public func createTable() throws(DataAccessError) { try store.createTables([self]) }

  /// Inserts a row, whatever key the model has.
  ///
  /// ```swift
  /// let id = try teams.insert(Team(city: "Boston"))
  /// let boston = try teams.find(id)
  /// ```
  ///
  /// - Returns: The key that SQLite chose for it, which is greater than 0.
  /// - Throws: `DataAccessError`: `nilInData` if a column that requires a value has none, `insert` if
  ///   SQLite refuses the row.
  @discardableResult
  public func insert(_ model: Model) throws(DataAccessError) -> Int64 {
    let connection = try store.usableConnection()
    var values = try rowValues(of: model, failure: DataAccessError.insert)
    do throws(SQLiteError) {
      values[try keyPlace()] = .null
    } catch {
      throw .insert(error)
    }
    for (column, value) in zip(Self.table.columns, values)
    where value.isNull && !column.isNullable && column.name != Self.table.primaryKey.first {
      throw .nilInData(column: column.name)
    }
    do throws(SQLiteError) {
      return try connection.transaction { () throws(SQLiteError) in
        try store.insert(values, for: Self.self, on: connection)
        let key = try connection.lastInsertedRowID
        guard key > 0 else {
          throw SQLiteError(.error, "SQLite chose \(key) for the key of \(Self.table.name)")
        }
        return key
      }
    } catch {
      throw .insert(error)
    }
  }

  /// Deletes the row with the model's key, whatever its other values are; without a key, nothing.
  ///
  /// ```swift
  /// try teams.delete(Team(id: id))
  /// let rest = try teams.findAll()
  /// ```
  ///
  /// - Throws: `DataAccessError.delete` if there is no such row, or SQLite refuses.
  public func delete(_ model: Model) throws(DataAccessError) {
    let connection = try store.usableConnection()
    let values = try rowValues(of: model, failure: DataAccessError.delete)
    do throws(SQLiteError) {
      let place = try keyPlace()
      let key = values[place]
      guard !key.isNull else { return }
      try connection.execute(
        """
        DELETE FROM \(identifier: Self.table.name)
        WHERE \(identifier: Self.table.columns[place].name) = \(key)
        """)
      let deleted = try connection.changes
      guard deleted == 1 else {
        throw SQLiteError(.error, "\(Self.table.name) has no row with the key of the model")
      }
    } catch {
      throw .delete(error)
    }
  }

  /// Finds the row with a key; nil if there is none.
  public func find(_ key: Int64) throws(DataAccessError) -> Model? {
    guard let column = Self.table.primaryKey.first else { return nil }
    return try find(all: [(column, .integer(key))]).first
  }

  /// Finds all rows.
  ///
  /// - Returns: A model for each; none for an empty table.
  public func findAll() throws(DataAccessError) -> [Model] { try find(all: []) }

  /// Finds the rows that have all of some values.
  ///
  /// ```swift
  /// let found = try teams.find(where: ["city": "Boston"])
  /// ```
  ///
  /// - Parameter values: the values by the names of their columns; NULL finds the rows without one.
  /// - Returns: A model for each.
  /// - Throws: `DataAccessError.search`, also for a column that the table does not have, and for one
  ///   that is given two values.
  public func find(
    where values: KeyValuePairs<String, SQLiteValue>
  ) throws(DataAccessError) -> [Model] {
    // A dictionary literal with a name that is there twice would end the process.
    try find(all: Array(values))
  }

  /// Finds the rows that have all of some values as above, for instance of a dictionary.
  @_disfavoredOverload
  public func find(
    where values: some Sequence<(key: String, value: SQLiteValue)>
  ) throws(DataAccessError) -> [Model] {
    // A parameter of the type of a dictionary would get literals, too, whatever is favored. The
    // order of a dictionary would make different SQL in each run.
    try find(all: values.sorted { $0.key < $1.key })
  }

  private func find(
    all conditions: [(key: String, value: SQLiteValue)]
  ) throws(DataAccessError) -> [Model] {
    let connection = try store.usableConnection()
    do throws(SQLiteError) {
      var query: SQL = "SELECT * FROM \(identifier: Self.table.name)"
      var keyword: SQL = "WHERE"
      var columns: Set<Int> = []
      for (name, value) in conditions {
        guard let column = Self.table.columnIndex(name) else {
          throw SQLiteError(.misuse, "\(Self.table.name) has no column \(name)")
        }
        guard columns.insert(column).inserted else {
          throw SQLiteError(.range, "column \(name) of \(Self.table.name) was given two values")
        }
        query = "\(sql: query) \(sql: keyword) \(identifier: name) IS \(value)"
        keyword = "AND"
      }
      var models: [Model] = []
      for row in try connection.query(query, describedBy: Self.table) {
        models.append(try Self.model(from: row))
      }
      return models
    } catch {
      throw .search(error)
    }
  }

  /// Finds the rows that have all the values which an example has; what is nil in it is ignored.
  ///
  /// ```swift
  /// let alike = try teams.find(like: Team(city: "Boston"))
  /// ```
  public func find(like example: Model) throws(DataAccessError) -> [Model] {
    let values = try rowValues(of: example, failure: DataAccessError.search)
    let conditions = zip(Self.table.columns, values).filter { !$1.isNull }
    return try find(all: conditions.map { (key: $0.name, value: $1) })
  }

  /// The model's values as SQLite stores them.
  private func rowValues(
    of model: Model, failure: (SQLiteError) -> DataAccessError
  ) throws(DataAccessError) -> [SQLiteValue] {
    do throws(SQLiteError) {
      let values = Self.values(of: model)
      let columns = Self.table.columns
      guard values.count == columns.count else {
        throw SQLiteError(
          .range,
          "\(Self.table.name) has \(counted(columns.count, "column")), but the model has "
            + counted(values.count, "value"))
      }
      var row: [SQLiteValue] = []
      for value in values { row.append(try value?.sqliteValue ?? .null) }
      return row
    } catch {
      throw failure(error)
    }
  }

  /// The place of the key among the columns.
  private func keyPlace() throws(SQLiteError) -> Int {
    guard Self.table.keyIsRowid, let key = Self.table.primaryKey.first,
      let place = Self.table.columnIndex(key)
    else {
      throw SQLiteError(.misuse, "The primary key of \(Self.table.name) is not one integer")
    }
    return place
  }
}
