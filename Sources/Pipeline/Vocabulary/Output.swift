package import Schema

/// Where a run writes.
package enum Output: Equatable, Sendable {
  /// Nowhere: a dry run that compares with no database.
  case nothing
  case file(path: String)
  /// A schema of a server, with its address in messages, which has no password.
  case schema(ServerSchema, address: String)

  /// The path or address; empty if there is none.
  package var name: String {
    switch self {
    case .nothing: ""
    case .file(let path): path
    case .schema(_, let address): address
    }
  }

  package var schema: ServerSchema? {
    if case .schema(let schema, _) = self { schema } else { nil }
  }

  /// Names the schema, once the family of source files is known; does nothing for a file.
  package mutating func nameSchema(_ name: String) {
    guard case .schema(var schema, let address) = self else { return }
    schema.name = name
    self = .schema(schema, address: address)
  }

  /// The folder for rejected records if no option names one; nil if an option must.
  package var rejectsFolder: String? {
    if case .file(let path) = self { path + ".rejects" } else { nil }
  }

  /// The folder for repairs in a suggested command.
  package var repairsFolder: String {
    if case .file(let path) = self { path + ".repairs" } else { "repairs" }
  }

  /// The custom SQL that a dry run does not check.
  package var uncheckedSQL: String {
    switch self {
    case .nothing, .file: "whether the custom SQL runs, and its results"
    case .schema: "the custom SQL with rows"
    }
  }

  /// The free space that a dry run does not check.
  package var uncheckedSpace: String {
    switch self {
    case .nothing: "the database"
    case .file: "more than a quarter of the previous database's size"
    case .schema: "the new rows"
    }
  }
}

/// A schema in a database of a PostgreSQL server.
package struct ServerSchema: Equatable, Sendable {
  /// The connection string, which may contain a password.
  package var connection: String
  package var name: String
  package var connections = 1
  package var publishing = Publishing.automatic
  /// The existing, empty schema that a merge loads into; nil for a new one.
  package var staging: String?
  /// Whether publishing may drop or change what others have added to the schema.
  package var allowsLoss = false
  /// The large table that Citus must distribute, or none; nil for that of the description or, without one, those of the
  /// published schema.
  package var distributed: [DistributedTable]?

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
