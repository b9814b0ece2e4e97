package import Vocabulary
package import SQLiteSwiftly
package import Schema
import Provenance

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
    let others = Set(
      made.filter { $0.type == "table" && !known.hasName($0.name) }.map { Array($0.name.utf8) })
    return tables.filter { !others.contains(Array($0.name.utf8)) }
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
  /// All tables except SQLite's own, the provenance and `derived`, with the columns that are stored.
  fileprivate func storedColumns(besides derived: [String]) throws(SQLiteError) -> [StoredColumns] {
    let hidden = Set(try query(Connection.shadowTables, as: String.self).map(foldedName))
    return try ordinaryTables().filter { table in
      !table.name.hasNamePrefix("sqlite_") && !table.name.hasNamePrefix(provenancePrefix)
        && !derived.hasName(table.name) && !hidden.contains(foldedName(table.name))
    }.map { table in
      StoredColumns(
        name: table.name,
        columns: table.columns.filter(\.isStored).map {
          StoredColumns.Column(
            name: $0.name, type: $0.type, isNullable: $0.isNullable, keyPlace: $0.keyPlace)
        })
    }
  }
}
