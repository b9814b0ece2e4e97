import SQLiteFormat
import SQLiteDestination
package import Facts
import Files
import Glibc
package import SQLiteSwiftly

/// A catalog that is there, opened for reading, to which nobody can write as long as the value lives.
///
/// Nothing is left beside the file.
package struct CatalogFile: ~Copyable {
  /// Where it is, as the user names it.
  package let path: String
  /// The version of its schema (`PRAGMA user_version`).
  package let version: Int32
  /// The version of the tool that made it; nil if it does not say.
  package let toolVersion: String?
  /// The size in bytes.
  package let size: Int
  package let connection: Connection
  package let descriptor: Int32
  /// The pages that SQLite keeps in memory, in kibibytes, since the rows of an index are all over the file.
  private static let cacheKibibytes = 32 << 10

  /// Opens a catalog, of whatever version, and of any family if `applicationID` is nil.
  package init(_ path: String, applicationID: Int32?) throws(IngestError) {
    // A program's locks end when it closes a file: so this is opened before SQLite has any, and closed
    // after it (<https://www.sqlite.org/howtocorrupt.html>, 2.2).
    let descriptor = try openCatalog(path)
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

  /// Opens the file as a database, and keeps writers out of it.
  private static func connect(
    to path: String, _ descriptor: Int32
  ) throws(IngestError) -> Connection {
    do throws(SQLiteError) {
      let connection = try Connection(
        path, opening: .readOnly, busyTimeout: CatalogWriter.busyTimeout)
      try connection.set(.cacheSize, to: .kibibytes(cacheKibibytes))
      // Nobody can write to the file until the transaction ends, which begins with the first reading.
      try connection.beginTransaction()
      _ = try connection.value(of: "SELECT count(*) FROM main.sqlite_schema")
      guard (try? isStillThere(descriptor, at: resolvedPath(path))) == true else {
        throw SQLiteError(.busy, "another file was put there just now")
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
    // All else that reads the file has gone before: nothing is lost if this fails.
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

  /// Runs `body`, whose statements fail once they have done more than it takes to read a sound file.
  func limitingWork<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try connection.limitingWork(to: WorkLimit(forFileOf: size), body)
  }

  /// What the catalog is, in words.
  package var summary: String {
    "schema version \(version)" + (toolVersion.map { ", made by ingest \($0)" } ?? "")
  }
}

private func openCatalog(_ path: String) throws(IngestError) -> Int32 {
  let kind: mode_t
  do throws(FileError) {
    guard let status = try status(of: path) else { throw FileError(code: ENOENT) }
    kind = status.st_mode & S_IFMT
  } catch {
    throw cannotOpen(path, error)
  }
  // A pipe would make the opening wait.
  guard kind == S_IFREG else {
    throw notCatalog(path, kind == S_IFDIR ? "is a folder" : "is a pipe, a socket or a device")
  }
  let descriptor = openFile(path, O_RDONLY)
  guard descriptor >= 0 else { throw cannotOpen(path, FileError(code: errno)) }
  return descriptor
}

private func cannotOpen(_ path: String, _ error: FileError) -> IngestError {
  IngestError(
    .of(error.code, otherwise: .inputMissing),
    "\(path): cannot be opened: \(error.message). Check the path of the catalog.")
}

private func notCatalog(_ path: String, _ reason: String) -> IngestError {
  IngestError(
    .data, "\(path): \(reason), and no catalog, which is a file that ingest wrote to its --out.")
}

/// Refuses a file that cannot be a sound catalog by its header, before SQLite is asked, which would say
/// less; returns the bytes of the file.
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
    throw IngestError(.inputOutput, "\(path): cannot be read: \(error.message). Check the disk.")
  }
  guard size > 0 else { throw notCatalog(path, "is empty") }
  guard let header else { throw notCatalog(path, "is no database of SQLite") }
  let found = header.applicationID
  if let applicationID, found != UInt32(bitPattern: applicationID) {
    let expected = String(UInt32(bitPattern: applicationID), radix: 16)
    throw IngestError(
      .data,
      "\(path): is a database with the application_id 0x\(String(found, radix: 16)) instead of 0x\(expected). "
        + "If ingest wrote it from other files, give their description: --schema FILE.")
  }
  guard header.formatVersions.write < 2, !hasLog else {
    throw IngestError(
      .data,
      "\(path): somebody has set the catalog to a write-ahead log, with which files are left beside "
        + "it whenever it is read. Set it back with: sqlite3 \(path) 'PRAGMA journal_mode = DELETE'"
    )
  }
  let expected = header.pages * header.pageBytes
  guard size >= expected else {
    throw IngestError(
      .data,
      "\(path): is cut off: it has \(size.of("byte")), and its header says that it has \(expected.grouped). Copy it "
        + "again, or load the catalog again.")
  }
  return size
}

extension IngestError {
  /// The failure of a statement on a catalog that is only read.
  package init(_ error: SQLiteError, reading path: String) {
    // The error of an opening names the file itself.
    let message =
      error.message.hasPrefix("\(path): ")
      ? String(error.message.dropFirst(path.count + 2)) : error.message
    let (kind, advice): (Kind, String) =
      switch error.code {
      case .corrupt, .notADatabase, .error, .interrupted, .tooBig, .mismatch:
        (.data, "It is damaged: load the catalog again, or fetch it from a backup.")
      case .busy, .locked: (.locked, "Another program is writing to it; try again when it is done.")
      case .readOnly:
        (
          .data,
          "A program that wrote to it was killed: open it once with sqlite3 so that it recovers."
        )
      case .cannotOpen, .permissionDenied: (.inputMissing, "Check its permissions.")
      case .inputOutput, .full, .outOfMemory: (.inputOutput, "Check the disk.")
      default: (.fault, "Please report this as a fault of ingest.")
      }
    self.init(
      kind, "\(path): cannot be read: \(message) (\(error.extendedCode.name)). \(advice)")
  }
}
