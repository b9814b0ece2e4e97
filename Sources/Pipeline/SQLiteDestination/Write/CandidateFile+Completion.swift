import SQLiteFormat
package import Facts
import Files
import SQLiteSwiftly

extension CandidateFile {
  /// Completes the file, whose tables, indexes and views are there: runs an operator's own SQL, says what that
  /// made, and gathers statistics of everything.
  ///
  /// If it throws, the file is of no use.
  package func complete(
    running sqlFiles: [SQLFile], _ options: IngestOptions, _ recorder: RunRecorder
  ) throws(IngestError) -> [SQLFileResult] {
    var accounts: [SQLFileResult] = []
    if !sqlFiles.isEmpty {
      recorder.progress.begin(.sql)
      accounts = try recorder.time(.sql) { () throws(IngestError) in
        try CustomSQL(path, descriptor: descriptor).run(sqlFiles)
      }
    }
    do throws(SQLiteError) {
      let counter = try changeCounter()
      let connection = try Connection(
        path, opening: .openExisting, busyTimeout: CatalogWriter.busyTimeout)
      try Self.checkIsOpened(descriptor)
      try connection.set(.journalMode, to: .off)
      try connection.set(.synchronous, to: .off)
      try connection.set(.lockingMode, to: .exclusive)
      try connection.set(.analysisLimit, to: Tuning.analysisLimit)
      // Each transaction that changes the first page is counted.
      try connection.transaction { () throws(SQLiteError) in
        try Provenance.write(
          CatalogOption.all(of: options, sqlFiles, recorder.suppressions),
          changeCounter: counter + 1, on: connection)
        try Provenance.write(accounts, on: connection)
        try connection.execute("ANALYZE")
      }
      try connection.close()
    } catch {
      throw IngestError(error, writing: path)
    }
    return accounts
  }

  /// The change counter of the file (<https://www.sqlite.org/fileformat.html#file_change_counter>).
  func changeCounter() throws(SQLiteError) -> Int {
    do throws(FileError) {
      return Int(try DatabaseHeader(ofAny: descriptor)?.changeCounter ?? 0)
    } catch {
      throw SQLiteError(error, "the header cannot be read")
    }
  }
}
