import SQLiteSwiftly

extension CandidateFile {
  /// Completes the file, whose tables, indexes and views are there: runs an operator's own SQL, says what that
  /// made, and gathers statistics of everything.
  ///
  /// - Parameters:
  ///   - sqlFiles: the SQL.
  ///   - recorder: is told how long it took.
  /// - Returns: What became of each file of SQL.
  /// - Throws: `IngestError`, after which the file is of no use.
  func complete(
    running sqlFiles: [SQLFile], _ recorder: RunRecorder
  ) throws(IngestError) -> [SQLAccount] {
    var accounts: [SQLAccount] = []
    if !sqlFiles.isEmpty {
      accounts = try recorder.time(.sql) { () throws(IngestError) in
        try OwnSQL(path, descriptor: descriptor).run(sqlFiles)
      }
    }
    do throws(SQLiteError) {
      let connection = try Connection(
        path, opening: .openExisting, busyTimeout: CatalogWriter.busyTimeout)
      try Self.checkIsOpened(descriptor)
      try connection.set(.journalMode, to: .off)
      try connection.set(.synchronous, to: .off)
      try connection.set(.lockingMode, to: .exclusive)
      try Provenance.write(accounts, on: connection)
      try connection.set(.analysisLimit, to: Tuning.analysisLimit)
      try connection.execute("ANALYZE")
      try connection.close()
    } catch {
      throw IngestError(error, writing: path)
    }
    return accounts
  }
}
