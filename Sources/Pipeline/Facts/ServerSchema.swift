/// A schema in a database of a PostgreSQL server.
package struct ServerSchema: Equatable, Sendable {
  /// The connection string, which may contain a password.
  package let connection: String
  package var name: String
  package var connections = 1

  package init(connection: String, name: String) {
    self.connection = connection
    self.name = name
  }
}
