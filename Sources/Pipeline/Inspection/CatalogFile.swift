import SQLiteFormat
import SQLiteDestination
package import Facts
import Files
import Glibc
package import SQLiteSwiftly

/// An existing database, open for reading, that no program can write to while the value exists.
///
/// No file is left beside it.
package struct CatalogFile: ~Copyable {
  /// The path as the user gave it.
  package let path: String
  /// The version of its schema (`PRAGMA user_version`).
  package let version: Int32
  /// The version of the tool that made it; nil if it is not recorded.
  package let toolVersion: String?
  /// The size in bytes.
  package let size: Int
  package let connection: Connection
  package let descriptor: Int32
  /// SQLite's cache, in KiB: the rows of an index are spread over the file.
  private static let cacheKibibytes = 32 << 10

  /// Opens a database of any schema version, and of any family if `applicationID` is nil.
  package init(_ path: String, applicationID: Int32?) throws(IngestError) {
    // Closing a file releases all locks of the process on it: so it is opened before SQLite locks it, and closed
    // afterwards (<https://www.sqlite.org/howtocorrupt.html>, 2.2).
    let descriptor = try openDatabase(path)
    let opened = Result { () throws(IngestError) in
      let size = try checkHeader(of: descriptor, at: path, applicationID: applicationID)
      let connection = try Self.connect(to: path, descriptor)
      return (size, connection, try Self.versions(on: connection, of: path))
    }
    if case .failure = opened { close(descriptor) }
    let (size, connection, versions) = try opened.get()
    self.path = path
    self.descriptor = descriptor
    self.size = size
    self.connection = connection
    (version, toolVersion) = versions
  }

  /// Opens the file as a database and locks out writers.
  private static func connect(
    to path: String, _ descriptor: Int32
  ) throws(IngestError) -> Connection {
    do throws(SQLiteError) {
      let connection = try Connection(
        path, opening: .readOnly, busyTimeout: CatalogWriter.busyTimeout)
      try connection.set(.cacheSize, to: .kibibytes(cacheKibibytes))
      // No program can write to the file until the transaction ends, which begins with the first read.
      try connection.beginTransaction()
      _ = try connection.value(of: "SELECT count(*) FROM main.sqlite_schema")
      guard (try? isStillThere(descriptor, at: resolvedPath(path))) == true else {
        throw SQLiteError(.busy, "the file was replaced while it was opened")
      }
      return connection
    } catch {
      throw IngestError(error, reading: path)
    }
  }

  private static func versions(
    on connection: Connection, of path: String
  ) throws(IngestError) -> (Int32, String?) {
    do throws(SQLiteError) {
      let version = try connection.first("PRAGMA user_version", as: Int32.self) ?? 0
      guard try connection.schema(ofTable: Provenance.catalog.name) != nil else {
        return (version, nil)
      }
      return (
        version,
        try connection.value(of: "SELECT tool_version FROM ingest_catalog")?.textValue
      )
    } catch {
      throw IngestError(error, reading: path)
    }
  }

  deinit {
    // Nothing is lost if this fails.
    try? connection.close()
    close(descriptor)
  }

  package func reading<Result>(
    _ body: (Connection) throws(SQLiteError) -> Result
  ) throws(IngestError) -> Result {
    do throws(SQLiteError) {
      return try limitingWork { () throws(SQLiteError) in try body(connection) }
    } catch {
      throw IngestError(error, reading: path)
    }
  }

  /// Runs `body`, whose statements fail once they have done more work than it takes to read a sound file.
  func limitingWork<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try connection.limitingWork(to: WorkLimit(forFileOf: size), body)
  }

  /// The versions of the database, in words.
  package var summary: String {
    "schema version \(version)" + (toolVersion.map { ", made by ingest \($0)" } ?? "")
  }
}

private func openDatabase(_ path: String) throws(IngestError) -> Int32 {
  let kind: mode_t
  do throws(FileError) {
    guard let status = try status(of: path) else { throw FileError(code: ENOENT) }
    kind = status.st_mode & S_IFMT
  } catch {
    throw .cannotBeOpened(path, error)
  }
  // Opening a pipe would wait.
  guard kind == S_IFREG else {
    throw .notDatabase(
      path, kind == S_IFDIR ? "it is a folder" : "it is a pipe, a socket or a device")
  }
  let descriptor = openFile(path, O_RDONLY)
  guard descriptor >= 0 else { throw .cannotBeOpened(path, FileError(code: errno)) }
  return descriptor
}

/// Refuses a file whose header is not that of a sound database, with better messages than SQLite's; returns the size in
/// bytes.
private func checkHeader(
  of descriptor: Int32, at path: String, applicationID: Int32?
) throws(IngestError) -> Int {
  let header: DatabaseHeader?
  let size: Int
  let hasLog: Bool
  do throws(FileError) {
    header = try DatabaseHeader(ofAny: descriptor)
    size = try fileSize(of: descriptor)
    hasLog = try status(of: path + "-wal") != nil
  } catch {
    throw .cannotBeRead(path, error, advice: " Check the disk.")
  }
  guard size > 0 else { throw .notDatabase(path, "it is empty") }
  guard let header else { throw .notDatabase(path, "it is not an SQLite database") }
  let found = header.applicationID
  if let applicationID, found != UInt32(bitPattern: applicationID) {
    throw .otherApplicationID(
      path, found: found, expected: UInt32(bitPattern: applicationID))
  }
  guard header.formatVersions.write < 2, !hasLog else { throw .writeAheadLog(path) }
  let expected = header.pages * header.pageBytes
  guard size >= expected else { throw .truncated(path, size: size, expected: expected) }
  return size
}
