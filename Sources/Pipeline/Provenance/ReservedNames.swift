import SQLiteSwiftly
package import Schema
package import Vocabulary

/// The reserved prefix of the tables with the provenance of a database.
package let provenancePrefix = "ingest_"

extension SchemaDescription {
  package func checkReservedNames() throws(IngestError) {
    let names = (tables + allDerivedTables).map(\.name) + views.map(\.name)
    // SQLite ignores case in names.
    for name in names where name.hasNamePrefix(provenancePrefix) {
      throw .nameReserved(name, prefix: provenancePrefix)
    }
  }
}

extension IngestError {
  fileprivate static func nameReserved(_ name: String, prefix: String) -> IngestError {
    IngestError(
      .fault,
      "The schema has a table or view \(name); names that begin with \(prefix) are reserved for the "
        + "provenance of the database. Nothing was published.")
  }
}
