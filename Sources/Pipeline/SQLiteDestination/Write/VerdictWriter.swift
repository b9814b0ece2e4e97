import Facts
import SQLiteSwiftly

/// Writes into a finished file what the run has come to, which is known when all else is verified.
///
/// The file is opened before it gets the access rights of the one that it replaces, with which it might not be
/// writable any more.
struct VerdictWriter {
  private let path: String
  private let catalog: [String]
  private let changeCounter: Int
  private let writer: Connection
  /// Has nothing in memory of what the other writes.
  private let reader: Connection

  /// Opens the file, unless another one is there by now.
  init(
    _ candidate: borrowing CandidateFile, _ options: IngestOptions
  ) throws(IngestError) {
    path = candidate.path
    catalog = [options.output, candidate.output]
    do throws(SQLiteError) {
      changeCounter = try candidate.changeCounter()
      writer = try Connection(
        path, opening: .openExisting, busyTimeout: CatalogWriter.busyTimeout)
      try CandidateFile.checkIsOpened(candidate.descriptor)
      reader = try Connection(path, opening: .readOnly, busyTimeout: CatalogWriter.busyTimeout)
      try CandidateFile.checkIsOpened(candidate.descriptor, by: 2)
      try writer.set(.journalMode, to: .off)
      try writer.set(.synchronous, to: .off)
    } catch {
      throw IngestError(error, writing: path)
    }
  }

  func write(_ verdict: CatalogVerdict) throws(IngestError) {
    do throws(SQLiteError) {
      try writer.transaction { () throws(SQLiteError) in
        try Provenance.write(verdict, of: catalog, changeCounter: changeCounter + 1, on: writer)
      }
      try writer.close()
      for (table, rows) in Provenance.rows(of: verdict, in: catalog) {
        let found = try reader.query("SELECT * FROM main.\(identifier: table.name)")
        let faults = try reader.query(
          "PRAGMA main.integrity_check(\(identifier: table.name))", as: String.self)
        guard found.map({ row in row.map(\.self) }) == rows, faults == ["ok"] else {
          throw SQLiteError(.corrupt, "\(table.name) has not what was written into it")
        }
      }
      try reader.close()
    } catch {
      throw IngestError(error, writing: path)
    }
  }
}
