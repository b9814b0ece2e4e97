import SQLiteFormat
import SQLiteDestination
package import Vocabulary
import Platform
import Glibc
import SourceFiles
package import SQLiteSwiftly
import Provenance

/// An existing database, open for reading, that no program can write to while the value exists.
package struct CatalogFile: ~Copyable {
  /// As the user wrote it.
  package let path: String
  /// Whether it is a copy of the tables of a schema on a server, without its other objects.
  package let isCopy: Bool
  /// The version of its schema (`PRAGMA user_version`).
  package let version: Int32
  /// The version of the tool that made it; nil if it is not recorded.
  package let toolVersion: String?
  package let size: Int
  package let connection: Connection
  package let descriptor: Int32
  /// The longest value that is read in bytes, more than any that a run writes.
  static let longestValue = 16 << 20
  /// SQLite's cache, in KiB: the rows of an index are spread over the file.
  private static let cacheKibibytes = 32 << 10

  /// Opens a database of any schema version, and of any family if `applicationID` is nil; `origin` is the server of a
  /// copy.
  package init(
    _ path: String, applicationID: Int32?, copyOf origin: String? = nil
  ) throws(IngestError) {
    // Closing a file releases all locks of the process on it: so it is opened before SQLite locks it, and closed
    // afterwards (<https://www.sqlite.org/howtocorrupt.html>, 2.2).
    let descriptor = try openDatabase(path)
    let opened = Result { () throws(IngestError) in
      let size = try checkHeader(of: descriptor, at: path, applicationID: applicationID)
      return (size, try Self.connect(to: pinnedPath(path), descriptor))
    }
    if case .failure = opened { close(descriptor) }
    let (size, connected) = try opened.get()
    self.path = origin ?? path
    isCopy = origin != nil
    self.descriptor = descriptor
    self.size = size
    (connection, version, toolVersion) = connected
  }

  private static func connect(
    to path: String, _ descriptor: Int32
  ) throws(IngestError) -> (Connection, version: Int32, toolVersion: String?) {
    try mapError(as: { IngestError($0, reading: path) }) { () throws(SQLiteError) in
      try SchemaScan.check(descriptor)
      let connection = try openUntrusted(path)
      try connection.set(.cacheSize, to: .kibibytes(cacheKibibytes))
      // No program can write to the file until the transaction ends, which begins with the first read.
      try connection.beginTransaction()
      _ = try connection.value(of: "SELECT count(*) FROM main.sqlite_schema")
      try connection.checkHasNoLog()
      guard (try? isStillThere(descriptor, at: path)) == true else {
        throw SQLiteError(.busy, "the file was replaced while it was opened")
      }
      let version = try connection.first("PRAGMA user_version", as: Int32.self) ?? 0
      let isRecorded = try Provenance.has(Provenance.catalog, ["tool_version"], in: connection)
      let tool =
        isRecorded ? try connection.value(of: "SELECT tool_version FROM main.ingest_catalog") : nil
      return (connection, version, tool?.textValue)
    }
  }

  /// Opens a file whose schema was checked; nothing is compiled that it defines.
  static func openUntrusted(_ path: String) throws(SQLiteError) -> Connection {
    let connection = try Connection(
      path, opening: .readOnly, busyTimeout: CatalogWriter.busyTimeout)
    try connection.distrustSchema(longestValue: longestValue)
    return connection
  }

  deinit {
    // Nothing is lost if this fails.
    try? connection.close()
    close(descriptor)
  }

  package func reading<Result>(
    _ body: (Connection) throws(SQLiteError) -> Result
  ) throws(IngestError) -> Result {
    try mapError(
      limitingWork { () throws(SQLiteError) in try body(connection) },
      as: { IngestError($0, reading: path) })
  }

  /// Runs `body`, whose statements fail once they have done more work than it takes to read a sound file.
  func limitingWork<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try connection.limitingWork(to: WorkLimit(forFileOf: size), body)
  }

  package var summary: String {
    "schema version \(version)" + (toolVersion.map { ", made by ingest \($0)" } ?? "")
  }

  /// The description that the file was loaded with, as a Data Package; nil if it records none.
  package func description() throws(IngestError) -> String? {
    try reading { connection throws(SQLiteError) in
      guard try Provenance.has(Provenance.options, in: connection) else { return nil }
      return try Provenance.rows(
        "SELECT value FROM main.ingest_options WHERE option = '--schema' LIMIT 1", in: connection,
        longestValue: Provenance.longestDescription
      ).first?[0].textValue
    }
  }

  /// The application ID in the header of a file; nil if the file is not a readable database.
  package static func applicationID(at path: String) -> Int32? {
    guard let descriptor = try? openDatabase(path) else { return nil }
    defer { close(descriptor) }
    return (try? DatabaseHeader(ofAny: descriptor)).map { Int32(bitPattern: $0.applicationID) }
  }
}

private func openDatabase(_ path: String) throws(IngestError) -> Int32 {
  let status = try mapError(status(of: path), as: { .cannotBeOpened(path, $0) })
  guard let kind = status.map({ $0.st_mode & S_IFMT }) else {
    throw .cannotBeOpened(path, FileError(code: ENOENT))
  }
  // Opening a pipe would wait.
  guard kind == S_IFREG else {
    throw .notDatabase(
      path, kind == S_IFDIR ? "it is a folder" : "it is a pipe, a socket or a device")
  }
  return try mapError(openFile(path, O_RDONLY), as: { .cannotBeOpened(path, $0) })
}

/// Refuses a file whose header is not that of a sound database, with better messages than SQLite's.
private func checkHeader(
  of descriptor: Int32, at path: String, applicationID: Int32?
) throws(IngestError) -> Int {
  let (header, size, hasLog) = try mapError(
    (DatabaseHeader(ofAny: descriptor), fileSize(of: descriptor), status(of: path + "-wal") != nil),
    as: { .cannotBeRead(path, $0, advice: " Check the disk.") })
  guard size > 0 else { throw .notDatabase(path, "it is empty") }
  guard let header else { throw .notDatabase(path, "it is not an SQLite database") }
  let found = header.applicationID
  if let applicationID, found != UInt32(bitPattern: applicationID) {
    throw .otherApplicationID(path, found: found, expected: UInt32(bitPattern: applicationID))
  }
  guard header.formatVersions.write < 2, !hasLog else { throw .writeAheadLog(path) }
  let expected = header.pages * header.pageBytes
  guard size >= expected else { throw .truncated(path, size: size, expected: expected) }
  return size
}
