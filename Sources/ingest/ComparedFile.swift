import Vocabulary
import Platform
import Glibc
import SQLiteDestination
import PostgreSQLDestination
import Schema

/// A database file to compare, which is removed at the end if it is the copy of a schema.
struct ComparedFile: ~Copyable {
  /// The folder of a copy, in which no other user can place a journal beside it.
  private let temporary: String?
  private let path: String
  private let database: DatabaseOperand

  init(_ database: DatabaseOperand, _ schema: SchemaDescription) throws(IngestError) {
    self.database = database
    switch database {
    case .file(let path): (self.path, temporary) = (path, nil)
    case .schema(let server):
      #if PostgreSQL
        let folder =
          "\(TemporaryFolders.disk)/ingest-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        (path, temporary) = (folder + "/copy.sqlite", folder)
        // The rows may be secret on the server.
        let isOurs = try mapError(
          makePrivateFolder(folder),
          as: { .failed("cannot be created:", folder, $0, otherwise: .output) })
        guard isOurs else {
          throw .failed("cannot be created:", folder, FileError(code: EEXIST), otherwise: .output)
        }
        try PublishedSchema(server).copy(schema, to: path)
      #else
        preconditionFailure("\(server.name) is on a server")
      #endif
    }
  }

  deinit { remove() }

  private func remove() {
    guard let temporary else { return }
    unsafe unlink(path)
    unsafe rmdir(temporary)
  }

  func open(_ schema: SchemaDescription) throws(IngestError) -> DatabaseFile {
    // Removed while open, so that nothing of a copy is left when the process ends.
    defer { remove() }
    return try DatabaseFile(
      path, applicationID: schema.applicationID, copyOf: temporary == nil ? nil : database.words)
  }
}
