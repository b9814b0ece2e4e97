public import SQLiteSwiftly
import Text

extension DataHelper {
  /// Returns the row with a value for each column of the primary key, in order; nil if there is none.
  ///
  /// - Throws: `DataAccessError.search`, also for a wrong number of values, and for a table without a primary key.
  public func find<each Key: SQLiteValueConvertible>(
    _ key: repeat each Key
  ) throws(DataAccessError) -> Model? {
    let connection = try store.usableConnection()
    return try mapError(as: DataAccessError.search) { () throws(SQLiteError) in
      var values: [SQLiteValue] = []
      repeat values.append(try (each key).sqliteValue)
      let count = Self.table.primaryKey.count
      guard values.count == count || count == 0 else {
        throw SQLiteError(
          .range,
          "expected \(counted(count, "value")) for the primary key of \(Self.table.name), "
            + "found \(values.count)")
      }
      return try store.find(values, for: Self.self, on: connection)
    }
  }

  /// The query for the row with a key.
  static func lookup() throws(SQLiteError) -> SQL {
    let conditions = try keyPlaces().map { "\(identifier: table.columns[$0].name) IS ?" as SQL }
    return """
      SELECT * FROM \(identifier: table.name) WHERE \(sql: conditions.joined(separator: " AND "))
      """
  }

  /// Returns all rows.
  public func findAll() throws(DataAccessError) -> [Model] { try find { [] } }

  /// Returns the rows that match all values.
  ///
  /// ```swift
  /// let found = try teams.find(where: ["city": "Boston"])
  /// ```
  ///
  /// NULL matches rows without a value.
  ///
  /// - Throws: `DataAccessError.search`, also for an unknown column, and for a column with two values.
  public func find(
    where values: KeyValuePairs<String, (any SQLiteValueConvertible)?>
  ) throws(DataAccessError) -> [Model] {
    // A dictionary literal with a duplicate name would end the process.
    try find { () throws(SQLiteError) in try Self.conditions(values) }
  }

  /// Returns the rows that match all values as above, for example from a dictionary.
  @_disfavoredOverload
  public func find(
    where values: some Sequence<(key: String, value: SQLiteValue)>
  ) throws(DataAccessError) -> [Model] {
    // A dictionary parameter would also be chosen for literals, even if disfavored. Its order would
    // generate different SQL in each run.
    try find { values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
  }

  /// Returns the rows that match all values of an example; its nil values are ignored, and a key 0 if SQLite chooses
  /// keys.
  public func find(like example: Model) throws(DataAccessError) -> [Model] {
    try find { () throws(SQLiteError) in
      let row = try self.row(of: example)
      return zip(Self.table.columns, row).filter { !$1.isNull }.map { ($0.name, $1) }
    }
  }

  /// Returns the number of rows, or of those that match all values as above.
  ///
  /// - Complexity: O(*n*) in the number of rows, without an index of the columns.
  public func count(
    where values: KeyValuePairs<String, (any SQLiteValueConvertible)?> = [:]
  ) throws(DataAccessError) -> Int {
    let connection = try store.usableConnection()
    return try mapError(as: DataAccessError.search) { () throws(SQLiteError) in
      let query = try Self.search(Self.conditions(values), selecting: "count(*)")
      return try connection.first(query, as: Int.self) ?? 0
    }
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
    var failure: (any Error)?
    do throws(SQLiteError) {
      var statement = try connection.prepare(Self.search(Self.conditions(values)))
      try statement.forEachRow(describedBy: Self.table) { row throws(SQLiteError) in
        let model = try Self.model(from: row)
        do { try body(model) } catch {
          failure = error
          throw SQLiteError(.abort, "the closure has ended the search")
        }
      }
    } catch {
      throw failure ?? DataAccessError.search(error)
    }
  }

  private static func conditions(
    _ values: KeyValuePairs<String, (any SQLiteValueConvertible)?>
  ) throws(SQLiteError) -> [(column: String, value: SQLiteValue)] {
    try values.map { column, value throws(SQLiteError) in
      (column, try value?.sqliteValue(at: "column \(column) of \(table.name)") ?? .null)
    }
  }

  private func find(
    _ conditions: () throws(SQLiteError) -> [(column: String, value: SQLiteValue)]
  ) throws(DataAccessError) -> [Model] {
    let values = try mapError(conditions(), as: DataAccessError.search)
    let connection = try store.usableConnection()
    return try mapError(as: DataAccessError.search) { () throws(SQLiteError) in
      var models: [Model] = []
      var statement = try connection.prepare(Self.search(values))
      try statement.forEachRow(describedBy: Self.table) { row throws(SQLiteError) in
        models.append(try Self.model(from: row))
      }
      return models
    }
  }

  private static func search(
    _ conditions: [(column: String, value: SQLiteValue)], selecting result: SQL = "*"
  ) throws(SQLiteError) -> SQL {
    let query: SQL = "SELECT \(sql: result) FROM \(identifier: table.name)"
    var columns: Set<Int> = []
    var terms: [SQL] = []
    for (name, value) in conditions {
      guard let column = table.columnPlace(ignoringCase: name) else {
        throw SQLiteError(.misuse, table.lackOfColumns([name]))
      }
      guard columns.insert(column).inserted else {
        throw SQLiteError(.range, "column \(name) of \(table.name) has two values")
      }
      terms.append("\(identifier: name) IS \(value)")
    }
    return terms.isEmpty
      ? query : "\(sql: query) WHERE \(sql: terms.joined(separator: " AND "))"
  }
}
