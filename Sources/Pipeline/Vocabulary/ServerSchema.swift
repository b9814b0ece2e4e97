package import Schema

/// A schema in a database of a PostgreSQL server.
package struct ServerSchema: Equatable, Sendable {
  /// The connection string, which may contain a password.
  package let connection: String
  package var name: String
  package var connections = 1
  package var publishing = Publishing.automatic
  /// Whether publishing may drop or change what others have added to the schema.
  package var allowsLoss = false
  /// The large table that Citus must distribute; nil for that of the description, if any.
  package var distributed: DistributedTable?

  package enum Publishing: String, CaseIterable, Sendable {
    /// A merge if the published tables can take the rows, otherwise a swap.
    case automatic = "auto"
    case merge, swap
  }

  package init(connection: String, name: String) {
    self.connection = connection
    self.name = name
  }
}
