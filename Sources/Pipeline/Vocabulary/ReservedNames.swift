import SQLiteSwiftly
package import Schema

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
