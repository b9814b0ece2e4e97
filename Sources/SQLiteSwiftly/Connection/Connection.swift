import CSQLite
import Glibc

/// A connection to one database, through which everything is done.
///
/// It is used by one thread at a time and is not `Sendable`. Prepared statements keep it alive.
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
  /// What the virtual tables of rows read from, by their number of columns; SQLite frees it.
  var rowSources: [Int: UnsafeMutablePointer<csqlite_rows>] = unsafe [:]
  /// The transaction that this library has begun and not ended, and the savepoints in it.
  var transactionLevels: [TransactionLevel] = []
  /// Whether a transaction is open that could not be rolled back.
  var owesRollback = false
  /// Whether statements stop when the current task is cancelled.
  var stopsOnCancellation = false
  /// Stops what the connection is doing, from any thread.
  public let interrupter = Interrupter()
  /// What a level of nested transactions is to SQLite.
  enum TransactionLevel { case transaction, savepoint }

  /// Called for each statement when it is compiled, when it is run and when it fails; nil for no
  /// tracing.
  ///
  /// It is called on the connection's thread, and must not use the connection: what it tries throws
  /// `misuse`, for which it is not called again. It may set another handler, or none.
  ///
  /// ```swift
  /// connection.traceHandler = { event in
  ///   if case .finished(let sql, let duration) = event { log.append("\(duration): \(sql)") }
  /// }
  /// ```
  public var traceHandler: ((TraceEvent) -> Void)? {
    didSet { isTraced = traceHandler != nil || occupation == .traceHandler }
  }
  /// Whether there is a trace handler, or one is running that has removed itself; kept apart, since
  /// looking at the handler costs as much as ten values.
  private(set) var isTraced = false
  /// What keeps the connection from being used, although it is open.
  var occupation: Occupation?
  enum Occupation { case traceHandler, authorizer, backup }

  /// Asked for each thing that a statement would do, when the statement is compiled; nil if all is allowed
  /// (<https://www.sqlite.org/c3ref/set_authorizer.html>).
  ///
  /// It is for SQL that others have written, which gets no further than it lets it; but a statement that it
  /// allows can still run for ever, or fill the disk. It is also asked for what SQLite's own modules do for a
  /// statement, and for statements that were prepared before it was set: they are compiled anew.
  ///
  /// It is called on the connection's thread, and must not use the connection: what it tries throws `misuse`.
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
    didSet { applyAuthorizer() }
  }

  /// How long a statement waits for another connection's lock before it fails with `busy`; SQLite
  /// counts in milliseconds.
  ///
  /// ```swift
  /// connection.busyTimeout = .seconds(5)
  /// ```
  public var busyTimeout: Duration {
    didSet { applyBusyTimeout() }
  }

  /// What is expected at a path before it is opened.
  ///
  /// It also holds for attached databases: only with `openOrCreate` is a missing file made, and
  /// with `readOnly` nothing can be written, not even in memory. `VACUUM INTO` writes its new file
  /// whatever the opening was.
  ///
  /// ```swift
  /// let writer = try Connection(path, opening: .openExisting)
  /// let reader = try Connection(path, opening: .readOnly)
  /// ```
  public enum Opening: Sendable {
    /// Nothing; a database is made. Whatever is there is an error and stays untouched.
    case createNew
    /// A database, opened for reading and writing.
    case openExisting
    /// A database or nothing, in which case one is made.
    case openOrCreate
    /// A database, opened for reading only.
    case readOnly
  }

  /// Opens the database file at `path`.
  ///
  /// ```swift
  /// let reader = try Connection(path, opening: .readOnly, busyTimeout: .seconds(5))
  /// let names = try reader.query("SELECT name FROM themes", as: String.self)
  /// ```
  ///
  /// - Parameters:
  ///   - path: where the file is.
  ///   - opening: what is expected there.
  ///   - busyTimeout: how long a statement, the first look at the file included, waits for another
  ///     connection's lock before it fails with `busy`; whole milliseconds.
  /// - Throws: `SQLiteError` with `cannotOpen` when what is there is not what was expected, with
  ///   `notADatabase` for a file that SQLite cannot read, and with `readOnly` for one that cannot be
  ///   written, unless it is opened for reading only. The path is left as it was.
  public convenience init(
    _ path: String, opening: Opening, busyTimeout: Duration = .zero
  ) throws(SQLiteError) {
    try self.init(path, opening: opening, busyTimeout: busyTimeout, fileSystem: nil)
  }

  /// Opens a database that nobody writes to meanwhile, for reading and writing, and takes no locks
  /// (<https://www.sqlite.org/vfs.html#standard_unix_vfses>).
  package convenience init(withoutLocks path: String) throws(SQLiteError) {
    try self.init(path, opening: .openExisting, busyTimeout: .zero, fileSystem: "unix-none")
  }

  /// Opens the database file at `path` as above, through a virtual file system of SQLite's; nil is the usual
  /// one.
  convenience init(
    _ path: String, opening: Opening, busyTimeout: Duration, fileSystem: String?
  ) throws(SQLiteError) {
    let file = try Self.fileName(path)
    if opening == .createNew { try Self.reserve(file, path) }
    let flags =
      switch opening {
      case .createNew, .openExisting: SQLITE_OPEN_READWRITE
      case .openOrCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readOnly: SQLITE_OPEN_READONLY
      }
    do throws(SQLiteError) {
      // SQLite opens anything as if it were a file, and would wait for a writer of a pipe.
      if let other = Self.otherKind(of: file) { throw SQLiteError(.cannotOpen, other) }
      try self.init(file, flags: flags, fileSystem: fileSystem)
      self.busyTimeout = busyTimeout
      // An initializer sets a property without its observer.
      applyBusyTimeout()
      // SQLite silently opens a file read-only if it may not write to it.
      let isReadOnly = unsafe sqlite3_db_readonly(handle, "main") != 0
      guard opening == .readOnly || !isReadOnly else {
        throw SQLiteError(.readOnly, "The file cannot be written")
      }
      // The first read of the file, so that a file of another kind is found out here.
      _ = try value(of: "PRAGMA schema_version")
    } catch {
      // The empty file was made just now, but SQLite takes no path as long as its.
      if opening == .createNew, error.code == .cannotOpen { unsafe unlink(file) }
      throw SQLiteError(error.extendedCode, "\(path): \(error.message)")
    }
  }

  /// Makes a database in memory, which is gone when the connection is.
  ///
  /// Files can be attached to it, as to one that was opened by `Opening.openOrCreate`.
  ///
  /// ```swift
  /// let connection = try Connection.inMemory()
  /// try connection.execute("ATTACH \(path) AS catalog")
  /// let themes = try connection.query("SELECT name FROM catalog.themes")
  /// ```
  public static func inMemory() throws(SQLiteError) -> Connection {
    // SQLITE_OPEN_MEMORY would also hold for attached databases and VACUUM INTO, and no file would
    // be written.
    try Connection(":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
  }

  private init(
    _ path: String, flags: Int32, fileSystem: String? = nil
  ) throws(SQLiteError) {
    var handle: OpaquePointer?
    // One thread at a time uses a connection, so SQLite needs no lock for each call.
    let code = unsafe sqlite3_open_v2(
      path, &handle, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, fileSystem)
    guard code == SQLITE_OK else {
      // Even a failed opening leaves something to release.
      defer { unsafe sqlite3_close_v2(handle) }
      throw unsafe SQLiteError(code, on: handle, sql: nil)
    }
    unsafe csqlite_disable_double_quoted_text(handle)
    unsafe self.handle = handle
    busyTimeout = .zero
    unsafe interrupter.attach(handle)
  }

  // Statements keep the connection, so none is left.
  deinit {
    unsafe interrupter.attach(nil)
    // Nobody can be asked any more.
    if let handle = unsafe handle { unsafe sqlite3_set_authorizer(handle, nil, nil) }
    unsafe sqlite3_close_v2(handle)
  }

  /// The path in a form that SQLite takes for a file's, and not for a URI, or for the name of a
  /// database in memory or of a temporary one.
  private static func fileName(_ path: String) throws(SQLiteError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw SQLiteError(.cannotOpen, "\"\(path)\" is not the path of a file")
    }
    return path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
  }

  /// What stands at a path that cannot be a database, in words; nil if it can, or nothing stands there.
  private static func otherKind(of file: String) -> String? {
    var status = stat()
    guard unsafe stat(file, &status) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFREG, S_IFBLK: nil
    case S_IFDIR: "This is a folder"
    default: "This is no file, but a pipe, a socket or a device"
    }
  }

  /// Makes the empty file, which must not exist: check and creation are one step.
  private static func reserve(_ file: String, _ path: String) throws(SQLiteError) {
    var descriptor: Int32
    repeat {
      descriptor = unsafe open(file, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o644)
    } while descriptor < 0 && errno == EINTR
    guard descriptor >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw SQLiteError(.cannotOpen, "No database can be created at \(path): \(reason)")
    }
    // Nothing was written that could be lost; and Linux closes the descriptor even if interrupted.
    Glibc.close(descriptor)
  }

  /// Closes the database; doing so again has no effect.
  ///
  /// A transaction that is open is undone.
  ///
  /// ```swift
  /// try connection.close()
  /// try FileManager.default.removeItem(atPath: path)
  /// ```
  ///
  /// - Throws: `SQLiteError` with `busy` while there are prepared statements on the connection, or a
  ///   backup is written into it, and with `misuse` in its trace handler. It then stays open, so that it
  ///   can be closed later.
  public func close() throws(SQLiteError) {
    try checkOccupation()
    unsafe interrupter.attach(nil)
    let code = unsafe sqlite3_close(handle)
    guard code == SQLITE_OK else {
      unsafe interrupter.attach(handle)
      throw unsafe SQLiteError(code, on: handle, sql: nil)
    }
    unsafe handle = nil
    unsafe rowSources = [:]
    transactionLevels = []
    owesRollback = false
  }

  /// The rows that the last finished insert, update or delete changed.
  ///
  /// ```swift
  /// try connection.execute("DELETE FROM parts WHERE name IS NULL")
  /// let deleted = try connection.changes
  /// ```
  public var changes: Int {
    get throws(SQLiteError) { Int(unsafe sqlite3_changes64(try openHandle())) }
  }

  /// The rowid of the last row that was inserted into a table with rowids, on this connection.
  ///
  /// It is 0 if there was none. An insert that fails leaves it as it was.
  ///
  /// ```swift
  /// try connection.execute("INSERT INTO themes (name) VALUES ('Arctic')")
  /// let theme = try connection.lastInsertedRowID
  /// ```
  public var lastInsertedRowID: Int64 {
    get throws(SQLiteError) { unsafe sqlite3_last_insert_rowid(try openHandle()) }
  }

  /// Whether a transaction is open.
  ///
  /// ```swift
  /// if try connection.isInTransaction { try connection.execute("ROLLBACK") }
  /// ```
  public var isInTransaction: Bool {
    get throws(SQLiteError) { unsafe sqlite3_get_autocommit(try openHandle()) == 0 }
  }

  private func applyBusyTimeout() {
    // A backup's target is not to be touched.
    guard let handle = unsafe handle, occupation != .backup else { return }
    unsafe sqlite3_busy_timeout(handle, busyTimeout.wholeMilliseconds)
  }

  private func applyAuthorizer() {
    // Neither a backup's target is to be touched, nor a connection that is just being asked about.
    guard let handle = unsafe handle, occupation != .backup, occupation != .authorizer else {
      return
    }
    unsafe applyAuthorizer(to: handle)
  }

  /// The handle of a connection that can be used; inlined, since every run of a statement asks for it.
  @inline(__always)
  package func openHandle() throws(SQLiteError) -> OpaquePointer {
    guard let handle = unsafe handle, occupation == nil else { throw whyUnusable }
    return unsafe handle
  }

  private var whyUnusable: SQLiteError {
    do throws(SQLiteError) {
      try checkOccupation()
      return SQLiteError(.misuse, "The connection is closed")
    } catch {
      return error
    }
  }

  /// Throws while the connection is open but must not be used.
  func checkOccupation() throws(SQLiteError) {
    switch occupation {
    case nil: break
    case .traceHandler?:
      throw SQLiteError(.misuse, "The connection is used by its own trace handler")
    case .authorizer?:
      throw SQLiteError(.misuse, "The connection is used by its own authorizer")
    case .backup?: throw SQLiteError(.busy, "A backup is being written into the database")
    }
  }

  /// Lends the handle to a backup, which writes to it; meanwhile the connection refuses every other use.
  @unsafe func lendHandle(
    _ body: (OpaquePointer) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let handle = try unsafe openHandle()
    occupation = .backup
    defer {
      occupation = nil
      // Both may have been set meanwhile.
      applyBusyTimeout()
      applyAuthorizer()
    }
    try unsafe body(handle)
  }

  /// Tells the trace handler, unless it is at work.
  func tell(_ event: TraceEvent) {
    guard let traceHandler, occupation != .traceHandler else { return }
    let outer = occupation
    occupation = .traceHandler
    traceHandler(event)
    occupation = outer
    isTraced = self.traceHandler != nil
  }

  @unsafe func failure(_ code: Int32, of statement: OpaquePointer) -> SQLiteError {
    let error = unsafe SQLiteError(code, on: handle, sql: text(of: statement))
    tell(.failed(error))
    return error
  }
}

extension Duration {
  fileprivate var wholeMilliseconds: Int32 {
    let (seconds, attoseconds) = components
    let milliseconds = Double(seconds) * 1000 + Double(attoseconds / 1_000_000_000_000_000)
    return Int32(min(max(milliseconds, 0), Double(Int32.max)))
  }
}
