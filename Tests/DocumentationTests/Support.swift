import Foundation
import SQLiteSwiftly
import Testing

/// Gives `body` the path of a folder that is gone after it.
func withFolder(_ body: (String) throws -> Void) throws {
  let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: url) }
  try body(url.path)
}

/// Runs a call that must fail, and returns its error.
func failure(
  _ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
) throws -> SQLiteError {
  try #require(throws: SQLiteError.self, sourceLocation: sourceLocation, performing: body)
}

extension Connection {
  /// The rows of `table` in the order of their first column.
  func rows(of table: String) throws -> [[SQLiteValue]] {
    try query("SELECT * FROM \(identifier: table) ORDER BY 1")
  }

  /// The texts of the first column.
  func texts(_ query: SQL) throws -> [String?] { try self.query(query).map { $0[0].textValue } }

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
