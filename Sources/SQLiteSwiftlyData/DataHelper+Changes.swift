import SQLiteSwiftly
import Text

extension DataHelper {
  /// Inserts a row, with the model's key if it has one.
  ///
  /// ```swift
  /// let id = try teams.insert(Team(city: "Boston"))
  /// let boston = try teams.find(id)
  /// ```
  ///
  /// - Returns: The row's key if it is one integer; a key chosen by SQLite is greater than 0.
  ///   Otherwise the rowid, or 0 in a table without rowids.
  /// - Throws: `DataAccessError`: `nilInData` if a required column has no value, `insert` if SQLite
  ///   refuses the row, for example because the key exists already.
  @discardableResult
  public func insert(_ model: Model) throws(DataAccessError) -> Int64 {
    let connection = try store.usableConnection()
    let row = try completeRow(of: model)
    guard Self.choosesKeys, store.rules(of: Self.self).key(in: row) == nil else {
      return try insert(row, onConflict: .fail, on: connection)
    }
    // A wrong key chosen by SQLite is undone.
    return try connection.transaction(
      .immediate,
      { () throws(DataAccessError) in try insert(row, onConflict: .fail, on: connection) },
      failure: DataAccessError.insert)
  }

  /// Inserts a row, or updates all other values of the row with the model's key
  /// (<https://www.sqlite.org/lang_upsert.html>).
  ///
  /// - Throws: `DataAccessError` as for an insert; also `insert` if the model has no key.
  public func upsert(_ model: Model) throws(DataAccessError) {
    let connection = try store.usableConnection()
    _ = try insert(try completeRow(of: model), onConflict: .update, on: connection)
  }

  /// Updates all other values of the row with the model's key.
  ///
  /// ```swift
  /// try teams.update(Team(id: id, city: "Montreal"))
  /// ```
  ///
  /// - Throws: `DataAccessError`: `nilInData` if a required column has no value; `insert` if the model has no key, if no
  ///   row has it, or if SQLite refuses the values.
  public func update(_ model: Model) throws(DataAccessError) {
    let connection = try store.usableConnection()
    let row = try completeRow(of: model)
    try mapError(as: DataAccessError.insert) { () throws(SQLiteError) in
      let key = try Self.keyPlaces()
      guard let isRow = try Self.hasKey(of: row) else {
        throw SQLiteError(.misuse, "the model has no key, but an update needs one")
      }
      let others = row.indices.filter { !key.contains($0) }
      let values = (others.isEmpty ? key : others).map { place -> SQL in
        "\(identifier: Self.table.columns[place].name) = \(row[place])"
      }
      try connection.execute(
        """
        UPDATE \(identifier: Self.table.name) SET \(sql: values.joined(separator: ", "))
        WHERE \(sql: isRow)
        """)
      try Self.checkChange(on: connection)
    }
  }

  /// Inserts a row if the model has no key, or none of an existing row, and otherwise updates that row.
  ///
  /// - Returns: The row's key if it is one integer, or else 0.
  /// - Throws: `DataAccessError`, as for an insert.
  @discardableResult
  public func save(_ model: Model) throws(DataAccessError) -> Int64 {
    let connection = try store.usableConnection()
    let row = try completeRow(of: model)
    let key = store.rules(of: Self.self).key(in: row)
    if Self.choosesKeys, key == nil { return try insert(model) }
    _ = try insert(row, onConflict: .update, on: connection)
    return key ?? 0
  }

  /// Inserts a row for each model, all or none.
  ///
  /// - Returns: The number of rows.
  /// - Throws: The `DataAccessError` of the first model that cannot be inserted.
  @discardableResult
  public func insert(all models: some Sequence<Model>) throws(DataAccessError) -> Int {
    let connection = try store.usableConnection()
    let insertAll = { () throws(DataAccessError) in
      var count = 0
      for model in models {
        // Creating the next model may have closed the connection.
        let connection = try store.usableConnection()
        _ = try insert(try completeRow(of: model), onConflict: .fail, on: connection)
        count += 1
      }
      return count
    }
    return try connection.transaction(.immediate, insertAll, failure: DataAccessError.insert)
  }

  /// Deletes the row with the model's key, regardless of its other values; without a key it deletes nothing.
  ///
  /// - Throws: `DataAccessError.delete` if no row has the key, or if SQLite refuses.
  public func delete(_ model: Model) throws(DataAccessError) {
    let connection = try store.usableConnection()
    try mapError(as: DataAccessError.delete) { () throws(SQLiteError) in
      guard let isRow = try Self.hasKey(of: Self.row(of: model)) else { return }
      try connection.execute("DELETE FROM \(identifier: Self.table.name) WHERE \(sql: isRow)")
      try Self.checkChange(on: connection)
    }
  }

  /// The condition of the row with the key of `row`; nil if that has none.
  private static func hasKey(of row: [SQLiteValue]) throws(SQLiteError) -> SQL? {
    let places = try keyPlaces()
    guard !places.contains(where: { row[$0].isNull }) else { return nil }
    return places.map { "\(identifier: table.columns[$0].name) = \(row[$0])" as SQL }
      .joined(separator: " AND ")
  }

  private static func checkChange(on connection: Connection) throws(SQLiteError) {
    guard try connection.changes == 1 else {
      throw SQLiteError(.error, "\(table.name) has no row with the key of the model")
    }
  }

  private func insert(
    _ row: [SQLiteValue], onConflict resolution: ConflictResolution, on connection: Connection
  ) throws(DataAccessError) -> Int64 {
    let rules = store.rules(of: Self.self)
    let given = rules.key(in: row)
    return try mapError(as: DataAccessError.insert) { () throws(SQLiteError) in
      if Self.choosesKeys {
        if let given { try Self.checkIsPositive(given) }
        guard given != nil || resolution != .update else {
          throw SQLiteError(
            .misuse,
            "the model has no key, but \(Self.table.name) needs one to detect existing rows")
        }
      }
      try store.insert(row, for: Self.self, onConflict: resolution, on: connection)
      if let given { return given }
      guard rules.hasRowids else { return 0 }
      let rowid = try connection.lastInsertedRowID
      if Self.choosesKeys { try Self.checkIsPositive(rowid) }
      return rowid
    }
  }

  /// The error does not contain the value.
  private static func checkIsPositive(_ key: Int64) throws(SQLiteError) {
    guard key > 0 else {
      throw SQLiteError(.range, "the key of a row of \(table.name) must be greater than 0")
    }
  }

  /// The model's row, with all required values.
  private func completeRow(of model: Model) throws(DataAccessError) -> [SQLiteValue] {
    let rules = store.rules(of: Self.self)
    let row = try mapError(as: DataAccessError.insert) { () throws(SQLiteError) in
      guard !Self.choosesKeys || rules.chosenColumn != nil else {
        throw SQLiteError(
          .misuse, "the key of \(Self.table.name) is not one integer; set choosesKeys to false")
      }
      return try self.row(of: model)
    }
    if let missing = rules.requiredColumns.first(where: { row[$0].isNull }) {
      throw .nilInData(column: Self.table.columns[missing].name)
    }
    return row
  }

  /// The model's row, with NULL for a key that SQLite chooses.
  func row(of model: Model) throws(SQLiteError) -> [SQLiteValue] {
    let rules = store.rules(of: Self.self)
    var row = try Self.row(of: model, columnCount: rules.columnCount)
    if let key = rules.chosenColumn, row[key].integerValue == 0 { row[key] = .null }
    return row
  }
}
