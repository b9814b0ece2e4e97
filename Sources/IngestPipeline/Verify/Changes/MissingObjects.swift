import SQLiteSwiftly

/// What is in the catalogue that is replaced and not in the new one: views, indexes, triggers, tables and
/// columns that somebody has added, or that the schema had before.
struct MissingObjects {
  /// The most that are named.
  private static let named = 20

  /// Each as its kind and name: `view sets_by_year`, `column sets.note`.
  private let objects: [String]

  /// Compares what two databases have.
  init(
    old: [String], _ oldTables: [ComparedTable], new: [String], _ newTables: [ComparedTable]
  ) {
    let known = Set(new.map { Array($0.utf8) })
    let columns = oldTables.flatMap { table -> [String] in
      guard let other = newTables.first(where: { haveSameBytes($0.name, table.name) }) else {
        return []
      }
      return table.columns.map(\.name).filter { name in
        !other.columns.contains { haveSameBytes($0.name, name) }
      }.map { "column \(table.name).\($0)" }
    }
    objects = old.filter { !known.contains(Array($0.utf8)) } + columns
  }

  /// A notice that names them; nil if there are none.
  func notice(of catalog: String) -> Notice? {
    guard !objects.isEmpty else { return nil }
    let more = objects.count > Self.named ? " and \(objects.count - Self.named) more" : ""
    return Notice(
      file: catalog, code: .objectsLost,
      "the catalogue that is replaced has what the new one does not have: "
        + objects.prefix(Self.named).map(\.escapedForMessage).joined(separator: ", ") + more)
  }

  /// The tables, views, indexes and triggers of a database, those of SQLite's own apart.
  static func objects(of connection: Connection) throws(SQLiteError) -> [String] {
    try connection.query(
      """
      SELECT type || ' ' || name FROM main.sqlite_schema
      WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name
      """, as: String.self)
  }
}
