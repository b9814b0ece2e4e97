import SQLiteSwiftly
package import Schema

/// What the names of the tables begin with that say where a catalog came from, and no other table's.
package let provenancePrefix = "ingest_"

extension SchemaDescription {
  /// Refuses a table or view whose name is of these.
  package func checkReservedNames() throws(IngestError) {
    let names = (tables + allDerivedTables).map(\.name) + views.map(\.name)
    // To SQLite, capital and small letters are one.
    for name in names where name.lowercased().hasPrefix(provenancePrefix) {
      throw IngestError(
        .fault,
        "The schema has a table or view \(name), but names that begin with \(provenancePrefix) are those of "
          + "the tables that say where a catalog came from. Nothing was published.")
    }
  }
}
