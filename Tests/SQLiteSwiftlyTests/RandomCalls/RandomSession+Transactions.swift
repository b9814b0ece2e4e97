import SQLiteSwiftly

/// The error of a closure whose transaction should be undone.
private struct Undo: Error {}

extension RandomSession {
  /// Makes calls in a transaction of the library, or in a savepoint if there is one already.
  func transact() throws {
    let kind = pick([TransactionKind.deferred, .immediate, .exclusive]) ?? .immediate
    guard kind != .exclusive || canTryExclusiveLock else { return }
    let isOutermost = !model.isInTransaction
    let beginning = Prediction.first(model.beginning, isOutermost ? model.begin(kind) : .success)
    let isUndone = happens(onceIn: 3)
    let savepoint = model.savepoints.count
    var ending = Prediction.success
    var hasBegun = false
    let body = { [self] in
      hasBegun = true
      if isOutermost { model.beginTransaction(kind) } else { model.beginSavepoint("") }
      model.libraryLevels += 1
      defer { model.libraryLevels -= 1 }
      try makeInnerCalls()
      if isUndone { throw Undo() }
      ending = .first(model.beginning, isOutermost ? model.commitOfTransaction : .success)
    }
    let name = "transaction \(kind)\(isUndone ? " to be undone" : "")"
    let result = try callTransaction(name, beginning, { ending }, kind, body)
    journal(hasBegun ? "end of the transaction" : "no transaction")
    guard hasBegun, model.isInTransaction else { return }
    switch (result, isOutermost) {
    case (.success, true): model.commit()
    case (.failure, true): model.rollBack()
    case (.success, false): model.release(savepoint)
    case (.failure, false):
      model.rollBack(to: savepoint)
      model.release(savepoint)
    }
  }

  /// Runs `body` in one of the two functions, and compares its end with the prediction.
  private func callTransaction(
    _ name: String, _ beginning: Prediction, _ ending: () -> Prediction, _ kind: TransactionKind,
    _ body: () throws -> Void
  ) throws -> Result<Void, any Error> {
    journal(name)
    do {
      if happens(onceIn: 2) {
        try connection.transaction(kind, body)
      } else {
        try connection.transaction(kind) { () throws(SQLiteError) in
          do {
            try body()
          } catch let error as Divergence {
            divergence = error
            throw sampleError
          } catch {
            throw sampleError
          }
        }
      }
    } catch let error as Divergence {
      throw error
    } catch is Undo {
      return .failure(Undo())
    } catch let error as SQLiteError {
      if let divergence { throw divergence }
      if error == sampleError { return .failure(Undo()) }
      let codes = beginning.failures.union(ending().failures)
      guard codes.contains(error.extendedCode) else {
        throw diverges("\(name) failed with \(error), and not \(codes)")
      }
      journal("\(error)")
      return .failure(error)
    }
    guard beginning.failures.isEmpty, ending().failures.isEmpty || ending().maySucceed else {
      throw diverges("\(name) succeeded, and not with \(ending().failures)")
    }
    return .success(())
  }

  /// Begins or ends a transaction by SQL.
  func beginOrEndTransaction() throws {
    let isOpen = model.isInTransaction
    switch Int.random(in: 0..<5, using: &random) {
    case 0: try begin("BEGIN", .deferred)
    case 1: try begin("BEGIN IMMEDIATE", .immediate)
    case 2: if canTryExclusiveLock { try begin("BEGIN EXCLUSIVE", .exclusive) }
    case 3:
      let result = try call(
        "COMMIT",
        .first(model.beginning, isOpen ? model.commitOfTransaction : .failure(Code.error))
      ) { try connection.execute("COMMIT") }
      settleCommit(result)
    default:
      let result = try call(
        "ROLLBACK", .first(model.beginning, isOpen ? .success : .failure(Code.error))
      ) { try connection.execute("ROLLBACK") }
      if case .success = result { model.rollBack() }
    }
  }

  /// Where a read goes on, SQLite keeps half of an exclusive lock that it did not get.
  private var canTryExclusiveLock: Bool { model.holdsNoLock || model.other.lock != .shared }

  private func begin(_ sql: SQL, _ kind: TransactionKind) throws {
    let isOpen = model.isInTransaction
    let prediction = Prediction.first(
      model.beginning, model.begin(kind), isOpen ? .failure(Code.error) : .success)
    switch try call(sql.text, prediction, { try connection.execute(sql) }) {
    case .success: model.beginTransaction(kind)
    // SQLite acquires the locks before it sees the transaction.
    case .failure(let error): if isOpen, error.code == .error { model.lock(kind) }
    }
  }

  private func settleCommit(_ result: Result<Void, SQLiteError>) {
    switch result {
    case .success: model.commit()
    case .failure(let error): if error.code == .busy { model.failToCommit() }
    }
  }

  /// Begins or ends a savepoint by SQL.
  func beginOrEndSavepoint() throws {
    let name = pick(["s", "t", "nested"]) ?? "s"
    // The savepoints of the library, which have no name here, end with their closures.
    let first = model.savepoints.lastIndex { $0.name.isEmpty } ?? -1
    let index = model.savepoints.lastIndex { $0.name == name }
    guard index ?? first + 1 > first else { return }
    let known = index == nil ? Prediction.failure(Code.error) : .success
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      let isLast = index.map(model.isOutermost) ?? false
      let result = try call(
        "RELEASE \(name)",
        .first(model.beginning, known, isLast ? model.commitOfTransaction : .success)
      ) { try connection.execute("RELEASE \(identifier: name)") }
      if isLast { return settleCommit(result) }
      if case .success = result, let index { model.release(index) }
    case 1:
      let result = try call("ROLLBACK TO \(name)", .first(model.beginning, known)) {
        try connection.execute("ROLLBACK TO \(identifier: name)")
      }
      if case .success = result, let index { model.rollBack(to: index) }
    default:
      let result = try call("SAVEPOINT \(name)", model.beginning) {
        try connection.execute("SAVEPOINT \(identifier: name)")
      }
      if case .success = result { model.beginSavepoint(name) }
    }
  }

  /// Makes calls while another connection holds a lock.
  func lockFromOtherConnection() throws {
    typealias Lock = SessionModel.OtherConnection.Lock
    guard model.other.lock == .none, let lock = pick([Lock.shared, .reserved, .exclusive]) else {
      return
    }
    journal("other connection: \(lock)")
    let isLocked = (try? takeOtherLock(lock)) != nil
    if let expected = model.otherGets(lock) {
      try expect(isLocked, expected, "the other connection gets a lock")
    }
    guard isLocked else { return }
    var tables: DatabaseModel?
    if lock != .shared, let name = model.committed.keys.sorted().first, happens(onceIn: 2) {
      tables = try insertFromOtherConnection(name)
    }
    model.otherTakes(lock, tables)
    try makeInnerCalls()
    var isCommitted = true
    do {
      try otherConnection.execute("COMMIT")
    } catch {
      isCommitted = false
      journal("other connection: \(error)")
      try otherConnection.execute("ROLLBACK")
    }
    if lock == .shared || model.holdsNoLock {
      try expect(isCommitted, true, "the other connection can commit")
    } else if model.openCursors > 0 {
      try expect(isCommitted, false, "the other connection can commit")
    }
    model.otherReleases(isCommitted: isCommitted)
  }

  private func takeOtherLock(_ lock: SessionModel.OtherConnection.Lock) throws {
    switch lock {
    case .none: break
    case .reserved: try otherConnection.execute("BEGIN IMMEDIATE")
    case .exclusive: try otherConnection.execute("BEGIN EXCLUSIVE")
    case .shared:
      try otherConnection.execute("BEGIN")
      do {
        _ = try otherConnection.query("SELECT count(*) FROM sqlite_schema")
      } catch {
        try otherConnection.execute("ROLLBACK")
        throw error
      }
    }
  }

  private func insertFromOtherConnection(_ name: String) throws -> DatabaseModel {
    var tables = model.committed
    let row: [SQLiteValue] = [.null, .null, 5]
    let countName = tables[name]?.shape.countName ?? ""
    try otherConnection.execute(
      "INSERT INTO \(identifier: name) (id, key, \(identifier: countName)) VALUES (?, ?, ?)",
      SQLParameters(row))
    _ = tables[name]?.insert(row)
    return tables
  }
}

extension RandomSession {
  /// Makes a call that is wrong at any time.
  func useWrongly() throws {
    let calls: [(String, Code, (Connection) throws(SQLiteError) -> Void)] = [
      ("no SQL", Code.error, { c throws(SQLiteError) in try c.execute("SELEC 1") }),
      ("nothing", Code.misuse, { c throws(SQLiteError) in try c.execute(" -- nothing") }),
      ("two statements", Code.misuse, { c throws(SQLiteError) in try c.execute("BEGIN; BEGIN") }),
      ("lost rows", Code.misuse, { c throws(SQLiteError) in try c.execute("VALUES (1)") }),
      (
        "no table", Code.error,
        { c throws(SQLiteError) in _ = try c.readAllRows(fromTable: words) }
      ),
      (
        "too large a number", Code.range,
        { c throws(SQLiteError) in _ = try c.query("SELECT \(UInt64.max)") }
      ),
      (
        "rows of no query", Code.misuse,
        { c throws(SQLiteError) in _ = try c.query("SAVEPOINT s", describedBy: words) }
      ),
    ]
    guard let (name, code, body) = pick(calls) else { return }
    // SQLite may have to read the schema to detect that the table is missing.
    let busy: Set = code == Code.error && model.other.lock == .exclusive ? [Code.busy] : []
    _ = try call(name, Prediction(failures: busy.union([code]))) { try body(connection) }
  }
}
