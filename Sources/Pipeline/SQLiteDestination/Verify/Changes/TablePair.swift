package import Facts
package import SQLiteSwiftly
package import Schema

/// A table of two catalogues, or of one of them, as far as a comparison needs it.
package struct TablePair: Equatable, Sendable {
  package let name: String
  /// The columns of the primary key, in its order; empty if the two do not have the same one, and rows cannot
  /// be told apart.
  package var key: [String] = []
  /// The columns after the key that both have.
  package var columns: [String] = []
  /// Those of them that may be NULL in either.
  var nullableColumns: [String] = []
  /// The columns that the new table does not have any more.
  package var removedColumns: [String] = []
  /// The columns that the old table does not have.
  package var addedColumns: [String] = []
  /// Its place among the tables of the old catalogue; nil if that does not have it.
  var oldPlace: Int?
  package var isInNew = false

  package var isInOld: Bool { oldPlace != nil }

  /// Pairs the tables of two catalogues: those of the new one first.
  package static func all(of old: [StoredColumns], _ new: [StoredColumns]) -> [TablePair] {
    let kept = new.map { table in
      var pair = TablePair(name: table.name, isInNew: true)
      pair.oldPlace = old.firstIndex { haveSameBytes($0.name, table.name) }
      guard let before = pair.oldPlace.map({ old[$0] }) else { return pair }
      pair.key = haveSameBytes(table.key, before.key) ? table.key : []
      for column in table.columns where column.keyPlace == 0 {
        guard let other = before.column(column.name) else { continue }
        pair.columns.append(column.name)
        if column.isNullable || other.isNullable { pair.nullableColumns.append(column.name) }
      }
      pair.removedColumns = before.columns.map(\.name).filter { table.column($0) == nil }
      pair.addedColumns = table.columns.map(\.name).filter { before.column($0) == nil }
      return pair
    }
    let gone = old.indices.filter { place in !new.map(\.name).hasName(old[place].name) }
    return kept + gone.map { TablePair(name: old[$0].name, oldPlace: $0) }
  }

  /// The query for the key and the other columns of all rows, in the order of the key.
  ///
  /// The collation is said since a catalogue of another version may have another one.
  package var rows: SQL {
    let names = (key + columns).map(quoted(identifier:)).joined(separator: ", ")
    let order = key.map { quoted(identifier: $0) + " COLLATE BINARY" }.joined(separator: ", ")
    return SQL(generated: "SELECT \(names) FROM main.\(quoted(identifier: name)) ORDER BY \(order)")
  }

  /// Whether anything differs: the table or one of its columns is in one catalogue alone, or rows are.
  package func isDifferent(_ found: CatalogChanges.Table) -> Bool {
    guard isInOld, isInNew, removedColumns.isEmpty, addedColumns.isEmpty else { return true }
    return found.keys.map { $0 != CatalogChanges.Keys() } ?? (found.rowsBefore != found.rowsAfter)
  }
}

/// The columns of a table of one catalogue.
package struct StoredColumns {
  struct Column {
    let name: String
    let isNullable: Bool
    /// Its place in the primary key, from 1; 0 if it is not in it.
    let keyPlace: Int
  }

  package let name: String
  var columns: [Column] = []

  /// The columns of the primary key, in its order; empty if there is none.
  fileprivate var key: [String] {
    columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }.map(\.name)
  }

  fileprivate func column(_ name: String) -> Column? {
    columns.first { haveSameBytes($0.name, name) }
  }
}

extension Connection {
  /// The tables that are compared: neither SQLite's own, nor what is derived from others, says where the
  /// catalogue came from, or was made by an operator's own SQL.
  package func comparedTables(
    of schema: SchemaDescription, besides made: [SchemaObject] = []
  ) throws(SQLiteError) -> [StoredColumns] {
    var derived = schema.allDerivedTables.map(\.name)
    if let search = try search(in: schema) { derived += search.tableNames }
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
    var tables: [StoredColumns] = []
    for row in rows {
      guard let name = row[0].textValue, let column = row[1].textValue,
        !name.hasPrefix(Provenance.prefix), !derived.contains(name),
        !others.hasName(name)
      else { continue }
      if tables.last?.name != name { tables.append(StoredColumns(name: name)) }
      tables[tables.count - 1].columns.append(
        StoredColumns.Column(
          name: column, isNullable: row[2] == .integer(0),
          keyPlace: Int(row[3].integerValue ?? 0)))
    }
    return tables
  }
}
