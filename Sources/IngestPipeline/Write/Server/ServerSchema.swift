/// A schema in a database of a PostgreSQL server.
package struct ServerSchema: Equatable, Sendable {
  /// The connection string, which may have a password in it.
  package let connection: String
  /// The name under which the schema is published.
  package var name: String
  /// Whether the schema that was published before is kept.
  package var keepsPrevious = false
  /// Over how many connections it is loaded.
  package var connections = 1
  /// The tables whose rows are on several servers, the shards.
  package var sharded: [ShardedTable] = []
  /// The file that names the shards; nil if there are none.
  package var shardFile: String?

  /// A table whose rows are told apart by the hash of a column.
  package struct ShardedTable: Equatable, Sendable {
    package let table: String
    package let column: String

    package init(_ table: String, by column: String) {
      self.table = table
      self.column = column
    }
  }

  /// A server that has some rows of such tables, and all others as well.
  struct Shard: Equatable {
    /// The name that it has in the database that shows all rows.
    let name: String
    /// Its connection string, which may have a password in it.
    let connection: String
  }

  package init(connection: String, name: String) {
    self.connection = connection
    self.name = name
  }
}
