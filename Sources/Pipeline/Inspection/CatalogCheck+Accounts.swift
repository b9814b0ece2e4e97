import Schema
import Facts
import SQLiteDestination
import SQLiteSwiftly

extension CatalogCheck {
  func accountFaults(on connection: Connection) throws(SQLiteError) -> [String] {
    let made = try connection.query("SELECT schema_version FROM ingest_catalog")
    var faults: [String] = []
    if made.count != 1 {
      faults.append("ingest_catalog: \(made.count.grouped) rows were found, and expected is 1")
    }
    for row in made where row[0] != .integer(Int64(schema.version)) {
      faults.append(
        "ingest_catalog, column schema_version: \(row[0].literal) was found, and expected is "
          + "\(schema.version)")
    }
    var inserted: [String: Int] = [:]
    // An older ingest left nothing out.
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
          "ingest_sources, \(file) of \(table): \(records.grouped) records were read, and accounted for are "
            + "\(loaded.grouped) inserted, \(rejected.grouped) rejected and \(replaced.grouped) replaced"
            + (leftOut > 0 ? ", and \(leftOut.grouped) left out" : ""))
      }
      if !schema.tables.contains(where: { haveSameBytes($0.name, table) }) {
        faults.append("ingest_sources, \(file): the table \(table) was not expected")
      }
    }
    for table in schema.tables {
      let rows = try connection.first(
        "SELECT count(*) FROM main.\(identifier: table.name) NOT INDEXED", as: Int.self)
      let expected = inserted[table.name, default: 0]
      if rows != expected {
        faults.append(
          "\(table.name): \((rows ?? 0).grouped) rows were found, and expected are the \(expected.grouped) that "
            + "ingest_sources says were inserted")
      }
    }
    return faults
  }
}
