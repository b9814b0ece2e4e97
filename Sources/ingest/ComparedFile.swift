import Facts
import Glibc
import Inspection
import PostgreSQLDestination
import Schema

/// A database file to compare, which is removed at the end if it is the copy of a schema.
struct ComparedFile: ~Copyable {
  private let temporary: String?
  private let path: String
  private let database: DatabaseOperand

  init(_ database: DatabaseOperand, _ schema: SchemaDescription) throws(IngestError) {
    self.database = database
    switch database {
    case .file(let path): (self.path, temporary) = (path, nil)
    case .schema(let server):
      #if PostgreSQL
        let path =
          "\(TemporaryFolders.disk)/ingest-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).sqlite"
        (self.path, temporary) = (path, path)
        // The rows may be secret on the server.
        let mask = umask(0o077)
        defer { umask(mask) }
        try PublishedSchema(server).copy(schema, to: path)
      #else
        preconditionFailure("\(server.name) is on a server")
      #endif
    }
  }

  deinit { remove() }

  private func remove() { if let temporary { _ = unsafe unlink(temporary) } }

  func open(_ schema: SchemaDescription) throws(IngestError) -> CatalogFile {
    // Then nothing is left of a copy when the process ends.
    defer { remove() }
    return try CatalogFile(
      path, applicationID: schema.applicationID, copyOf: temporary == nil ? nil : database.words)
  }
}
