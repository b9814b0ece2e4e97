import SQLiteSwiftly

/// An insert that was prepared for a table as it was then.
final class KeptInsert {
  let table: String
  let shape: TableShape
  var statement: InsertStatement

  init(_ table: String, _ shape: TableShape, _ statement: consuming InsertStatement) {
    self.table = table
    self.shape = shape
    self.statement = statement
  }
}

extension RandomSession {
  func createTable() throws {
    guard let name = pick(Self.tableNames), let shape = pick(TableShape.allCases) else { return }
    let isNew = model.tables[name] == nil
    let result = try call(
      "createTable \(name) \(shape.columns)",
      .first(
        model.beginning, model.isInTransaction ? .success : model.begin(.immediate),
        model.preparation(isRight: isNew), model.access(writes: true),
        model.commitOfStatement)
    ) { try connection.createTable(describedBy: shape.description(name)) }
    var tables = model.tables
    tables[name] = TableModel(shape: shape)
    settle(result, tables, changes: true)
  }

  func alterTable() throws {
    guard let name = pick(Self.tableNames) else { return }
    let table = model.tables[name]
    var tables = model.tables
    var isRight = table != nil
    var isLocked = false
    let sql: SQL
    switch Int.random(in: 0..<7, using: &random) {
    case 0..<2:
      sql = "ALTER TABLE \(identifier: name) ADD COLUMN more TEXT"
      isRight = table?.shape.hasMore == false
      tables[name]?.shape.hasMore = true
      tables[name]?.rows = table?.rows.mapValues { $0 + [.null] } ?? [:]
    case 2..<4:
      sql = "ALTER TABLE \(identifier: name) DROP COLUMN more"
      isRight = table?.shape.hasMore == true
      tables[name]?.shape.hasMore = false
      tables[name]?.rows = table?.rows.mapValues { Array($0.prefix(3)) } ?? [:]
    case 4..<6:
      let (old, new) = happens(onceIn: 2) ? ("count", "number") : ("number", "count")
      sql = "ALTER TABLE \(identifier: name) RENAME COLUMN \(identifier: old) TO \(identifier: new)"
      isRight = table?.shape.countName == old
      tables[name]?.shape.countIsNumber = new == "number"
    default:
      sql = "DROP TABLE \(identifier: name)"
      tables[name] = nil
      isLocked = model.openCursors > 0
    }
    let result = try call(
      sql.text,
      .first(
        model.preparation(isRight: isRight), model.beginning, model.access(writes: true),
        isLocked ? .failure(Code.locked) : .success, model.commitOfStatement)
    ) { try connection.execute(sql) }
    settle(result, tables, changes: true)
  }

  /// Applies the effects of a writing statement to the model.
  func settle<Value>(
    _ result: Result<Value, SQLiteError>, _ tables: DatabaseModel, changes: Bool
  ) {
    switch result {
    case .success: model.write(tables, changes: changes)
    case .failure(let error): model.failToWrite(error.extendedCode)
    }
  }
}

extension RandomSession {
  func prepareInsert() throws {
    guard keptInserts.count < 4, let name = pick(Self.tableNames) else { return }
    let shape = TableShape(countIsNumber: happens(onceIn: 4), hasMore: happens(onceIn: 4))
    let preparation = model.preparation(isRight: isThere(name, shape))
    let result = try call("prepareInsert into \(name) \(shape.columns)", preparation) {
      KeptInsert(
        name, shape, try connection.prepareInsertIntoTable(describedBy: shape.description(name)))
    }
    if case .success(let insert) = result { keptInserts.append(insert) }
  }

  /// Whether a table has all columns of a description, which need not be all that it has.
  private func isThere(_ name: String, _ shape: TableShape) -> Bool {
    guard let table = model.tables[name] else { return false }
    return Set(table.shape.columns).isSuperset(of: shape.columns)
  }

  func insertThroughKeptStatement() throws {
    guard let kept = pick(keptInserts) else { return try prepareInsert() }
    let row = randomRow()
    var values = row + (kept.shape.hasMore ? [.null] : [])
    var isComplete = true
    if happens(onceIn: 12) {
      isComplete = false
      if happens(onceIn: 2) { values.append(1) } else { values.removeLast() }
    }
    let isByName = happens(onceIn: 2)
    let names = kept.shape.columns + ["other"]
    let change = Change.insert([row])
    let name = "insert \(isByName ? "by name " : "")into \(kept.table) \(values)"
    let result = try call(
      name,
      .first(
        isComplete ? .success : .failure(Code.range), model.beginning,
        prediction(of: change, in: kept.table, isRight: isThere(kept.table, kept.shape)))
    ) {
      guard isByName else { return try kept.statement.insert(values) }
      try kept.statement.insert(
        Dictionary(uniqueKeysWithValues: zip(names, values)) as [String: SQLiteValue])
    }
    try settle(result, change, in: kept.table)
  }

  /// The result of a change once its statement begins.
  func prediction(of change: Change, in name: String, isRight: Bool) -> Prediction {
    guard isRight, let table = model.tables[name] else {
      // A statement that was right once finds out about it when it has the lock, or before.
      let failures = model.preparation(isRight: false).failures
      return Prediction(failures: failures.union(model.access(writes: true).failures))
    }
    let expected = table.result(of: change)
    return .first(
      model.access(writes: true), Prediction(failures: expected.failures),
      model.commitOfStatement)
  }

  /// Applies the effects of an intended change to the model.
  func settle<Value>(
    _ result: Result<Value, SQLiteError>, _ change: Change, in name: String,
    rollsBack: Bool = false
  ) throws {
    guard let expected = model.tables[name]?.result(of: change) else {
      if case .failure(let error) = result { model.failToWrite(error.extendedCode) }
      return
    }
    switch result {
    case .success:
      var tables = model.tables
      tables[name] = expected.table
      model.write(tables, changes: expected.changes > 0)
      model.lastRowID = expected.lastRowID ?? model.lastRowID
      try expect(try connection.changes, expected.changes, "changes")
    case .failure(let error):
      // Rows may have been inserted before the one that failed, or before the commit did.
      if case .insert(let rows) = change, error.code == .busy || rows.count > 1 {
        model.lastRowID = nil
      }
      model.failToWrite(error.extendedCode)
      if rollsBack, Code.conflicts.contains(error.extendedCode), model.isInTransaction {
        model.rollBack()
      }
    }
  }

  func executeChange() throws {
    guard let name = pick(Self.tableNames) else { return }
    let countName = happens(onceIn: 4) ? "number" : "count"
    let change = randomChange()
    // SQLite keeps the rows before one whose type is wrong, when it has OR ROLLBACK.
    let rollsBack = happens(onceIn: 8) && !change.hasManyRows
    let sql = sql(of: change, in: name, countName, rollsBack: rollsBack)
    let isRight = isRight(change, in: name, countName)
    let result = try call(
      "execute \(sql.text) \(sql.values)",
      .first(
        model.preparation(isRight: isRight), model.beginning,
        prediction(of: change, in: name, isRight: isRight))
    ) {
      guard happens(onceIn: 2) else { return try connection.execute(sql) }
      _ = try connection.value(of: "\(sql: sql) RETURNING id")
    }
    try settle(result, change, in: name, rollsBack: rollsBack)
  }

  private func isRight(_ change: Change, in name: String, _ countName: String) -> Bool {
    guard let table = model.tables[name] else { return false }
    return switch change {
    case .insert, .setCount: table.shape.countName == countName
    case .setKey, .delete: true
    }
  }

  private func sql(
    of change: Change, in name: String, _ countName: String, rollsBack: Bool
  ) -> SQL {
    let conflict: SQL = rollsBack ? "OR ROLLBACK" : ""
    switch change {
    case .insert(let rows):
      var sql: SQL =
        "INSERT \(sql: conflict) INTO \(identifier: name) (id, key, \(identifier: countName)) VALUES "
      for (index, row) in rows.enumerated() {
        sql = "\(sql: sql)\(sql: index > 0 ? ", " : "")(\(row[0]), \(row[1]), \(row[2]))"
      }
      return sql
    case .setCount(let count, let id):
      return """
        UPDATE \(sql: conflict) \(identifier: name) SET \(identifier: countName) = \(count) \
        WHERE id = \(id)
        """
    case .setKey(let key, let first):
      return "UPDATE \(sql: conflict) \(identifier: name) SET key = \(key) WHERE id >= \(first)"
    case .delete(let first): return "DELETE FROM \(identifier: name) WHERE id >= \(first)"
    }
  }

  func randomChange() -> Change {
    let id = Int64.random(in: 1...20, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<4: return .insert([randomRow()])
    case 4..<6: return .insert([randomRow(), randomRow()])
    case 6..<8: return .setCount(randomCount(), id: id)
    case 8: return .setKey(randomKey(), from: id)
    default: return .delete(from: id + 5)
    }
  }

  /// Values for `id`, `key` and the count, now and then wrong ones.
  func randomRow() -> [SQLiteValue] {
    let id = Int64.random(in: 1...20, using: &random)
    let value: SQLiteValue = happens(onceIn: 15) ? .null : happens(onceIn: 20) ? "x" : .integer(id)
    return [value, randomKey(), randomCount()]
  }

  private func randomKey() -> SQLiteValue {
    if happens(onceIn: 3) { return .null }
    if happens(onceIn: 20) { return .blob([1, 2]) }
    return .text("key \(Int.random(in: 0..<12, using: &random))")
  }

  private func randomCount() -> SQLiteValue {
    if happens(onceIn: 20) { return .null }
    if happens(onceIn: 20) { return "x" }
    return .integer(Int64.random(in: 0...(happens(onceIn: 10) ? 11 : 9), using: &random))
  }
}
