import Facts
import SQLiteSwiftly

/// A table of one of two catalogues, as far as a comparison needs it.
struct ComparedTable {
  struct Column {
    let name: String
    let isNullable: Bool
    /// Its place in the primary key, from 1; 0 if it is not in it.
    let keyPlace: Int
  }

  let name: String
  var columns: [Column] = []

  /// The columns of the primary key, in its order; empty if there is none.
  var key: [String] {
    columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }.map(\.name)
  }

  /// Whether the primary key is that of `other`, in the same order.
  func hasSameKey(as other: ComparedTable) -> Bool { haveSameBytes(key, other.key) }

  /// The columns after the key that `other` has, too.
  func otherColumns(with other: ComparedTable) -> [String] {
    columns.filter { $0.keyPlace == 0 && other.column($0.name) != nil }.map(\.name)
  }

  /// The columns that may be NULL here or in `other`, and that both have.
  func nullableColumns(with other: ComparedTable) -> [String] {
    columns.filter { column in
      guard column.keyPlace == 0, let others = other.column(column.name) else { return false }
      return column.isNullable || others.isNullable
    }.map(\.name)
  }

  /// The columns that `other` does not have.
  func columns(missingIn other: ComparedTable) -> [String] {
    columns.map(\.name).filter { other.column($0) == nil }
  }

  private func column(_ name: String) -> Column? {
    columns.first { haveSameBytes($0.name, name) }
  }
}

/// The query for the key and other columns of all rows of a table, in the order of the key.
///
/// The collation is said since a catalogue of another version may have another one.
func rowsInOrder(of table: String, key: [String], _ otherColumns: [String]) -> SQL {
  let columns = (key + otherColumns).map(quoted(identifier:)).joined(separator: ", ")
  let order = key.map { quoted(identifier: $0) + " COLLATE BINARY" }.joined(separator: ", ")
  return SQL(
    generated: "SELECT \(columns) FROM main.\(quoted(identifier: table)) ORDER BY \(order)")
}

extension Connection {
  /// The tables that are compared: neither SQLite's own, nor what is derived from others, says where the
  /// catalogue came from, or was made by an operator's own SQL.
  func comparedTables(
    of schema: SchemaDescription, besides made: [SchemaObject]
  ) throws(SQLiteError) -> [ComparedTable] {
    var derived = schema.allDerivedTables.map(\.name)
    if let search = schema.search, try hasSearch(search) { derived += search.tableNames }
    let known = schema.tables.map(\.name)
    // Whatever a catalogue says of itself, the tables of the dumps are compared.
    let others = made.filter { $0.type == "table" && !known.hasName($0.name) }.map(\.name)
    let rows = try query(
      """
      SELECT list.name, columns.name, columns."notnull", columns.pk
      FROM main.sqlite_schema AS stored
        JOIN pragma_table_list AS list ON list.name = stored.name AND list.schema = 'main'
        JOIN pragma_table_xinfo(list.name, 'main') AS columns
      WHERE stored.type = 'table' AND list.type = 'table' AND columns.hidden = 0
        AND list.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY stored.rowid, columns.cid
      """)
    var tables: [ComparedTable] = []
    for row in rows {
      guard let name = row[0].textValue, let column = row[1].textValue,
        !name.hasPrefix(Provenance.prefix), !derived.contains(name),
        !others.hasName(name)
      else { continue }
      if tables.last?.name != name { tables.append(ComparedTable(name: name)) }
      tables[tables.count - 1].columns.append(
        ComparedTable.Column(
          name: column, isNullable: row[2] == .integer(0),
          keyPlace: Int(row[3].integerValue ?? 0)))
    }
    return tables
  }
}
