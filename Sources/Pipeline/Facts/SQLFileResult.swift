import Files

/// What became of a file of an operator's own SQL.
package struct SQLFileResult: Equatable, Sendable {
  package let file: String
  /// The path's last part, by which a catalog names it, wherever it is.
  package var name: String { split(file).name }
  /// How many statements it has; nil if it was not run.
  package var statements: Int? = nil
  /// What it made that is still there, and what SQLite has added to that left out.
  package var objects: [SchemaObject] = []
  package var seconds = 0.0

  package init(file: String) { self.file = file }
}

/// Something that stands in the schema of a database.
package struct SchemaObject: Equatable, Sendable {
  /// `table`, `index`, `view` or `trigger`.
  package let type: String
  package let name: String

  package init(type: String, name: String) {
    self.type = type
    self.name = name
  }
}
