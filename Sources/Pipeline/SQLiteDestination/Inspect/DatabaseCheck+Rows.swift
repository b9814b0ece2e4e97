import SQLiteSwiftly
import Schema
import Text
import Provenance

extension DatabaseCheck {
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
    let query = SQL(
      generated: "SELECT \(table.list(table.rowNames)), \(columns) "
        + "FROM main.\(quoted(identifier: table.name)) "
        + "WHERE (\(columns)) IN (\(key.orphans(in: table.name).text)) "
        + "LIMIT \(Self.maximumFaults)")
    let names = key.columns.joined(separator: ", ")
    let parents = key.keyColumns.joined(separator: ", ")
    let (noun, expected) =
      key.columns.count == 1
      ? ("column", "a value of \(key.table).\(parents)")
      : ("columns", "the values of a row of \(key.table) (\(parents))")
    var faults: [String] = []
    try connection.forEachRow(of: query) { row throws(SQLiteError) in
      let values = try row.values(in: 0..<row.columnCount)
      let keys = values.prefix(table.rowNames.count)
      let found = values.dropFirst(keys.count).map(\.shownLiteral).joined(separator: ", ")
      faults.append(
        "\(table.location(of: keys)), \(noun) \(names): expected \(expected), found \(found)")
    }
    return faults
  }

  func rowCountFaults(on connection: Connection) throws(SQLiteError) -> [String] {
    let provenance = try Provenance.rows(
      "SELECT schema_version FROM main.ingest_catalog", in: connection)
    var faults: [String] = []
    if provenance.count != 1 {
      faults.append("ingest_catalog: expected 1 row, found \(provenance.count.grouped)")
    }
    for row in provenance where row[0] != .integer(Int64(schema.version)) {
      faults.append(
        "ingest_catalog, column schema_version: expected \(schema.version), found \(row[0].shownLiteral)"
      )
    }
    var inserted: [String: Int] = [:]
    // An older ingest skipped no records.
    let hasLeftOut = try Provenance.has(Provenance.sources, ["left_out"], in: connection)
    let columns =
      "table_name, file_name, records, inserted, rejected, replaced, "
      + (hasLeftOut ? "left_out" : "0")
    let sources = try Provenance.rows(
      SQL(generated: "SELECT \(columns) FROM main.ingest_sources"), in: connection)
    for source in sources {
      let (table, file) = (source[0].textValue ?? "", source[1].textValue ?? "")
      // Sums of such numbers do not overflow.
      let counts = source[2...].map { value in
        value.integerValue.flatMap { 0...1 << 48 ~= $0 ? Int($0) : nil } ?? -1
      }
      let (records, loaded, rejected) = (counts[0], counts[1], counts[2])
      let (replaced, leftOut) = (counts[3], counts[4])
      inserted[table, default: 0] += loaded
      if loaded + rejected + replaced + leftOut != records {
        faults.append(
          "ingest_sources, \(file) of \(table): \(records.of("record")) \(records.verb("was", "were")) read, but the counts are "
            + "\(loaded.grouped) inserted, \(rejected.grouped) rejected"
            + (replaced > 0 ? ", \(replaced.grouped) replaced" : "")
            + (leftOut > 0 ? ", \(leftOut.grouped) skipped" : ""))
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

struct SchemaDifferences {
  /// The missing objects, and those that differ from their description.
  private(set) var faults: [String] = []
  private(set) var additions: [String] = []
  /// The provenance tables and columns that the ingest that made the database did not have yet.
  private(set) var notMadeYet: [String] = []

  init(from schema: SchemaDescription, on connection: Connection) throws(SQLiteError) {
    let whole = SchemaDescription(
      tables: schema.tables + schema.allDerivedTables + Provenance.tables, views: schema.views,
      search: schema.search, applicationID: schema.applicationID, version: schema.version)
    // The tables of a virtual table, such as one of FTS5, are created and dropped with it.
    let hidden = Set(try connection.query(Connection.shadowTables, as: String.self).map(foldedName))
    let differences = try connection.differences(from: whole).filter { difference in
      difference.property != .table || !hidden.contains(foldedName(difference.table ?? ""))
    }
    let recorded = try Provenance.recordedColumns(in: connection)
    for difference in differences {
      if let addition = difference.addition {
        additions.append(addition)
      } else if let recorded, let absent = difference.absentProvenance(notIn: recorded) {
        notMadeYet.append(absent)
      } else {
        faults.append(difference.description)
      }
    }
  }
}

extension SchemaDifference {
  fileprivate var addition: String? {
    guard expected == nil, [.table, .view, .trigger, .index].contains(property) else { return nil }
    let name = "\(property.rawValue) \(found ?? "")"
    return [.index, .trigger].contains(property) ? "\(name) of \(table ?? "")" : name
  }

  /// The name of a provenance table or column that was never there, since the database does not record that it had it.
  fileprivate func absentProvenance(notIn recorded: [(table: String, column: String)]) -> String? {
    guard let table, let expected, found == nil,
      let description = Provenance.tables.first(where: { haveSameBytes($0.name, table) })
    else { return nil }
    let known = recorded.filter { haveSameBytes($0.table, description.name) }.map(\.column)
    return switch property {
    case .table where known.isEmpty: "table \(table)"
    case .column where !known.hasName(expected): "column \(expected) of \(table)"
    default: nil
    }
  }
}
