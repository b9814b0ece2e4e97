import CSQLite
import Glibc
import Synchronization

/// A connection to one database.
///
/// Use it from one thread at a time; it is not `Sendable`, and a call during a call or a transaction of another
/// thread throws `misuse`. Prepared statements keep it alive.
///
/// ```swift
/// let connection = try Connection(path, opening: .openOrCreate)
/// try connection.execute("CREATE TABLE themes (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
/// try connection.execute("INSERT INTO themes (name) VALUES (\("Technic"))")
/// let count = try connection.value(of: "SELECT count(*) FROM themes")?.integerValue ?? 0
/// try connection.close()
/// ```
@safe public final class Connection {
  private var handle: OpaquePointer?
  /// The sources of virtual tables by number of columns; SQLite frees them.
  var rowSources: [Int: UnsafeMutablePointer<csqlite_rows>] = unsafe [:]
  /// The statements of queries, which a pool keeps; otherwise each query compiles its own.
  var statementCache = StatementCache(limit: 0)
  /// The thread that is within a call; 0 if there is none.
  let callingThread = Atomic<UInt>(0)
  /// Whether it belongs to a pool, which alone may close it.
  var isPooled = false
  /// Whether it may differ from how its pool opened it; of no use without a pool.
  package var hasChanged = false
  var transactionLevels: [TransactionLevel] = []
  package internal(set) var needsRollback = false
  var stopsOnCancellation = false
  /// Whether nothing is compiled that the schema defines.
  private(set) var distrustsSchema = false
  /// Stops the connection's work from any thread; for one of a pool, only the work that asked for it.
  public internal(set) var interrupter = Interrupter()
  enum TransactionLevel { case transaction, savepoint }

  /// Called for each statement when it is compiled, when its run ends and when it fails; nil for no tracing.
  ///
  /// The handler is called on the connection's thread, and must not use the connection: attempts
  /// throw `misuse`, without another call of the handler. It may set another handler, or none.
  public var traceHandler: ((TraceEvent) -> Void)? {
    didSet {
      hasChanged = true
      isTraced = traceHandler != nil || occupation == .traceHandler
    }
  }
  /// Whether there is a trace handler, or a running one that has removed itself; stored separately,
  /// since reading the handler costs as much as ten values.
  private(set) var isTraced = false
  var occupation: Occupation?
  enum Occupation {
    case traceHandler, authorizer, function, backup, pool

    fileprivate var error: SQLiteError {
      switch self {
      case .traceHandler:
        SQLiteError(.misuse, "the connection cannot be used in its own trace handler")
      case .authorizer:
        SQLiteError(.misuse, "the connection cannot be used in its own authorizer")
      case .function:
        SQLiteError(.misuse, "the connection cannot be used in its own function or collation")
      case .backup: SQLiteError(.busy, "the connection is the target of a running backup")
      case .pool:
        SQLiteError(
          .misuse,
          "the connection belongs to a pool, and can be used only in the closure that it was lent to"
        )
      }
    }
  }

  /// Called for each action of a statement when it is compiled; nil allows all actions
  /// (<https://www.sqlite.org/c3ref/set_authorizer.html>).
  ///
  /// Use it for untrusted SQL, which can do only what the handler allows. A statement that it
  /// allows can still run forever, or fill the disk. The handler is also called for the actions of
  /// SQLite's own modules. Statements that were prepared before it was set are compiled again.
  ///
  /// The handler is called on the connection's thread, and must not use the connection: attempts throw `misuse`.
  ///
  /// ```swift
  /// connection.authorizer = { action in
  ///   switch action.operation {
  ///   case .select, .read, .function, .recursive: .allow
  ///   default: .deny
  ///   }
  /// }
  /// let answers = try connection.query(question)
  /// ```
  public var authorizer: ((AuthorizedAction) -> Authorization)? {
    didSet {
      hasChanged = true
      applyAuthorizer()
    }
  }

  /// The time that a statement waits for another connection's lock before it fails with `busy`, in whole milliseconds.
  public var busyTimeout: Duration {
    didSet {
      hasChanged = true
      applyBusyTimeout()
    }
  }

  /// The expected state of a path before it is opened.
  ///
  /// It also applies to attached databases: only `openOrCreate` creates a missing file, and
  /// `readOnly` forbids all writes, even in memory. `VACUUM INTO` always writes its new file.
  public enum Opening: Sendable {
    /// No file; a database is created. Any existing file is an error and remains unchanged.
    case createNew
    /// A database, opened for reading and writing.
    case openExisting
    /// A database, or no file, in which case one is created.
    case openOrCreate
    /// A database, opened for reading only.
    case readOnly
  }

  /// Opens the database file at `path`.
  ///
  /// The busy timeout, in whole milliseconds, also applies to the first read of the file.
  ///
  /// - Throws: `SQLiteError` with `cannotOpen` if the path is not in the expected state, with
  ///   `notADatabase` for a file that SQLite cannot read, and with `readOnly` for a file that
  ///   cannot be written, unless it is opened for reading only. The path is unchanged then.
  public convenience init(
    _ path: String, opening: Opening, busyTimeout: Duration = .zero
  ) throws(SQLiteError) {
    try self.init(path, opening: opening, busyTimeout: busyTimeout, fileSystem: nil)
  }

  /// Opens a database for reading and writing without taking locks; no other process may write to
  /// it (<https://www.sqlite.org/vfs.html#standard_unix_vfses>).
  package convenience init(withoutLocks path: String) throws(SQLiteError) {
    try self.init(path, opening: .openExisting, busyTimeout: .zero, fileSystem: "unix-none")
  }

  /// Opens a file as above, through a virtual file system of SQLite; nil for the default.
  convenience init(
    _ path: String, opening: Opening, busyTimeout: Duration, fileSystem: String?
  ) throws(SQLiteError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SQLiteError(.cannotOpen, "not a valid file path: \"\(path)\"")
    }
    // SQLite would read another path as a URI, an in-memory or a temporary database.
    let file = path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
    if opening == .createNew { try Self.reserve(file, path) }
    let flags =
      switch opening {
      case .createNew, .openExisting: SQLITE_OPEN_READWRITE
      case .openOrCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readOnly: SQLITE_OPEN_READONLY
      }
    do throws(SQLiteError) {
      // SQLite opens a pipe like a file, and would wait for its writer.
      var status = stat()
      let kind = unsafe stat(file, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
      guard [S_IFREG, S_IFBLK].contains(kind) else {
        let name = kind == S_IFDIR ? "a folder" : "a pipe, a socket or a device"
        throw SQLiteError(.cannotOpen, "not a regular file: it is \(name)")
      }
      try self.init(file, flags: flags, fileSystem: fileSystem)
      self.busyTimeout = busyTimeout
      // An initializer sets a property without its observer.
      applyBusyTimeout()
      // SQLite silently opens a file read-only if it may not write to it.
      if opening != .readOnly, try isReadOnly {
        throw SQLiteError(.readOnly, "the file is not writable")
      }
      // The first read of the file, which detects a file of another format.
      _ = try value(of: "PRAGMA schema_version")
    } catch {
      // The empty file was just created, but its path is too long for SQLite.
      if opening == .createNew, error.code == .cannotOpen { unsafe unlink(file) }
      let hint = path == ":memory:" ? "; use Connection.inMemory()" : ""
      throw SQLiteError(error.extendedCode, opening: path, "\(error.message)\(hint)")
    }
  }

  /// Creates a database in memory, which lasts as long as the connection.
  ///
  /// Files can be attached to it, as to a connection opened with `Opening.openOrCreate`.
  ///
  /// ```swift
  /// let connection = try Connection.inMemory()
  /// try connection.execute("ATTACH \(path) AS catalog")
  /// let themes = try connection.query("SELECT name FROM catalog.themes")
  /// ```
  public static func inMemory() throws(SQLiteError) -> Connection {
    // SQLITE_OPEN_MEMORY would also apply to attached databases and VACUUM INTO, which would write no file.
    try Connection(":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
  }

  /// Opens the database in memory that all connections with this name share
  /// (<https://www.sqlite.org/src/file/src/memdb.c>).
  package convenience init(inSharedMemory name: String, busyTimeout: Duration) throws(SQLiteError) {
    try self.init(
      "/" + name, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, fileSystem: "memdb")
    self.busyTimeout = busyTimeout
    applyBusyTimeout()
  }

  private init(
    _ path: String, flags: Int32, fileSystem: String? = nil
  ) throws(SQLiteError) {
    var handle: OpaquePointer?
    errno = 0
    // Only one thread at a time uses a connection, so SQLite needs no lock for each call.
    let code = unsafe sqlite3_open_v2(
      path, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, fileSystem)
    guard code == SQLITE_OK else {
      // Even a failed opening leaves resources to release.
      defer { unsafe sqlite3_close_v2(handle) }
      let error = unsafe SQLiteError(code, on: handle, sql: nil)
      let reason = unsafe sqlite3_system_errno(handle)
      guard error.code == .cannotOpen, reason != 0 else { throw error }
      let cause = unsafe String(cString: strerror(reason))
      throw SQLiteError(error.extendedCode, "\(error.message): \(cause)")
    }
    unsafe csqlite_disable_double_quoted_text(handle)
    unsafe self.handle = handle
    busyTimeout = .zero
    unsafe interrupter.attach(handle)
  }

  // Statements retain the connection, so none is left.
  deinit {
    unsafe interrupter.attach(nil)
    // The authorizer cannot be called any longer.
    if let handle = unsafe handle { unsafe sqlite3_set_authorizer(handle, nil, nil) }
    statementCache.clear()
    unsafe sqlite3_close_v2(handle)
  }

  /// Creates the empty file, which must not exist: check and creation are one step.
  private static func reserve(_ file: String, _ path: String) throws(SQLiteError) {
    var descriptor: Int32
    repeat {
      descriptor = unsafe open(file, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o644)
    } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw SQLiteError(.cannotOpen, "cannot create a database at \(path): \(reason)")
    }
    // Nothing was written that could be lost; Linux closes the descriptor even if interrupted.
    Glibc.close(descriptor)
  }

  /// Closes the database and rolls back an open transaction; a second call has no effect.
  ///
  /// - Throws: `SQLiteError` with `busy` and the SQL of a statement while the connection has prepared
  ///   statements, with `busy` while it is the target of a backup, and with `misuse` in its trace
  ///   handler, authorizer, functions or collations, and for one of a pool. The connection then stays open.
  public func close() throws(SQLiteError) {
    try checkOccupation()
    guard !isPooled else {
      throw SQLiteError(.misuse, "the connection belongs to a pool, which closes it")
    }
    let isOutermost = try beginCall()
    defer { endCall(isOutermost) }
    unsafe interrupter.attach(nil)
    statementCache.clear()
    let code = unsafe sqlite3_close(handle)
    guard code == SQLITE_OK else {
      unsafe interrupter.attach(handle)
      throw unsafe SQLiteError(code, on: handle, sql: sqlite3_next_stmt(handle, nil).map(text(of:)))
    }
    unsafe handle = nil
    unsafe rowSources = [:]
    transactionLevels = []
    needsRollback = false
  }

  /// Whether the file can only be read.
  package var isReadOnly: Bool {
    get throws(SQLiteError) { unsafe sqlite3_db_readonly(try openHandle(), "main") != 0 }
  }

  /// The number of rows changed by the last finished insert, update or delete.
  public var changes: Int {
    get throws(SQLiteError) { Int(unsafe sqlite3_changes64(try openHandle())) }
  }

  /// The rowid of the last row inserted on this connection into a table with rowids; 0 without one.
  ///
  /// A failed insert does not change it.
  public var lastInsertedRowID: Int64 {
    get throws(SQLiteError) { unsafe sqlite3_last_insert_rowid(try openHandle()) }
  }

  /// Whether a transaction is open.
  public var isInTransaction: Bool {
    get throws(SQLiteError) { unsafe sqlite3_get_autocommit(try openHandle()) == 0 }
  }

  /// Reads a file of any origin, without its views and triggers; its values and definitions have at most `bytes`.
  package func distrustSchema(longestValue bytes: Int) throws(SQLiteError) {
    unsafe csqlite_distrust_schema(try openHandle())
    distrustsSchema = true
    try limitLength(to: bytes)
  }

  private func applyBusyTimeout() {
    // The target of a backup must not be changed.
    guard let handle = unsafe handle, occupation != .backup else { return }
    let (seconds, attoseconds) = busyTimeout.components
    let milliseconds = Double(seconds) * 1000 + Double(attoseconds / 1_000_000_000_000_000)
    unsafe sqlite3_busy_timeout(handle, Int32(min(max(milliseconds, 0), Double(Int32.max))))
  }

  /// The handle of a usable connection; inlined, since every run of a statement needs it.
  @inline(__always)
  package func openHandle() throws(SQLiteError) -> OpaquePointer {
    guard let handle = unsafe handle, occupation == nil else { throw unusableError }
    return unsafe handle
  }

  private var unusableError: SQLiteError {
    occupation?.error ?? SQLiteError(.misuse, "the connection is closed")
  }

  private func applyAuthorizer() {
    // Neither a backup's target nor a connection in its authorizer may be changed.
    guard let handle = unsafe handle, occupation != .backup, occupation != .authorizer else {
      return
    }
    unsafe applyAuthorizer(to: handle)
  }

  func checkOccupation() throws(SQLiteError) { if let occupation { throw occupation.error } }

  /// Lends the handle to a backup, until whose end all other uses are refused.
  @unsafe func lendHandle(
    _ body: (OpaquePointer) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let isOutermost = try beginCall()
    defer { endCall(isOutermost) }
    let handle = try unsafe openHandle()
    occupation = .backup
    defer {
      occupation = nil
      // Both may have been set in the meantime.
      applyBusyTimeout()
      applyAuthorizer()
    }
    try unsafe body(handle)
  }

  func trace(_ event: TraceEvent) {
    guard let traceHandler, occupation != .traceHandler else { return }
    let outer = occupation
    occupation = .traceHandler
    traceHandler(event)
    occupation = outer
    isTraced = self.traceHandler != nil
  }

  @unsafe func failure(_ code: Int32, of statement: OpaquePointer) -> SQLiteError {
    let sql = unsafe text(of: statement)
    let cause = unsafe SQLiteError(code, on: handle, sql: sql)
    let error = SQLiteError(cause.extendedCode, cause.message + hint(for: cause), sql: sql)
    trace(.failed(error))
    return error
  }
}
