import SQLiteFormat
package import Vocabulary
import Platform
import SQLiteSwiftly
import Provenance
import Text

extension CandidateFile {
  /// Completes the file, which has its tables, indexes and views: runs custom SQL, records its objects and the options,
  /// and gathers statistics.
  ///
  /// After an error the file is unusable.
  package func complete(
    running sqlFiles: [SQLFile], _ options: IngestOptions, _ recorder: RunRecorder
  ) throws(IngestError) -> [SQLFileResult] {
    var results: [SQLFileResult] = []
    if !sqlFiles.isEmpty {
      recorder.progress.begin(.sql)
      results = try recorder.time(.sql) { () throws(IngestError) in
        try CustomSQL(path, descriptor: descriptor).run(sqlFiles)
      }
    }
    try mapError(as: { IngestError($0, writing: path) }) { () throws(SQLiteError) in
      let counter = try changeCounter()
      let connection = try Connection(
        path, opening: .openExisting, busyTimeout: CatalogWriter.busyTimeout)
      try Self.checkIsOpened(descriptor)
      try connection.set(.journalMode, to: .off)
      try connection.set(.synchronous, to: .off)
      try connection.set(.lockingMode, to: .exclusive)
      try connection.set(.analysisLimit, to: Tuning.analysisLimit)
      // Each transaction that changes the first page increments the counter.
      try connection.transaction { () throws(SQLiteError) in
        let used = CatalogOption.all(of: options, sqlFiles, recorder.suppressions)
        try Provenance.insert(Provenance.rows(of: used), into: Provenance.options, on: connection)
        try connection.execute("UPDATE ingest_catalog SET change_counter = \(counter + 1)")
        let objects = Provenance.rows(of: results)
        try Provenance.insert(objects, into: Provenance.objects, on: connection)
        try connection.execute("ANALYZE")
        try connection.execute(Self.equalRowCounts)
      }
      try connection.close()
    }
    return results
  }

  /// Gives all indexes of a table the same number of rows, except for partial ones.
  ///
  /// `ANALYZE` estimates it for each index from a sample. SQLite then prefers the index with the lowest estimate for
  /// reading and sorting a whole table, and looks up each row of the table, which takes three times as long.
  private static let equalRowCounts: SQL = """
    UPDATE sqlite_stat1 SET stat = (
        SELECT max(CAST(stat AS INTEGER)) FROM sqlite_stat1 AS other WHERE other.tbl = sqlite_stat1.tbl
      ) || substr(stat, instr(stat || ' ', ' '))
    WHERE idx NOT IN (SELECT name FROM pragma_index_list(tbl) WHERE partial)
    """

  /// The change counter of the file (<https://www.sqlite.org/fileformat.html#file_change_counter>).
  func changeCounter() throws(SQLiteError) -> Int {
    let header = try mapError(
      DatabaseHeader(ofAny: descriptor), as: { SQLiteError($0, "the header cannot be read") })
    return Int(header?.changeCounter ?? 0)
  }
}
