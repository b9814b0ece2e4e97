/// A schema in a database of a PostgreSQL server.
package struct ServerSchema: Equatable, Sendable {
  /// The connection string, which may have a password in it.
  package let connection: String
  /// The name under which the schema is published.
  package var name: String
  package var connections = 1

  package init(connection: String, name: String) {
    self.connection = connection
    self.name = name
  }
}
