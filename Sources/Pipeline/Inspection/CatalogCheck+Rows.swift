import SQLiteDestination
import SQLiteSwiftly
import Schema

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
      for key in table.foreignKeys {
        faults += try orphans(by: key, in: table, on: connection)
      }
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
}
