import Vocabulary
import SQLiteSwiftly
import Provenance

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
    catalog = [options.output, candidate.output]
    let path = path
    (changeCounter, writer, reader) = try mapError(as: { IngestError($0, writing: path) }) {
      () throws(SQLiteError) in
      let changeCounter = try candidate.changeCounter()
      let writer = try Connection(
        path, opening: .openExisting, busyTimeout: CatalogWriter.busyTimeout)
      try CandidateFile.checkIsOpened(candidate.descriptor)
      let reader = try Connection(path, opening: .readOnly, busyTimeout: CatalogWriter.busyTimeout)
      try CandidateFile.checkIsOpened(candidate.descriptor, by: 2)
      try writer.set(.journalMode, to: .off)
      try writer.set(.synchronous, to: .off)
      return (changeCounter, writer, reader)
    }
  }

  func write(_ verdict: CatalogVerdict) throws(IngestError) {
    try mapError(as: { IngestError($0, writing: path) }) { () throws(SQLiteError) in
      let tables = Provenance.rows(of: verdict, in: catalog)
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
