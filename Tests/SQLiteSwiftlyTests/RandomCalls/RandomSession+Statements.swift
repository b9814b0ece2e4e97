import SQLiteSwiftly

/// A prepared statement, and its action.
final class KeptStatement {
  enum Kind: CaseIterable { case insert, setCount, delete, insertReturning, select, scan }

  let kind: Kind
  let table: String
  let countName: String
  /// It is removed while a cursor uses it.
  var statement: PreparedStatement?

  init(
    _ kind: Kind, _ table: String, _ countName: String, _ statement: consuming PreparedStatement
  ) {
    self.kind = kind
    self.table = table
    self.countName = countName
    self.statement = consume statement
  }

  var isQuery: Bool { kind == .select || kind == .scan }

  static func sql(_ kind: Kind, _ table: String, _ countName: String) -> SQL {
    let count: SQL = "\(identifier: countName)"
    return switch kind {
    case .insert:
      "INSERT INTO \(identifier: table) (id, key, \(sql: count)) VALUES (:id, @key, $count)"
    case .insertReturning:
      """
      INSERT INTO \(identifier: table) (id, key, \(sql: count)) VALUES (?1, ?2, ?3)
      RETURNING \(sql: count), id
      """
    case .setCount: "UPDATE \(identifier: table) SET \(sql: count) = :count WHERE id = :id"
    case .delete: "DELETE FROM \(identifier: table) WHERE id >= ?"
    // All rows are read and sorted before the first one is returned.
    case .select: "SELECT * FROM \(identifier: table) WHERE id >= ?1 ORDER BY +id"
    case .scan: "SELECT * FROM \(identifier: table) WHERE id >= :from"
    }
  }
}

extension RandomSession {
  func prepareStatement() throws {
    guard keptStatements.count < 6, let kind = pick(KeptStatement.Kind.allCases),
      let statement = try prepare(kind)
    else { return }
    keptStatements.append(statement)
  }

  func prepare(_ kind: KeptStatement.Kind) throws -> KeptStatement? {
    guard let table = pick(Self.tableNames) else { return nil }
    let countName = happens(onceIn: 4) ? "number" : "count"
    let sql = KeptStatement.sql(kind, table, countName)
    let preparation = model.preparation(isRight: isRight(kind, table, countName))
    let result = try call("prepare \(sql.text)", preparation) {
      KeptStatement(kind, table, countName, try connection.prepare(sql))
    }
    return try? result.get()
  }

  func isRight(_ kind: KeptStatement.Kind, _ name: String, _ countName: String) -> Bool {
    guard let table = model.tables[name] else { return false }
    return switch kind {
    case .insert, .insertReturning, .setCount: table.shape.countName == countName
    case .delete, .select, .scan: true
    }
  }

  /// Runs a statement that was kept in one of the ways that there are.
  func useKeptStatement() throws {
    let isFree: (KeptStatement) -> Bool = { $0.statement != nil }
    guard let kept = pick(keptStatements.filter(isFree)) else { return try prepareStatement() }
    let (parameters, change) = randomUse(of: kept)
    let isRight = isRight(kept.kind, kept.table, kept.countName)
    guard let change else { return try query(kept, parameters, isRight: isRight) }
    let wrong = parameters.isWrong ? Prediction.failure(Code.range) : .success
    let run = Prediction.first(
      model.beginning, wrong, prediction(of: change, in: kept.table, isRight: isRight))
    let name = "\(kept.kind) \(kept.table) \(parameters.values)"
    switch (kept.kind, Int.random(in: 0..<3, using: &random)) {
    case (.insertReturning, 0):
      let result = try call("run \(name)", .failure(Code.misuse)) {
        try kept.statement?.run(parameters.values)
      }
      try settle(result, change, in: kept.table)
    case (.insertReturning, 1): try readOneRow(of: kept, name, parameters, change, run)
    case (.insertReturning, _), (_, 0):
      try settle(
        try call("query \(name)", run) { try kept.statement?.query(parameters.values) }, change,
        in: kept.table)
    default:
      try settle(
        try call("run \(name)", run) { try kept.statement?.run(parameters.values) }, change,
        in: kept.table)
    }
  }

  /// Runs an insert as a query whose result is left after its first row, when it is committed.
  private func readOneRow(
    of kept: KeptStatement, _ name: String, _ parameters: RandomParameters, _ change: Change,
    _ run: Prediction
  ) throws {
    let isLost = run.failures == model.commitOfStatement.failures && !run.failures.isEmpty
    let changed = model.tables[kept.table]?.result(of: change)
    lastFailure = nil
    let result = try call("one row of \(name)", isLost ? .success : run) {
      try kept.readOneRow(parameters.values)
    }
    guard isLost else { return try settle(result, change, in: kept.table) }
    model.lastRowID = changed?.lastRowID
    try expect(lastFailure?.code, .busy, "what the trace handler is told of a lost commit")
  }

  private func query(
    _ kept: KeptStatement, _ parameters: RandomParameters, isRight: Bool
  ) throws {
    let wrong = parameters.isWrong ? Prediction.failure(Code.range) : .success
    let prediction = Prediction.first(
      model.beginning, wrong, isRight ? .success : model.preparation(isRight: false),
      model.access(writes: false))
    let result = try call("query \(kept.table) from \(parameters.first)", prediction) {
      try kept.statement?.query(parameters.values)
    }
    guard case .success(let rows) = result else { return }
    try expect(rows ?? [], model.tables[kept.table]?.rows(from: parameters.first) ?? [], "rows")
  }
}

/// The values for a run.
struct RandomParameters {
  var values: SQLParameters
  /// Whether there is one too many or too few, or one of another name.
  var isWrong = false
  /// The first of them, where it is an id.
  var first: Int64 = 0
}

extension RandomSession {
  /// Values for a run of a statement, and the change that it makes with them, if it makes one.
  private func randomUse(of kept: KeptStatement) -> (RandomParameters, Change?) {
    let row = randomRow()
    let id = Int64.random(in: 1...20, using: &random)
    switch kept.kind {
    case .insert:
      return (parameters(row, named: [":id", "key", "$count"]), .insert([row]))
    case .insertReturning:
      return (parameters(row, named: ["?1", "?2", "?3"]), .insert([row]))
    case .setCount:
      let values = [row[2], .integer(id)]
      return (parameters(values, named: ["count", "id"]), .setCount(row[2], id: id))
    case .delete:
      return (parameters([.integer(id + 5)], named: nil), .delete(from: id + 5))
    case .select: return (parameters([.integer(id)], named: ["?1"], id), nil)
    case .scan: return (parameters([.integer(id)], named: ["from"], id), nil)
    }
  }

  /// Values by their positions or by their names, now and then wrong ones.
  private func parameters(
    _ values: [SQLiteValue], named names: [String]?, _ first: Int64 = 0
  ) -> RandomParameters {
    var (values, names) = (values, names)
    let isWrong = happens(onceIn: 12)
    if isWrong {
      if happens(onceIn: 2) {
        values.append(1)
        names?.append("other")
      } else {
        values.removeLast()
      }
    }
    guard let names, happens(onceIn: 2) else {
      return RandomParameters(values: SQLParameters(values), isWrong: isWrong, first: first)
    }
    let named = Dictionary(uniqueKeysWithValues: zip(names, values))
    return RandomParameters(values: SQLParameters(named), isWrong: isWrong, first: first)
  }
}

extension KeptStatement {
  /// Runs an insert as a query whose result is left after its first row.
  fileprivate func readOneRow(_ parameters: SQLParameters) throws(SQLiteError) {
    guard var statement = statement.take() else { return }
    do throws(SQLiteError) {
      try Self.readOneRow(&statement, parameters)
      self.statement = consume statement
    } catch {
      self.statement = consume statement
      throw error
    }
  }

  private static func readOneRow(
    _ statement: inout PreparedStatement, _ parameters: SQLParameters
  ) throws(SQLiteError) {
    var rows = statement.rows(parameters)
    _ = try rows.next()
  }
}
