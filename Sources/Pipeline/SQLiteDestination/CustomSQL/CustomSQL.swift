import Threads
import Facts
import SQLiteSwiftly

/// Runs an operator's own SQL on a catalog that is complete but for the statistics, and notes what it made.
struct CustomSQL {
  /// The file that becomes the catalog, which nobody has open.
  private let path: String
  /// The same file, by which it is known.
  private let descriptor: Int32
  /// What the catalog has of its own.
  private let own: [StoredObject]

  init(_ path: String, descriptor: Int32) throws(IngestError) {
    self.path = path
    self.descriptor = descriptor
    do throws(SQLiteError) {
      own = try Connection.reading(path) { connection throws(SQLiteError) in
        try StoredObject.all(in: connection, withShadows: true)
      }
    } catch {
      throw IngestError(error, writing: path)
    }
  }

  /// Runs all files, one after the other; after the first statement that fails, the catalog is of no
  /// use.
  func run(_ files: [SQLFile]) throws(IngestError) -> [SQLFileResult] {
    var accounts: [SQLFileResult] = []
    for file in files {
      var account = SQLFileResult(file: file.path)
      let clock = ContinuousClock.now
      let objects = try run(file, &account)
      account.seconds = (ContinuousClock.now - clock).seconds
      // A file may drop what one before it has made.
      for index in accounts.indices { accounts[index].objects.removeAll { !objects.contains($0) } }
      let known = accounts.flatMap(\.objects)
      account.objects = objects.filter { !known.contains($0) }
      accounts.append(account)
    }
    try checkViews(of: accounts)
    return accounts
  }

  /// Makes sure that the views can be read, which SQLite does not when it creates them: what they read may be
  /// made later.
  private func checkViews(of accounts: [SQLFileResult]) throws(IngestError) {
    for account in accounts {
      for view in account.objects where view.type == "view" {
        try asking("\(account.file): view \(view.name)") { () throws(SQLiteError) in
          let connection = try Connection(path, opening: .readOnly)
          _ = try connection.prepare("SELECT * FROM main.\(identifier: view.name)")
        }
      }
    }
  }

  /// Runs one file, on a connection of its own: what it sets or makes for itself ends with it.
  ///
  /// Returns what is in the catalog now that is not its own.
  private func run(
    _ file: SQLFile, _ account: inout SQLFileResult
  ) throws(IngestError) -> [SchemaObject] {
    let end = "\(file.path): at its end"
    let connection = try asking(end) { () throws(SQLiteError) in try open() }
    let policy = SQLPolicy(protecting: own.map(\.object.name))
    connection.authorizer = policy.answer
    defer { connection.authorizer = nil }
    do throws(ScriptError) {
      account.statements = try connection.run(script: file.script) { () throws(SQLiteError) in
        try policy.checkNames(in: connection)
        guard Connection.consumeClockReading() else { return }
        throw SQLiteError(.misuse, Self.clockRefusal)
      }
    } catch {
      let place = "\(file.path):\(error.line): statement \(error.statement)"
      throw failure(error.error, at: place, refusal: policy.refusal)
    }
    connection.authorizer = nil
    return try asking(end) { () throws(SQLiteError) in
      try connection.commitTransaction()
      let objects = try StoredObject.all(in: connection, withShadows: true)
      guard own.allSatisfy(objects.contains) else {
        throw SQLiteError(.misuse, "something is changed that is the catalog's own")
      }
      let made = try StoredObject.all(in: connection, withShadows: false)
        .filter { !own.contains($0) }.map(\.object)
      try connection.close()
      return made
    }
  }

  /// Opens the file, and begins a transaction in which everything is checked.
  private func open() throws(SQLiteError) -> Connection {
    let connection = try Connection(recordingClockIn: path, busyTimeout: CatalogWriter.busyTimeout)
    try CandidateFile.checkIsOpened(descriptor)
    // With a journal a statement can fail and be undone in part, as INSERT OR IGNORE has it. It is in memory,
    // since a failed run throws the file away, and short, since most pages are new.
    try connection.set(.journalMode, to: .memory)
    try connection.set(.synchronous, to: .off)
    try connection.set(.temporaryStore, to: .file)
    try connection.set(.cacheSize, to: .kibibytes(Tuning.insertCacheKibibytes))
    try connection.set(.analysisLimit, to: Tuning.analysisLimit)
    try connection.set(.foreignKeys, to: true)
    try connection.refuseRandomNumbers()
    _ = Connection.consumeClockReading()
    try connection.beginTransaction()
    return connection
  }

  /// What is said when the clock was read: only the functions for dates and times do that.
  private static let clockRefusal =
    "it asks for the present time, so equal dumps would not give equal bytes; ask a view for it, which "
    + "answers when it is read, or take the time of the dumps from ingest_sources"

  private func asking<Result>(
    _ place: String, _ body: () throws(SQLiteError) -> Result
  ) throws(IngestError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw failure(error, at: place, refusal: nil)
    }
  }

  /// The failure of a statement: a fault of the SQL, unless it is the machine's.
  private func failure(_ error: SQLiteError, at place: String, refusal: String?) -> IngestError {
    let whole = IngestError(error, writing: path)
    // The integrity check of a full-text table has this code.
    guard whole.kind == .fault || error.extendedCode == .corruptVirtualTable else {
      return IngestError(whole.kind, "\(place): \(whole.message)")
    }
    let isCommandOfShell = error.message.hasPrefix("near \".\"")
    let advice = isCommandOfShell ? " Commands of the sqlite3 shell are not SQL." : ""
    return IngestError(
      .data, runCode: .sqlFailed,
      "\(place): \(refusal ?? error.message). Nothing was published.\(advice)")
  }
}
