#if PostgreSQL
  package import SQLiteSwiftly

  /// Which tables have their rows on several servers, and which references can be checked then.
  ///
  /// One server, the coordinator, has all other tables and shows the rows of these. The others, the shards, have all other
  /// tables as well, and some of the rows of these.
  package struct Sharding: Sendable {
    /// A table whose rows are told apart by the hash of a column.
    package struct Table: Equatable, Sendable {
      package let table: String
      package let column: String

      package init(_ table: String, by column: String) {
        self.table = table
        self.column = column
      }
    }

    private let tables: [Table]
    private let servers: [String]
    /// The names of the tables that have keys of such tables.
    private let unions: [String]

    /// Looks at a description.
    ///
    /// - Parameters:
    ///   - tables: the tables that are sharded; none if there are no shards.
    ///   - servers: the names that the shards have in the coordinator's database.
    ///   - schema: the description.
    /// - Throws: `PostgreSQLError` with `misuse` if a table or column is not there, or the column is neither of integers
    ///   nor of texts.
    package init(
      _ tables: [Table], on servers: [String], of schema: SchemaDescription
    ) throws(PostgreSQLError) {
      for sharded in tables {
        guard let table = schema.tables.first(where: { haveSameBytes($0.name, sharded.table) })
        else {
          throw PostgreSQLError(
            .misuse, "There is no table \(sharded.table) to be sharded",
            hint: "The tables are \(schema.tables.map(\.name).joined(separator: ", ")).")
        }
        let column = table.columns.first { haveSameBytes($0.name, sharded.column) }
        guard let column, column.type == .integer || column.type == .text else {
          let columns = table.columns.filter { $0.type == .integer || $0.type == .text }
          throw PostgreSQLError(
            .misuse,
            "The table \(table.name) has no column \(sharded.column) of integers or texts by which it can be sharded",
            hint: "It has \(columns.map(\.name).joined(separator: ", ")).")
        }
      }
      for (number, sharded) in servers.indices.flatMap({ number in tables.map { (number, $0) } }) {
        try check(identifier: "\(sharded.table)_\(number + 1)")
      }
      self.tables = tables
      self.servers = servers
      unions = schema.keyUnions.filter { union in
        union.members.contains { member in
          tables.contains { haveSameBytes($0.table, member.table) }
        }
      }.map(\.name)
    }

    /// By which column a table is sharded; nil if it is not.
    package func column(of table: String) -> String? {
      tables.first { haveSameBytes($0.table, table) }?.column
    }

    /// Defines tables in a schema of the coordinator or of a shard.
    ///
    /// - Throws: `PostgreSQLError`, as for every definition.
    package func definitions(
      of tables: [TableDescription], in schema: String, isShard: Bool
    ) throws(PostgreSQLError) -> [TableDefinition] {
      var definitions: [TableDefinition] = []
      for table in tables {
        var definition = try TableDefinition(table, in: schema)
        let column = column(of: table.name)
        if !isShard, let column {
          definition.partitions = TableDefinition.Partitions(column: column, servers: servers)
        }
        definition.foreignKeys.removeAll { key in
          isShard
            ? !isLocal(key, of: column) : column != nil || self.column(of: key.table) != nil
        }
        definitions.append(definition)
      }
      return definitions
    }

    /// Whether a shard has the rows that those refer to which it has of a table, which is sharded by a column or not.
    private func isLocal(_ key: ForeignKeyDescription, of column: String?) -> Bool {
      guard let parent = self.column(of: key.table) else {
        return !unions.contains { haveSameBytes($0, key.table) }
      }
      // Rows that refer to one another are on one server only if both are told apart by the same value.
      guard let column else { return false }
      return zip(key.columns, key.keyColumns).contains {
        haveSameBytes($0, column) && haveSameBytes($1, parent)
      }
    }
  }
#endif
