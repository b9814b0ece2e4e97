import Vocabulary
import Platform
import SQLiteFormat
import SQLiteSwiftly
import Provenance

/// The database file at the output of a run.
final class PublishedFile: PublishedCatalog {
  private let file: CatalogFile

  init(_ path: String, applicationID: Int32?) throws(IngestError) {
    file = try CatalogFile(path, applicationID: applicationID)
  }

  var version: Int32 { file.version }
  var bytes: Int { file.size }

  func reading<Result>(
    _ body: (Connection) throws(SQLiteError) -> Result
  ) throws(IngestError) -> Result {
    try file.reading(body)
  }

  /// A change by a program that uses SQLite is detected by the change counter
  /// (<https://www.sqlite.org/fileformat.html#file_change_counter>).
  func checkIsUnmodified() throws(IngestError) {
    let header = try mapError(
      DatabaseHeader(ofAny: file.descriptor),
      as: { (error: FileError) in .changed("the database cannot be read: \(error.message)") })
    let counter = try reading { connection throws(SQLiteError) in
      try connection.value(of: "SELECT change_counter FROM main.ingest_catalog")
    }
    guard let header, counter == .integer(Int64(header.changeCounter)),
      file.size == header.pages * header.pageBytes
    else { throw .changed("another program has changed the database since it was published") }
    guard header.libraryVersion == SQLiteLibrary.versionNumber else {
      throw .changed("another version of SQLite wrote the database")
    }
  }

  /// Syncs the name of the database to disk, which the run that made it may have failed to do.
  func checkIsOnDisk() throws(IngestError) {
    try mapError(
      syncFolder(parentFolder(of: file.path)),
      as: { (error: FileError) in
        .changed("its folder cannot be synced to disk: \(error.message)")
      })
  }
}
