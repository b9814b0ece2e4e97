import SQLiteSwiftly

/// The expected state of a connection, and of another one to the same file.
///
/// The file has a rollback journal (<https://www.sqlite.org/lockingv3.html>).
struct SessionModel {
  /// The data visible to this connection.
  private(set) var tables: DatabaseModel = [:]
  /// The data at the beginning of the open transaction.
  private var start: DatabaseModel?
  private(set) var savepoints: [Savepoint] = []
  /// Whether the transaction ends with its outermost savepoint.
  private var beganAsSavepoint = false
  /// The transactions and savepoints that the library has begun.
  var libraryLevels = 0
  private var holdsWriteLock = false
  private(set) var holdsExclusiveLock = false
  /// Whether this model describes the locks of the transaction.
  private var isCertainOfLocks = true
  /// The cursors that are neither before their first row nor after their last.
  var openCursors = 0
  /// The number of inserts and changes so far, to detect new ones.
  private(set) var changeCount = 0
  private(set) var other = OtherConnection()
  /// The rowid of the last insert; nil if SQLite does not define it.
  var lastRowID: Int64? = 0

  struct Savepoint {
    let name: String
    let tables: DatabaseModel
  }

  /// The other connection: its lock, and its inserts.
  struct OtherConnection {
    enum Lock: CaseIterable { case none, shared, reserved, exclusive }
    fileprivate(set) var lock = Lock.none
    fileprivate(set) var tables: DatabaseModel?
  }

  var isInTransaction: Bool { start != nil }
  /// Whether SQLite has ended a transaction that the library has not ended.
  var isDoomed: Bool { libraryLevels > 0 && start == nil }
  /// The data visible to other connections.
  var committed: DatabaseModel { start ?? tables }
  var seenByOther: DatabaseModel { other.tables ?? committed }
  var holdsNoLock: Bool { !isInTransaction && openCursors == 0 }
  var canBeReadByOther: Bool { !holdsExclusiveLock }
  var canBeRead: Bool { !isDoomed && other.lock != .exclusive }
}

/// The predicted result of a call.
struct Prediction {
  /// The call fails with one of these, if there are any.
  var failures: Set<Code> = []
  /// Whether it may succeed although there are some.
  var maySucceed = false

  static let success = Prediction()

  static func failure(_ codes: Code...) -> Prediction { Prediction(failures: Set(codes)) }

  /// The first failure that there is, where one comes before the next.
  static func first(_ steps: Prediction...) -> Prediction {
    var failures: Set<Code> = []
    for step in steps where !step.failures.isEmpty {
      failures.formUnion(step.failures)
      if !step.maySucceed { return Prediction(failures: failures) }
    }
    return Prediction(failures: failures, maySucceed: true)
  }
}

extension SessionModel {
  /// The result of compiling a valid or invalid statement.
  func preparation(isRight: Bool) -> Prediction {
    // SQLite may have to read the schema for it.
    let needsLock = other.lock == .exclusive
    if isRight { return Prediction(failures: needsLock ? [Code.busy] : [], maySucceed: true) }
    return Prediction(failures: needsLock ? [Code.busy, Code.error] : [Code.error])
  }

  /// The result of beginning a run, before anything is bound.
  var beginning: Prediction { isDoomed ? .failure(Code.abortRollback) : .success }

  /// The result of the first read of the file.
  func access(writes: Bool) -> Prediction {
    switch other.lock {
    case .exclusive: .failure(Code.busy)
    case .reserved where writes: .failure(Code.busy)
    default: .success
    }
  }

  /// The result of acquiring the locks at the beginning of a transaction.
  func begin(_ kind: TransactionKind) -> Prediction {
    let failsForLock =
      switch kind {
      case _ where holdsWriteLock: false
      case .deferred: false
      case .immediate: other.lock == .reserved || other.lock == .exclusive
      case .exclusive: other.lock != .none
      }
    return Prediction(failures: failsForLock ? [Code.busy] : [], maySucceed: !isCertainOfLocks)
  }

  /// The result of the commit after a statement that can write, outside a transaction.
  var commitOfStatement: Prediction {
    !isInTransaction && other.lock == .shared ? .failure(Code.busy) : .success
  }

  /// The result of committing the open transaction.
  ///
  /// With the lock for writing, the commit locks the whole file, even if nothing was written.
  var commitOfTransaction: Prediction {
    guard other.lock == .shared, holdsWriteLock || !isCertainOfLocks else { return .success }
    return Prediction(failures: [Code.busy], maySucceed: !isCertainOfLocks)
  }
}

extension SessionModel {
  /// A statement wrote, and it was right.
  mutating func write(_ newTables: DatabaseModel, changes: Bool) {
    if changes { changeCount += 1 }
    tables = newTables
    holdsWriteLock = isInTransaction
  }

  /// A statement that writes has failed.
  mutating func failToWrite(_ code: Code) {
    // SQLite may have ended the run of a cursor with it.
    changeCount += 1
    guard isInTransaction else { return }
    if !Code.early.contains(code) { holdsWriteLock = true }
    // SQLite may have acquired the lock before it detected the change of the schema.
    if code == Code.error { isCertainOfLocks = false }
  }

  /// A transaction has begun.
  mutating func beginTransaction(_ kind: TransactionKind) {
    start = tables
    lock(kind)
  }

  /// The initial locks of a transaction were acquired.
  mutating func lock(_ kind: TransactionKind) {
    guard !holdsWriteLock else { return }
    holdsWriteLock = kind != .deferred
    holdsExclusiveLock = kind == .exclusive
  }

  /// A savepoint has begun, and a transaction with it if there was none.
  mutating func beginSavepoint(_ name: String) {
    if !isInTransaction {
      beginTransaction(.deferred)
      beganAsSavepoint = true
    }
    savepoints.append(Savepoint(name: name, tables: tables))
  }

  /// The transaction has ended and its changes are kept.
  mutating func commit() {
    start = nil
    endTransaction()
  }

  /// The transaction has ended and its changes are undone.
  mutating func rollBack() {
    tables = committed
    changeCount += 1
    start = nil
    endTransaction()
  }

  /// A commit has failed for a lock; no reads can begin until the transaction ends.
  mutating func failToCommit() { holdsExclusiveLock = true }

  private mutating func endTransaction() {
    savepoints = []
    beganAsSavepoint = false
    holdsWriteLock = false
    holdsExclusiveLock = false
    isCertainOfLocks = true
  }

  /// Whether the end of a savepoint is the end of its transaction.
  func isOutermost(_ savepoint: Int) -> Bool { savepoint == 0 && beganAsSavepoint }

  /// A savepoint inside a transaction has ended, and those in it.
  mutating func release(_ savepoint: Int) { savepoints.removeSubrange(savepoint...) }

  /// The changes since the beginning of a savepoint are undone; the savepoint remains.
  mutating func rollBack(to savepoint: Int) {
    tables = savepoints[savepoint].tables
    changeCount += 1
    savepoints.removeSubrange((savepoint + 1)...)
  }

  /// Whether the other connection gets a lock; nil if that is not known.
  func otherGets(_ lock: OtherConnection.Lock) -> Bool? {
    switch lock {
    case .none: true
    case .shared: isCertainOfLocks ? !holdsExclusiveLock : nil
    case .reserved: holdsWriteLock ? false : isCertainOfLocks ? true : nil
    case .exclusive: holdsNoLock ? true : holdsWriteLock || openCursors > 0 ? false : nil
    }
  }

  /// The other connection has got a lock, and inserted something or not.
  mutating func otherTakes(_ lock: OtherConnection.Lock, _ tables: DatabaseModel?) {
    other.lock = lock
    other.tables = tables
  }

  /// The other connection has released its lock, and its insert is kept or not.
  mutating func otherReleases(isCommitted: Bool) {
    if isCommitted, let committed = other.tables {
      changeCount += 1
      tables = committed
      if isInTransaction {
        start = committed
        savepoints = savepoints.map { Savepoint(name: $0.name, tables: committed) }
      }
    }
    other = OtherConnection()
  }
}
