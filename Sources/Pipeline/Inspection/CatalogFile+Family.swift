import SQLiteDestination
package import Facts
import Files
import Glibc
import SQLiteSwiftly

extension CatalogFile {
  /// The application ID in the header of a file; nil if the file is not a readable database.
  package static func applicationID(at path: String) -> Int32? {
    // A pipe would make the opening wait.
    guard let kind = try? status(of: path)?.st_mode, kind & S_IFMT == S_IFREG else { return nil }
    let descriptor = openFile(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let bytes = try? descriptor.bytes(100, at: 0),
      bytes.starts(with: Array("SQLite format 3\0".utf8))
    else { return nil }
    return bytes.number(at: 68).map { Int32(truncatingIfNeeded: $0) }
  }

  /// The description of the dumps that the file was made from, as a Data Package; nil if it keeps none.
  ///
  /// - Throws: `IngestError` if it cannot be read.
  package func description() throws(IngestError) -> String? {
    try reading { connection throws(SQLiteError) in
      guard try Provenance.has(Provenance.options, in: connection) else { return nil }
      return try connection.value(
        of: "SELECT value FROM main.ingest_options WHERE option = '--schema'")?.textValue
    }
  }
}
