extension DataHelper {
  /// Inserts a row.
  ///
  /// ```swift
  /// let id = try teams.insert(Team(city: "Boston"))
  /// let boston = try teams.find(id)
  /// ```
  ///
  /// - Returns: The row's key if it is one integer, which is greater than 0 where SQLite chooses it; else the
  ///   rowid, or 0 in a table without rowids.
  /// - Throws: `DataAccessError`: `nilInData` if a column that requires a value has none, `insert` if
  ///   SQLite refuses the row.
  @discardableResult
  public func insert(_ model: Model) throws(DataAccessError) -> Int64 {
    let connection = try store.usableConnection()
    guard Self.choosesKeys else {
      return try insert(model, onConflict: .fail, on: connection)
    }
    // A key that SQLite should not have chosen is undone.
    return try connection.transaction(
      .immediate,
      { () throws(DataAccessError) in try insert(model, onConflict: .fail, on: connection) },
      failure: DataAccessError.insert)
  }

  /// Inserts a row, or gives the row that has the model's key all its other values
  /// (<https://www.sqlite.org/lang_upsert.html>).
  ///
  /// ```swift
  /// try themes.upsert(Theme(id: 1, name: "Technic"))
  /// try themes.upsert(Theme(id: 1, name: "Technic, renamed"))
  /// ```
  ///
  /// - Throws: `DataAccessError` as for an insert; with `insert`, too, if SQLite chooses the keys, since no
  ///   row could have the model's.
  public func upsert(_ model: Model) throws(DataAccessError) {
    if Self.choosesKeys {
      throw .insert(
        SQLiteError(
          .misuse, "SQLite chooses the keys of \(Self.table.name): there is none to go by"))
    }
    _ = try insert(model, onConflict: .update, on: try store.usableConnection())
  }

  /// Inserts a row for each model, all of them or none.
  ///
  /// ```swift
  /// try themes.insert(all: [Theme(id: 2, name: "Arctic"), Theme(id: 3, name: "Castle")])
  /// ```
  ///
  /// - Returns: The number of rows.
  /// - Throws: `DataAccessError` of the first model that cannot be inserted.
  @discardableResult
  public func insert(all models: some Sequence<Model>) throws(DataAccessError) -> Int {
    let connection = try store.usableConnection()
    let insertAll = { () throws(DataAccessError) in
      var count = 0
      for model in models {
        // Making the next model may have closed the connection.
        _ = try insert(model, onConflict: .fail, on: try store.usableConnection())
        count += 1
      }
      return count
    }
    return try connection.transaction(.immediate, insertAll, failure: DataAccessError.insert)
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
    do throws(SQLiteError) {
      let row = try Self.row(of: model)
      let places = try Self.keyPlaces()
      guard !places.contains(where: { row[$0].isNull }) else { return }
      let conditions = places.map { place -> SQL in
        "\(identifier: Self.table.columns[place].name) = \(row[place])"
      }
      try connection.execute(
        """
        DELETE FROM \(identifier: Self.table.name)
        WHERE \(sql: conditions.joined(separator: " AND "))
        """)
      guard try connection.changes == 1 else {
        throw SQLiteError(.error, "\(Self.table.name) has no row with the key of the model")
      }
    } catch {
      throw .delete(error)
    }
  }

  private func insert(
    _ model: Model, onConflict resolution: ConflictResolution, on connection: Connection
  ) throws(DataAccessError) -> Int64 {
    let rules = store.rules(of: Self.self)
    let row = try completeRow(of: model, rules)
    do throws(SQLiteError) {
      try store.insert(row, for: Self.self, onConflict: resolution, on: connection)
      if !Self.choosesKeys, let key = rules.keyColumn, let number = row[key].integerValue {
        return number
      }
      guard rules.hasRowids else { return 0 }
      let rowid = try connection.lastInsertedRowID
      guard rowid > 0 || !Self.choosesKeys else {
        throw SQLiteError(.error, "SQLite chose \(rowid) for the key of \(Self.table.name)")
      }
      return rowid
    } catch {
      throw .insert(error)
    }
  }

  /// The model's row, which has all values that are required, and no key if SQLite chooses it.
  private func completeRow(
    of model: Model, _ rules: RowRules
  ) throws(DataAccessError) -> [SQLiteValue] {
    var row: [SQLiteValue]
    do throws(SQLiteError) {
      row = try Self.row(of: model, columnCount: rules.columnCount)
      if Self.choosesKeys {
        guard let key = rules.chosenColumn else {
          throw SQLiteError(.misuse, "The primary key of \(Self.table.name) is not one integer")
        }
        row[key] = .null
      }
    } catch {
      throw .insert(error)
    }
    if let missing = rules.requiredColumns.first(where: { row[$0].isNull }) {
      throw .nilInData(column: Self.table.columns[missing].name)
    }
    return row
  }
}
