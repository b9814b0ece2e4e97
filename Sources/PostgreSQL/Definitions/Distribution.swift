#if PostgreSQL
  package import Schema
  import SQLiteSwiftly

  /// The tables that Citus distributes over the nodes of a cluster
  /// (<https://docs.citusdata.com/en/stable/sharding/data_modeling.html>).
  ///
  /// Tables that share the values of a column by foreign keys are distributed by it, so that their rows are on the same
  /// node. All others are reference tables, of which each node has a copy. So joins stay on one node, and Citus holds
  /// the foreign keys, except from a reference table to a distributed one.
  package struct Distribution: Sendable {
    /// The distributed tables with their columns, in the order of the schema.
    let tables: [(name: String, column: String)]

    /// Finds the tables to distribute with a large one.
    ///
    /// - Throws: `PostgreSQLError` with `misuse` if the table or the column does not exist, or the column can be NULL.
    package init(
      of schema: SchemaDescription, with large: DistributedTable
    ) throws(PostgreSQLError) {
      let unions = schema.keyUnions.map(\.name)
      let all = (schema.tables + schema.allDerivedTables).filter { !unions.contains($0.name) }
      var columns: [String: String] = [:]
      func add(_ column: String, of name: String) {
        guard columns[name] == nil, let table = all.first(where: { $0.name == name }),
          table.columns.contains(where: { $0.name == column && table.requires($0) })
        else { return }
        columns[name] = column
        for key in table.foreignKeys {
          for (own, other) in zip(key.columns, key.keyColumns) where own == column {
            add(other, of: key.table)
          }
        }
        for other in all {
          for key in other.foreignKeys where key.table == name {
            for (own, referenced) in zip(key.columns, key.keyColumns) where referenced == column {
              add(own, of: other.name)
            }
          }
        }
      }
      add(large.column, of: large.table)
      guard !columns.isEmpty else {
        throw PostgreSQLError(
          .misuse,
          "The table \(quoted(identifier: large.table)) cannot be distributed by \(quoted(identifier: large.column))",
          hint: "Use a column of the table that is never empty.")
      }
      tables = all.compactMap { table in columns[table.name].map { (table.name, $0) } }
    }

    package var words: String {
      tables.map { "\($0.name) by \($0.column)" }.joined(separator: ", ")
        + "; all others are reference tables"
    }

    func column(of table: String) -> String? { tables.first { $0.name == table }?.column }

    /// Whether Citus holds a unique key, which it checks on each node alone.
    func holds(uniqueKey columns: [String], of table: String) -> Bool {
      column(of: table).map(columns.contains) ?? true
    }

    func holds(_ key: ForeignKeyDescription, of table: String) -> Bool {
      guard let parent = column(of: key.table) else { return true }
      let own = column(of: table)
      return zip(key.columns, key.keyColumns).contains { $0 == own && $1 == parent }
    }
  }

  extension TableDefinition {
    /// Distributes the table or makes it a reference table, while it has no rows; empty without Citus.
    package var placement: [String] {
      guard let distribution else { return [] }
      let name = quoted(text: qualifiedName)
      guard let column = distribution.column(of: table.name) else {
        return ["SELECT create_reference_table(\(name))"]
      }
      return ["SELECT create_distributed_table(\(name), \(quoted(text: column)))"]
    }

    /// The constraints that Citus cannot enforce, each with a query that returns a row if rows violate it.
    package var unheldConstraints: [(name: String, violation: String)] {
      let keys = unheldKeys.map { key in
        (
          "unique key (\(key.joined(separator: ", ")))",
          """
          SELECT 1 FROM \(qualifiedName) WHERE \(areNotNull(key))
          GROUP BY \(table.list(key)) HAVING count(*) > 1 LIMIT 1
          """
        )
      }
      let references = unheldForeignKeys.map { key in
        (
          "foreign key (\(key.columns.joined(separator: ", "))) to \(key.table)",
          """
          (SELECT \(table.list(key.columns)) FROM \(qualifiedName)
          WHERE \(areNotNull(key.columns))
          EXCEPT SELECT \(table.list(key.keyColumns)) FROM \(qualified(key.table, in: schema))) LIMIT 1
          """
        )
      }
      return keys + references
    }
  }

  extension PostgreSQLConnection {
    package func hasCitus() throws(PostgreSQLError) -> Bool {
      try query("SELECT FROM pg_extension WHERE extname = 'citus'").count > 0
    }

    package func useCitus() throws(PostgreSQLError) {
      usesCitus = true
      // The other nodes must not keep what this one loses in a crash: the next run would find their part of a schema.
      // Large tables become intermediate results, which by default have at most 1 GB.
      try execute([
        "SET synchronous_commit TO DEFAULT", "SET citus.max_intermediate_result_size = -1",
      ])
    }

    /// Ends the prepared transactions of a run that died, which lock its schema.
    ///
    /// Without the privilege, Citus does this within a minute.
    package func recoverPreparedTransactions() throws(PostgreSQLError) {
      let recovery = "recover_prepared_transactions()"
      guard try query("SELECT has_function_privilege('\(recovery)', 'EXECUTE')") == [["t"]] else {
        return
      }
      try execute("SELECT \(recovery)")
    }

    package func isDistributed(schema: String) throws(PostgreSQLError) -> Bool {
      guard try hasCitus() else { return false }
      return try query(
        """
        SELECT FROM pg_dist_partition JOIN pg_class AS c ON c.oid = logicalrelid
        WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) LIMIT 1
        """, [schema]
      ).count > 0
    }

    /// - Throws: `PostgreSQLError`, also if rows violate a constraint that Citus cannot enforce.
    package func checkUnheldConstraints(of definition: TableDefinition) throws(PostgreSQLError) {
      for (name, violation) in definition.unheldConstraints {
        guard try query(violation).isEmpty else {
          throw PostgreSQLError(.server, "Rows of \(definition.qualifiedName) violate the \(name)")
        }
      }
    }
  }
#endif
