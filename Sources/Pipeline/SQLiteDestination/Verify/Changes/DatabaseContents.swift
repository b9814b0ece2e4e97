package import Vocabulary
package import SQLiteSwiftly
package import Schema
import Provenance
import Text

/// The objects of a database that is compared, without its rows.
package struct DatabaseContents {
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

  func column(_ name: String) -> Column? { columns.first { haveSameBytes($0.name, name) } }
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
            name: $0.name, isNullable: $0.isNullable, keyPlace: $0.keyPlace)
        })
    }
  }
}

/// The objects of the previous database that the new one lacks: views, indexes, triggers, tables and columns that were
/// added to it, or that an earlier schema had.
package struct MissingObjects {
  private static let maximumNames = 20

  /// Each as its kind and name: `view sets_by_year`, `column sets.note`.
  private let objects: [String]
  /// The objects made by custom SQL, with the names of their files.
  private let made: [(object: SchemaObject, file: String)]

  /// `lost` are the objects missing from the new database; `made` are the objects of custom SQL in the previous one.
  package init(
    _ lost: [SchemaObject], made: [(object: SchemaObject, file: String)], _ tables: [TablePair]
  ) {
    let sources = Dictionary(made.map { ($0.object.bytes, $0.file) }, uniquingKeysWith: { $1 })
    let inOldOrder = tables.sorted { ($0.oldPlace ?? 0) < ($1.oldPlace ?? 0) }
    let columns = inOldOrder.flatMap { table in
      table.removedColumns.map { "column \(table.name).\($0)" }
    }
    objects = lost.filter { sources[$0.bytes] == nil }.map(\.words) + columns
    self.made = lost.compactMap { object in sources[object.bytes].map { (object, $0) } }
  }

  /// The objects missing from a schema, as listed by a server.
  package init(_ objects: [String]) { (self.objects, made) = (objects, []) }

  /// The warning about rows of other tables that foreign keys have deleted or changed.
  package static func warning(ofRows rows: [String], _ catalog: String) -> Warning? {
    warning(of: catalog, rows) { "deleted or changed by foreign keys to the schema: \($0)" }
  }

  package func warnings(of catalog: String) -> [Warning] {
    let made = made.map { "\($0.object.words) (\($0.file))" }
    return [
      Self.warning(of: catalog, objects) {
        "in the previous database, but not in the new one: \($0)"
      },
      Self.warning(of: catalog, made) {
        "made by custom SQL of an earlier run, but not in the new database: \($0); "
          + "to keep them, pass the files in parentheses to --sql in every run"
      },
    ].compactMap(\.self)
  }

  private static func warning(
    of catalog: String, _ objects: [String], _ message: (String) -> String
  ) -> Warning? {
    guard !objects.isEmpty else { return nil }
    let more = objects.count > maximumNames ? " and \(objects.count - maximumNames) more" : ""
    let list = objects.prefix(maximumNames).map(\.escapedForMessage).joined(separator: ", ") + more
    return Warning(file: catalog, code: .objectsLost, message(list), facts: list)
  }
}

extension [SchemaObject] {
  package func besides(_ others: [SchemaObject]) -> [SchemaObject] {
    let known = Set(others.map(\.bytes))
    return filter { !known.contains($0.bytes) }
  }
}

extension SchemaObject {
  /// The bytes to compare: texts can be equal although their bytes differ.
  fileprivate var bytes: [UInt8] { Array(words.utf8) }

  fileprivate var words: String { "\(type) \(name)" }
}
