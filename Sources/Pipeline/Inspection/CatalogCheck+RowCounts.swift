import Schema
import Facts
import SQLiteDestination
import SQLiteSwiftly

extension CatalogCheck {
  func rowCountFaults(on connection: Connection) throws(SQLiteError) -> [String] {
    let provenance = try connection.query("SELECT schema_version FROM ingest_catalog")
    var faults: [String] = []
    if provenance.count != 1 {
      faults.append("ingest_catalog: expected 1 row, found \(provenance.count.grouped)")
    }
    for row in provenance where row[0] != .integer(Int64(schema.version)) {
      faults.append(
        "ingest_catalog, column schema_version: expected \(schema.version), found \(row[0].literal)"
      )
    }
    var inserted: [String: Int] = [:]
    // An older ingest omitted no records.
    let sourceColumns = try connection.schema(ofTable: Provenance.sources.name)?.columns ?? []
    let columns =
      "table_name, file_name, records, inserted, rejected, replaced, "
      + (sourceColumns.map(\.name).hasName("left_out") ? "left_out" : "0")
    let sources = try connection.query(
      SQL(generated: "SELECT \(columns) FROM main.ingest_sources"),
      as: (String, String, Int, Int, Int, Int, Int).self)
    for (table, file, records, loaded, rejected, replaced, leftOut) in sources {
      inserted[table, default: 0] += loaded
      if loaded + rejected + replaced + leftOut != records {
        faults.append(
          "ingest_sources, \(file) of \(table): \(records.grouped) records were read, but the counts are "
            + "\(loaded.grouped) inserted, \(rejected.grouped) rejected, \(replaced.grouped) replaced"
            + (leftOut > 0 ? ", \(leftOut.grouped) omitted" : ""))
      }
      if !schema.tables.contains(where: { haveSameBytes($0.name, table) }) {
        faults.append("ingest_sources, \(file): unexpected table \(table)")
      }
    }
    for table in schema.tables {
      let rows = try connection.first(
        "SELECT count(*) FROM main.\(identifier: table.name) NOT INDEXED", as: Int.self)
      let expected = inserted[table.name, default: 0]
      if rows != expected {
        faults.append(
          "\(table.name): expected \(expected.of("row")), as recorded in ingest_sources, found "
            + (rows ?? 0).grouped)
      }
    }
    return faults
  }
}
