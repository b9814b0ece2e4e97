package import Facts
package import SQLiteSwiftly
package import Schema

/// The objects of a database that is compared, without its rows.
package struct CatalogContents {
  /// The objects made by custom SQL, with the names of their files.
  package let made: [(object: SchemaObject, file: String)]
  /// The tables, views, indexes and triggers of the main database, except those of SQLite, of the search and of virtual
  /// tables.
  package let objects: [SchemaObject]
  package let stored: StoredTables
  private let tables: [StoredColumns]

  /// Skips the objects of `search` or, if it is nil, of the search in the database.
  package init(
    of connection: Connection, _ schema: SchemaDescription, besides search: SearchDescription? = nil
  ) throws(SQLiteError) {
    let found = try connection.search(in: schema)
    made = try Provenance.objects(in: connection)
    let ofSearch = (search ?? found).map { [$0.name] + $0.tableNames } ?? []
    objects = try StoredObject.all(in: connection, withShadows: false).map(\.object)
      .filter { !ofSearch.hasName($0.name) }
    stored = try StoredTables(of: connection)
    tables = try connection.storedColumns(
      besides: schema.allDerivedTables.map(\.name) + (found?.tableNames ?? []))
  }

  /// The tables to compare: those not made by custom SQL, and always those of the schema, whatever the database records.
  package func tables(
    of schema: SchemaDescription, besides made: [SchemaObject] = []
  ) -> [StoredColumns] {
    let known = schema.tables.map(\.name)
    let others = made.filter { $0.type == "table" && !known.hasName($0.name) }.map(\.name)
    return tables.filter { !others.hasName($0.name) }
  }
}

package struct StoredColumns {
  struct Column {
    let name: String
    let type: String
    let isNullable: Bool
    /// The position in the primary key, from 1; 0 if the column is not in it.
    let keyPlace: Int
  }

  package let name: String
  var columns: [Column] = []

  /// The columns of the primary key, in key order; empty if there is none.
  var key: [String] {
    columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }.map(\.name)
  }

  func column(_ name: String) -> Column? {
    columns.first { haveSameBytes($0.name, name) }
  }
}

extension Connection {
  /// All tables except SQLite's own, the provenance and `derived`.
  fileprivate func storedColumns(besides derived: [String]) throws(SQLiteError) -> [StoredColumns] {
    let rows = try query(
      """
      SELECT list.name, columns.name, columns."notnull", columns.pk, columns.type
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
        !name.hasPrefix(provenancePrefix), !derived.contains(name)
      else { continue }
      if tables.last?.name != name { tables.append(StoredColumns(name: name)) }
      tables[tables.count - 1].columns.append(
        StoredColumns.Column(
          name: column, type: row[4].textValue ?? "", isNullable: row[2] == .integer(0),
          keyPlace: Int(row[3].integerValue ?? 0)))
    }
    return tables
  }
}
