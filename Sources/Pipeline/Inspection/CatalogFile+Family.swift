import SQLiteFormat
import SQLiteDestination
package import Facts
import Files
import Glibc
import SQLiteSwiftly

extension CatalogFile {
  /// The application ID in the header of a file; nil if the file is not a readable database.
  package static func applicationID(at path: String) -> Int32? {
    // Opening a pipe would wait.
    guard let kind = try? status(of: path)?.st_mode, kind & S_IFMT == S_IFREG else { return nil }
    let descriptor = openFile(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return (try? DatabaseHeader(ofAny: descriptor)).map { Int32(bitPattern: $0.applicationID) }
  }

  /// The description that the file was loaded with, as a Data Package; nil if it records none.
  package func description() throws(IngestError) -> String? {
    try reading { connection throws(SQLiteError) in
      guard try Provenance.has(Provenance.options, in: connection) else { return nil }
      return try connection.value(
        of: "SELECT value FROM main.ingest_options WHERE option = '--schema'")?.textValue
    }
  }
}
