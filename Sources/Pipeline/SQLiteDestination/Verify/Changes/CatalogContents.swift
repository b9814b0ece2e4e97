package import Facts
package import SQLiteSwiftly
package import Schema

/// What is known of a catalog that is compared, before its rows are read.
package struct CatalogContents {
  /// What an operator's own SQL made, with the names of its files.
  package let made: [(object: SchemaObject, file: String)]
  /// The tables, views, indexes and triggers of the main database; those of SQLite's own and of the search apart,
  /// and those that a virtual table has made for itself.
  package let objects: [SchemaObject]
  package let stored: StoredTables
  /// The tables that are neither derived from others, nor say where the catalog came from.
  private let tables: [StoredColumns]

  /// The objects of `search` are left out; without one, those of the search that the catalog has.
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

  /// The tables that are compared: none of those that some SQL made, unless they are of the schema: whatever a
  /// catalog says of itself, the tables of the dumps are compared.
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
    let isNullable: Bool
    /// Its place in the primary key, from 1; 0 if it is not in it.
    let keyPlace: Int
  }

  package let name: String
  var columns: [Column] = []

  /// The columns of the primary key, in its order; empty if there is none.
  var key: [String] {
    columns.filter { $0.keyPlace > 0 }.sorted { $0.keyPlace < $1.keyPlace }.map(\.name)
  }

  func column(_ name: String) -> Column? {
    columns.first { haveSameBytes($0.name, name) }
  }
}

extension Connection {
  /// The tables but for SQLite's own, those that say where the catalog came from, and some others.
  fileprivate func storedColumns(besides derived: [String]) throws(SQLiteError) -> [StoredColumns] {
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
        !name.hasPrefix(Provenance.prefix), !derived.contains(name)
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
