import SQLiteFormat
package import Vocabulary
import Platform
import Glibc
package import SQLiteSwiftly
import Provenance
import Text

/// An existing database, open for reading, that no program can write to while the value exists.
package final class DatabaseFile: PublishedDatabase {
  /// As the user wrote it.
  package let path: String
  /// Whether it is a copy of the tables of a schema on a server, without its other objects.
  package let isCopy: Bool
  /// The version of its schema (`PRAGMA user_version`).
  package let version: Int32
  /// The version of the tool that made it; nil if it is not recorded.
  package let toolVersion: String?
  package let bytes: Int
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
    bytes = size
    (connection, version, toolVersion) = connected
  }

  private static func connect(
    to path: String, _ descriptor: Int32
  ) throws(IngestError) -> (Connection, version: Int32, toolVersion: String?) {
    try mapError(as: { IngestError($0, reading: path) }) { () throws(SQLiteError) in
      try SchemaScan.check(descriptor)
      let connection = try openUntrusted(path)
      try connection.set(.cacheSize, to: .kibibytes(cacheKibibytes))
      try connection.lockOutWriters()
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
      path, opening: .readOnly, busyTimeout: DatabaseWriter.busyTimeout)
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
    try connection.limitingWork(to: WorkLimit(forFileOf: bytes), body)
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

  /// A change by a program that uses SQLite is detected by the change counter
  /// (<https://www.sqlite.org/fileformat.html#file_change_counter>).
  package func checkIsUnmodified() throws(IngestError) {
    let header = try mapError(
      DatabaseHeader(ofAny: descriptor),
      as: { (error: FileError) in .changed("the database cannot be read: \(error.message)") })
    let counter = try reading { connection throws(SQLiteError) in
      try connection.value(of: "SELECT change_counter FROM main.ingest_catalog")
    }
    guard let header, counter == .integer(Int64(header.changeCounter)),
      bytes == header.pages * header.pageBytes
    else { throw .changed("another program has changed the database since it was published") }
    guard header.libraryVersion == SQLiteLibrary.versionNumber else {
      throw .changed("another version of SQLite wrote the database")
    }
  }

  /// Syncs the name of the database to disk, which the run that made it may have failed to do.
  package func checkIsOnDisk() throws(IngestError) {
    try mapError(
      syncFolder(parentFolder(of: path)),
      as: { (error: FileError) in
        .changed("its folder cannot be synced to disk: \(error.message)")
      })
  }
}

private func openDatabase(_ path: String) throws(IngestError) -> Int32 {
  let status = try mapError(status(of: path), as: { .fileUnopenable(path, $0) })
  guard let kind = status.map({ $0.st_mode & S_IFMT }) else {
    throw .fileUnopenable(path, FileError(code: ENOENT))
  }
  // Opening a pipe would wait.
  guard kind == S_IFREG else {
    throw .notDatabase(
      path, kind == S_IFDIR ? "it is a folder" : "it is a pipe, a socket or a device")
  }
  return try mapError(openFile(path, O_RDONLY), as: { .fileUnopenable(path, $0) })
}

/// Refuses a file whose header is not that of a sound database, with better messages than SQLite's.
private func checkHeader(
  of descriptor: Int32, at path: String, applicationID: Int32?
) throws(IngestError) -> Int {
  let (header, size, hasLog) = try mapError(
    (DatabaseHeader(ofAny: descriptor), fileSize(of: descriptor), status(of: path + "-wal") != nil),
    as: { .cannotBeRead(path, $0) })
  guard size > 0 else { throw .notDatabase(path, "it is empty") }
  guard let header else { throw .notDatabase(path, "it is not an SQLite database") }
  let found = header.applicationID
  if let expected = applicationID.map({ UInt32(bitPattern: $0) }), found != expected {
    throw IngestError(
      .data,
      "\(path): expected a database with application_id 0x\(String(expected, radix: 16)), found "
        + "0x\(String(found, radix: 16)). If ingest made it from other source files, pass their description: "
        + "--schema FILE.")
  }
  guard header.formatVersions.write < 2, !hasLog else {
    throw IngestError(
      .data,
      "\(path): the database uses a write-ahead log (WAL), so reading it would leave files beside it. Switch it "
        + "back with: sqlite3 \(path) 'PRAGMA journal_mode = DELETE'")
  }
  let expected = header.pages * header.pageBytes
  guard size >= expected else {
    throw IngestError(
      .data,
      "\(path): truncated: it has \(size.of("byte")), but its header states \(expected.grouped). Copy the file "
        + "again, or load it again.")
  }
  return size
}

extension IngestError {
  fileprivate static func fileUnopenable(_ path: String, _ error: FileError) -> IngestError {
    IngestError(
      .of(error.code, otherwise: .inputMissing),
      "\(path): cannot be opened: \(error.message). Check the path.")
  }

  fileprivate static func cannotBeRead(_ path: String, _ error: FileError) -> IngestError {
    IngestError(.inputOutput, "\(path): cannot be read: \(error.message). Check the disk.")
  }

  /// `reason` is a clause such as "it is empty".
  fileprivate static func notDatabase(_ path: String, _ reason: String) -> IngestError {
    IngestError(
      .data,
      "\(path): not a database made by ingest: \(reason). Use the file that ingest wrote to its --out."
    )
  }

  /// The failure of a statement on a database that is only read.
  package init(_ error: SQLiteError, reading path: String) {
    // SQLite reports some errors of the disk as damage.
    if error.code == .corrupt, let failure = readFailure(ofFileAt: path),
      Kind.of(failure.code, otherwise: .data) == .inputOutput
    {
      self = .cannotBeRead(path, failure)
      return
    }
    let (kind, advice): (Kind, String) =
      switch error.code {
      case .corrupt, .notADatabase, .error, .interrupted, .tooBig, .mismatch:
        (.data, "The file is damaged: load it again, or restore it from a backup.")
      case .busy, .locked: (.locked, "Another program is writing to it. Try again later.")
      case .readOnly:
        (
          .data,
          "A program was killed while writing to it. Open it once with sqlite3 to recover it."
        )
      case .cannotOpen, .permissionDenied: (.inputMissing, "Check its permissions.")
      // SQLite ends the transaction after an error of the disk, also after one that it ignores, as in its statistics.
      case .inputOutput, .full, .abort: (.inputOutput, "Check the disk.")
      case .outOfMemory: (.inputOutput, "Check it with 'ingest check': it may be damaged.")
      default: (.fault, "Please report this as a bug in ingest.")
      }
    self.init(
      kind, "\(path): cannot be read: \(error.reason) (\(error.extendedCode.name)). \(advice)")
  }
}
