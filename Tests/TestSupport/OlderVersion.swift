package import SQLiteSwiftly

/// Turns a database into one made before `--if-changed` and `--repairs` existed.
package enum OlderVersion {
  /// Takes out what newer versions write about the origin of a catalog.
  package static let structure: [SQL] = [
    "DROP TABLE ingest_options", "DROP TABLE ingest_repairs",
    "ALTER TABLE ingest_catalog DROP COLUMN change_counter",
    "ALTER TABLE ingest_sources DROP COLUMN left_out",
  ]

  /// Takes out the descriptions of that.
  package static let records: [SQL] = [
    "DELETE FROM ingest_columns WHERE table_name IN ('ingest_options', 'ingest_repairs')",
    "DELETE FROM ingest_columns WHERE column_name IN ('change_counter', 'left_out')",
  ]
}
