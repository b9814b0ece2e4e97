import Platform

/// The result of a file of custom SQL.
package struct SQLFileResult: Equatable, Sendable {
  package let file: String
  /// The last part of the path, as stored in the database.
  package var name: String { split(file).name }
  /// The number of statements; nil if it was not run.
  package var statements: Int? = nil
  /// The objects that it created and did not drop, without those that SQLite added.
  package var objects: [SchemaObject] = []
  package var seconds = 0.0

  package init(file: String) { self.file = file }
}

package struct SchemaObject: Equatable, Sendable {
  /// `table`, `index`, `view` or `trigger`.
  package let type: String
  package let name: String

  package init(type: String, name: String) {
    self.type = type
    self.name = name
  }
}
