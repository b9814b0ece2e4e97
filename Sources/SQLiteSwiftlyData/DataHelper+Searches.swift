public import SQLiteSwiftly

extension DataHelper {
  /// Returns the row with a key; nil if there is none.
  ///
  /// ```swift
  /// let boston = try teams.find(id)
  /// ```
  ///
  /// - Parameter key: a value for each column of the primary key, in order.
  /// - Returns: A model of the row.
  /// - Throws: `DataAccessError.search`, also for a wrong number of values, and for a table without
  ///   a primary key.
  public func find<each Key: SQLiteValueConvertible>(
    _ key: repeat each Key
  ) throws(DataAccessError) -> Model? {
    var conditions: [(column: String, value: SQLiteValue)] = []
    do throws(SQLiteError) {
      var values: [SQLiteValue] = []
      repeat values.append(try (each key).sqliteValue)
      let columns = try Self.keyPlaces().map { Self.table.columns[$0].name }
      guard values.count == columns.count else {
        throw SQLiteError(
          .range,
          "expected \(counted(columns.count, "value")) for the primary key of \(Self.table.name), "
            + "found \(values.count)")
      }
      for (column, value) in zip(columns, values) { conditions.append((column, value)) }
    } catch {
      throw .search(error)
    }
    return try find(all: conditions).first
  }

  /// Returns all rows.
  ///
  /// ```swift
  /// let cities = try teams.findAll().map(\.city)
  /// ```
  ///
  /// - Returns: A model for each row.
  public func findAll() throws(DataAccessError) -> [Model] { try find(all: []) }

  /// Returns the rows that match all values.
  ///
  /// ```swift
  /// let found = try teams.find(where: ["city": "Boston"])
  /// ```
  ///
  /// - Parameter values: the values by column name; NULL matches rows without a value.
  /// - Returns: A model for each row.
  /// - Throws: `DataAccessError.search`, also for an unknown column, and for a column with two
  ///   values.
  public func find(
    where values: KeyValuePairs<String, (any SQLiteValueConvertible)?>
  ) throws(DataAccessError) -> [Model] {
    // A dictionary literal with a duplicate name would end the process.
    try find(allOf: values.map { ($0.key, $0.value) })
  }

  /// Returns the rows that match all values as above, for example from a dictionary.
  @_disfavoredOverload
  public func find(
    where values: some Sequence<(key: String, value: SQLiteValue)>
  ) throws(DataAccessError) -> [Model] {
    // With a dictionary as the parameter's type, it would also be chosen for literals, even if
    // disfavored. The order of a dictionary would generate different SQL in each run.
    try find(allOf: values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }

  /// Returns the rows that match all values of an example; its nil values are ignored.
  ///
  /// ```swift
  /// let alike = try teams.find(like: Team(city: "Boston"))
  /// ```
  public func find(like example: Model) throws(DataAccessError) -> [Model] {
    let row: [SQLiteValue]
    do throws(SQLiteError) { row = try Self.row(of: example) } catch { throw .search(error) }
    let conditions = zip(Self.table.columns, row).filter { !$1.isNull }
    return try find(all: conditions.map { (column: $0.name, value: $1) })
  }

  /// Passes each row, or each row that matches all values, to a closure, one at a time.
  ///
  /// Memory does not grow with the number of rows.
  ///
  /// ```swift
  /// try teams.forEach(where: ["city": "Boston"]) { team in ids.append(team.id) }
  /// ```
  ///
  /// - Throws: `DataAccessError.search`, or the error of the closure, which ends the search.
  public func forEach(
    where values: KeyValuePairs<String, (any SQLiteValueConvertible)?> = [:],
    _ body: (Model) throws -> Void
  ) throws {
    let connection = try store.usableConnection()
    var statement: PreparedStatement
    do throws(SQLiteError) {
      let conditions = try conditions(values.map { ($0.key, $0.value) })
      statement = try connection.prepare(search(conditions))
    } catch {
      throw DataAccessError.search(error)
    }
    let failure = { (error: SQLiteError) in DataAccessError.search(error) as any Error }
    try statement.forEachRow(describedBy: Self.table, failure: failure) { row in
      let model: Model
      do throws(SQLiteError) { model = try Self.model(from: row) } catch { throw failure(error) }
      try body(model)
    }
  }

  private func conditions(
    _ values: [(String, (any SQLiteValueConvertible)?)]
  ) throws(SQLiteError) -> [(column: String, value: SQLiteValue)] {
    var conditions: [(column: String, value: SQLiteValue)] = []
    for (column, value) in values {
      conditions.append((column, try value?.sqliteValue ?? .null))
    }
    return conditions
  }

  private func find(
    allOf values: [(String, (any SQLiteValueConvertible)?)]
  ) throws(DataAccessError) -> [Model] {
    let converted: [(column: String, value: SQLiteValue)]
    do throws(SQLiteError) { converted = try conditions(values) } catch { throw .search(error) }
    return try find(all: converted)
  }

  private func find(
    all conditions: [(column: String, value: SQLiteValue)]
  ) throws(DataAccessError) -> [Model] {
    let connection = try store.usableConnection()
    do throws(SQLiteError) {
      var models: [Model] = []
      var statement = try connection.prepare(search(conditions))
      try statement.forEachRow(describedBy: Self.table, failure: { $0 }) {
        row throws(SQLiteError) in
        models.append(try Self.model(from: row))
      }
      return models
    } catch {
      throw .search(error)
    }
  }

  /// The query for the rows that meet all conditions.
  private func search(
    _ conditions: [(column: String, value: SQLiteValue)]
  ) throws(SQLiteError) -> SQL {
    var columns: Set<Int> = []
    var terms: [SQL] = []
    for (name, value) in conditions {
      guard let column = Self.table.columnPlace(ignoringCase: name) else {
        throw SQLiteError(.misuse, "\(Self.table.name) has no column \(name)")
      }
      guard columns.insert(column).inserted else {
        throw SQLiteError(.range, "column \(name) of \(Self.table.name) has two values")
      }
      terms.append("\(identifier: name) IS \(value)")
    }
    let query: SQL = "SELECT * FROM \(identifier: Self.table.name)"
    return terms.isEmpty
      ? query : "\(sql: query) WHERE \(sql: terms.joined(separator: " AND "))"
  }
}
