import Vocabulary
import SQLiteSwiftly
import Provenance
import SQLiteFormat
import Text

/// Writes the verdict of the run into the finished file, after everything else was verified.
///
/// The file is opened before it gets the permissions of the previous one, which might make it read-only.
struct VerdictWriter {
  private let path: String
  private let catalog: [String]
  private let changeCounter: Int
  private let writer: Connection
  /// A connection that does not share the cache of the writer.
  private let reader: Connection

  init(
    _ candidate: borrowing CandidateFile, _ options: IngestOptions
  ) throws(IngestError) {
    path = candidate.path
    catalog = [options.output.name, candidate.output]
    let path = path
    (changeCounter, writer, reader) = try mapError(as: { IngestError($0, writing: path) }) {
      () throws(SQLiteError) in
      let changeCounter = try candidate.changeCounter()
      let writer = try Connection(
        path, opening: .openExisting, busyTimeout: DatabaseWriter.busyTimeout)
      try CandidateFile.checkIsOpened(candidate.descriptor)
      let reader = try Connection(path, opening: .readOnly, busyTimeout: DatabaseWriter.busyTimeout)
      try CandidateFile.checkIsOpened(candidate.descriptor, by: 2)
      try writer.set(.journalMode, to: .off)
      try writer.set(.synchronous, to: .off)
      return (changeCounter, writer, reader)
    }
  }

  func write(_ outcome: IngestOutcome) throws(IngestError) {
    try mapError(as: { IngestError($0, writing: path) }) { () throws(SQLiteError) in
      let tables = Provenance.rows(of: outcome, in: catalog)
      try writer.transaction { () throws(SQLiteError) in
        for (table, rows) in tables { try Provenance.insert(rows, into: table, on: writer) }
        try writer.execute("UPDATE ingest_catalog SET change_counter = \(changeCounter + 1)")
      }
      try writer.close()
      for (table, rows) in tables {
        let stored = try reader.query("SELECT * FROM main.\(identifier: table.name)")
        let faults = try reader.query(
          "PRAGMA main.integrity_check(\(identifier: table.name))", as: String.self)
        guard stored.map({ row in row.map(\.self) }) == rows, faults == ["ok"] else {
          throw SQLiteError(.corrupt, "\(table.name) does not contain the rows that were written")
        }
      }
      try reader.close()
    }
  }
}

extension CandidateFile {
  /// Completes the file, which has its tables, indexes and views: runs custom SQL, records its objects and the options,
  /// and gathers statistics.
  ///
  /// After an error the file is unusable.
  func complete(
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
        path, opening: .openExisting, busyTimeout: DatabaseWriter.busyTimeout)
      try Self.checkIsOpened(descriptor)
      try connection.set(.journalMode, to: .off)
      try connection.set(.synchronous, to: .off)
      try connection.set(.lockingMode, to: .exclusive)
      try connection.set(.analysisLimit, to: Tuning.analysisLimit)
      // Each transaction that changes the first page increments the counter.
      try connection.transaction { () throws(SQLiteError) in
        let used = StoredOption.all(of: options, sqlFiles, recorder.suppressions)
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
