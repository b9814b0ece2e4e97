import SQLiteDestination
import SQLiteSwiftly
import Schema
import Facts

extension CatalogCheck {
  func valueFaults(on connection: Connection) throws(SQLiteError) -> [String] {
    var faults: [String] = []
    for table in schema.tables {
      faults += try connection.valueFaults(in: table, atMost: Self.maximumFaults)
    }
    return faults
  }

  func referenceFaults(on connection: Connection) throws(SQLiteError) -> [String] {
    var faults: [String] = []
    for table in schema.tables {
      for key in table.foreignKeys { faults += try orphans(by: key, in: table, on: connection) }
    }
    return faults
  }

  private func orphans(
    by key: ForeignKeyDescription, in table: TableDescription, on connection: Connection
  ) throws(SQLiteError) -> [String] {
    // The rows are searched only if a parent is missing.
    guard try connection.orphan(of: key, in: table.name, schema) != nil else { return [] }
    let columns = table.list(key.columns)
    let rows = try connection.query(
      SQL(
        generated: "SELECT \(table.list(table.rowNames)), \(columns) "
          + "FROM main.\(quoted(identifier: table.name)) "
          + "WHERE (\(columns)) IN (\(key.orphans(in: table.name).text)) "
          + "LIMIT \(Self.maximumFaults)"))
    let names = key.columns.joined(separator: ", ")
    let parents = key.keyColumns.joined(separator: ", ")
    let (noun, expected) =
      key.columns.count == 1
      ? ("column", "a value of \(key.table).\(parents)")
      : ("columns", "the values of a row of \(key.table) (\(parents))")
    return rows.map { row in
      let keys = row.prefix(table.rowNames.count)
      let found = row.dropFirst(keys.count).map(\.literal).joined(separator: ", ")
      return "\(table.place(of: keys)), \(noun) \(names): expected \(expected), found \(found)"
    }
  }

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
