import SQLiteSwiftly

// For all examples, some of which are in a folder.
@_exported import TestSupport

extension Connection {
  /// A database in memory with a table of parts.
  static func ofParts() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.execute(
      "CREATE TABLE parts (part_num TEXT PRIMARY KEY, name TEXT, material TEXT, weight REAL)")
    try connection.execute(
      """
      INSERT INTO parts VALUES ('3001', 'Brick', 'Plastic', 2.5), ('3139', 'Tyre', 'Rubber', 1),
        ('973', NULL, 'Plastic', 1.5)
      """)
    return connection
  }

  /// A database in memory with a described table of themes.
  static func ofThemes() throws -> Connection {
    let connection = try Connection.inMemory()
    try connection.createTable(describedBy: .themes)
    return connection
  }
}

extension TableDescription {
  static let themes = Self(
    "themes",
    columns: [
      ColumnDescription("id", .integer), ColumnDescription("name", .text),
      ColumnDescription("parent_id", .integer, isNullable: true),
    ],
    primaryKey: ["id"])
}
