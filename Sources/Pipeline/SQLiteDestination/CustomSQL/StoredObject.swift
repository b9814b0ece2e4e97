import Vocabulary
import SQLiteSwiftly

struct StoredObject: Equatable {
  let object: SchemaObject
  /// Its root page and its definition; nil for an object without one.
  private let root: Int64?
  private let definition: String?

  /// All objects of the main database but SQLite's own; those of virtual tables only `withShadows`.
  static func all(
    in connection: Connection, withShadows: Bool
  ) throws(SQLiteError) -> [StoredObject] {
    try connection.query(
      """
      SELECT type, name, rootpage, sql FROM main.sqlite_schema
      WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
        AND (\(withShadows) OR tbl_name NOT IN (\(sql: Connection.shadowTables)))
      ORDER BY type, name
      """
    ).map { row in
      StoredObject(
        object: SchemaObject(type: row[0].textValue ?? "", name: row[1].textValue ?? ""),
        root: row[2].integerValue, definition: row[3].textValue)
    }
  }
}
