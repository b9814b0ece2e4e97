import Platform
import Vocabulary
import SQLiteSwiftly

/// Runs custom SQL on a database that is complete but for the statistics, and records the objects that it makes.
struct CustomSQL {
  /// The new database, which is not open.
  private let path: String
  /// The same file, to recognize it by.
  private let descriptor: Int32
  private let own: [StoredObject]
  /// The longest value or row in bytes, as in source files.
  private static let longestValue = 16 << 20

  init(_ path: String, descriptor: Int32) throws(IngestError) {
    self.path = path
    self.descriptor = descriptor
    own = try mapError(
      Connection.reading(path) { connection throws(SQLiteError) in
        try StoredObject.all(in: connection, withShadows: true)
      }, as: { IngestError($0, writing: path) })
  }

  /// Runs all files in order; once a statement has failed, the database is unusable.
  func run(_ files: [SQLFile]) throws(IngestError) -> [SQLFileResult] {
    var results: [SQLFileResult] = []
    for file in files {
      var result = SQLFileResult(file: file.path)
      let clock = ContinuousClock.now
      let objects = try run(file, &result)
      result.seconds = (ContinuousClock.now - clock).seconds
      // A file may drop objects of the files before it.
      for index in results.indices { results[index].objects.removeAll { !objects.contains($0) } }
      let known = results.flatMap(\.objects)
      result.objects = objects.filter { !known.contains($0) }
      results.append(result)
    }
    try checkViews(of: results)
    return results
  }

  /// Checks that the views can be read.
  ///
  /// SQLite does not check this on creation, since a view may use tables that are created later.
  private func checkViews(of results: [SQLFileResult]) throws(IngestError) {
    for result in results {
      for view in result.objects where view.type == "view" {
        let location = "\(result.file): view \(view.name)"
        try mapError(as: { failure($0, at: location) }) { () throws(SQLiteError) in
          let connection = try Connection(path, opening: .readOnly)
          _ = try connection.prepare("SELECT * FROM main.\(identifier: view.name)")
        }
      }
    }
  }

  /// Runs one file on its own connection, with which its settings and temporary objects end.
  ///
  /// - Returns: The objects of the database that ingest did not make.
  private func run(
    _ file: SQLFile, _ result: inout SQLFileResult
  ) throws(IngestError) -> [SchemaObject] {
    let end = "\(file.path): at the end"
    let connection = try mapError(open(), as: { failure($0, at: end) })
    let policy = SQLPolicy(protecting: own.map(\.object.name))
    connection.authorizer = policy.answer
    defer { connection.authorizer = nil }
    result.statements = try mapError(
      connection.run(script: file.script) { () throws(SQLiteError) in
        try policy.checkNames(in: connection)
        guard Connection.consumeClockReading() else { return }
        throw SQLiteError(.misuse, Self.clockRefusal)
      },
      as: { (error: ScriptError) in
        let location = "\(file.path):\(error.line): statement \(error.statement)"
        return failure(error.error, at: location, refusal: policy.refusal)
      })
    connection.authorizer = nil
    return try mapError(as: { failure($0, at: end) }) { () throws(SQLiteError) in
      try connection.commitTransaction()
      let objects = try StoredObject.all(in: connection, withShadows: true)
      guard own.allSatisfy(objects.contains) else {
        throw SQLiteError(.misuse, "an object made by ingest was changed")
      }
      let made = try StoredObject.all(in: connection, withShadows: false)
        .filter { !own.contains($0) }.map(\.object)
      try connection.close()
      return made
    }
  }

  private func open() throws(SQLiteError) -> Connection {
    let connection = try Connection(recordingClockIn: path, busyTimeout: DatabaseWriter.busyTimeout)
    try CandidateFile.checkIsOpened(descriptor)
    // A journal lets a statement fail and be undone in part, as by INSERT OR IGNORE. It is in memory, since a
    // failed run discards the file, and short, since most pages are new.
    try connection.set(.journalMode, to: .memory)
    try connection.set(.synchronous, to: .off)
    try connection.set(.temporaryStore, to: .file)
    try connection.set(.cacheSize, to: .kibibytes(Tuning.customSQLCacheKibibytes))
    try connection.set(.analysisLimit, to: Tuning.analysisLimit)
    try connection.set(.foreignKeys, to: true)
    try connection.limitLength(to: Self.longestValue)
    try connection.refuseRandomNumbers()
    _ = Connection.consumeClockReading()
    try connection.beginTransaction()
    return connection
  }

  /// The message for a statement that reads the clock, which only date and time functions do.
  private static let clockRefusal =
    "the current time is not available, because equal source files must produce equal databases; use it in a "
    + "view, which is evaluated when it is read, or use the times in ingest_sources"

  /// The failure of a statement: the SQL is to blame, unless the machine is.
  private func failure(
    _ error: SQLiteError, at location: String, refusal: String? = nil
  ) -> IngestError {
    let whole = IngestError(error, writing: path)
    // The integrity check of a full-text table fails with this code.
    guard whole.kind == .fault || error.extendedCode == .corruptVirtualTable else {
      return IngestError(whole.kind, "\(location): \(whole.message)")
    }
    let isCommandOfShell = afterBlanks((error.sql ?? "").utf8[...]).first == UInt8(ascii: ".")
    let advice = isCommandOfShell ? " Commands of the sqlite3 shell are not SQL." : ""
    return .sqlFailed(at: location, refusal ?? error.message, advice: advice)
  }
}
