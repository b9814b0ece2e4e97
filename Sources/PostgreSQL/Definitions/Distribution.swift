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
    let tables: [DistributedTable]

    /// Finds the tables to distribute with a large one, or with those that are distributed already; nil without any.
    ///
    /// - Throws: `PostgreSQLError` with `misuse` if the tables or columns do not exist, or the columns can be NULL.
    package init?(
      of schema: SchemaDescription, with given: [DistributedTable]
    ) throws(PostgreSQLError) {
      guard let large = given.first else { return nil }
      let unions = schema.keyUnions.map(\.name)
      let all = (schema.tables + schema.allDerivedTables).filter { !unions.contains($0.name) }
      var found: [DistributedTable] = []
      func add(_ column: String, of name: String) {
        guard !found.contains(where: { $0.table == name }),
          let table = all.first(where: { $0.name == name }),
          table.columns.contains(where: { $0.name == column && table.requires($0) })
        else { return }
        found.append(DistributedTable(table: name, column: column))
      }
      for table in given { add(table.column, of: table.table) }
      var place = 0
      while place < found.count {
        let (name, column) = (found[place].table, found[place].column)
        for other in all {
          for key in other.foreignKeys {
            for (own, referenced) in zip(key.columns, key.keyColumns) {
              if other.name == name, own == column { add(referenced, of: key.table) }
              if key.table == name, referenced == column { add(own, of: other.name) }
            }
          }
        }
        place += 1
      }
      guard !found.isEmpty else {
        throw PostgreSQLError(
          .misuse,
          "The table \(quoted(identifier: large.table)) cannot be distributed by \(quoted(identifier: large.column))",
          hint: "Use a column of the table that is never empty, or --distribute none.")
      }
      tables = all.compactMap { table in found.first { $0.table == table.name } }
    }

    package var words: String {
      tables.map { "\($0.table) by \($0.column)" }.joined(separator: ", ")
        + "; all others are reference tables"
    }

    func column(of table: String) -> String? { tables.first { $0.table == table }?.column }

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

  /// The nodes of a cluster that have a table's rows.
  enum Placement: Equatable {
    case everywhere
    /// Each row is on one node, by the value of a column.
    case by(String)

    /// The statement for a table that only the coordinator has; its rows are moved.
    func statement(for table: String, like other: String?) -> String {
      let name = quoted(text: table)
      guard case .by(let column) = self else { return "SELECT create_reference_table(\(name))" }
      let place = other.map { ", colocate_with => \(quoted(text: $0))" } ?? ""
      return "SELECT create_distributed_table(\(name), \(quoted(text: column))\(place))"
    }
  }

  extension TableDefinition {
    /// Distributes the table or makes it a reference table, while it has no rows; empty without Citus.
    ///
    /// Its rows are on the nodes of those of the same table in the schema `other`.
    package func placement(like other: String?) -> [String] {
      guard let distribution else { return [] }
      let placement = distribution.column(of: table.name).map(Placement.by) ?? .everywhere
      return [
        placement.statement(for: qualifiedName, like: other.map { qualified(table.name, in: $0) })
      ]
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

  extension DistributedTable {
    /// As part of the shape of a schema.
    var words: String { "distribution of \(table) by \(column)" }
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
      try !distributedTables(in: schema).isEmpty
    }

    package func distributedTables(
      in schema: String
    ) throws(PostgreSQLError) -> [DistributedTable] {
      try placements(in: schema).compactMap { name, placement in
        if case .by(let column) = placement {
          DistributedTable(table: name, column: column)
        } else {
          nil
        }
      }
    }

    /// The tables of Citus, in the order of their creation.
    func placements(
      in schema: String
    ) throws(PostgreSQLError) -> [(table: String, placement: Placement)] {
      guard try hasCitus() else { return [] }
      return try query(
        """
        SELECT relname, column_to_column_name(logicalrelid, partkey)
        FROM pg_dist_partition JOIN pg_class AS c ON c.oid = logicalrelid
        WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)
        AND (partmethod = 'h' OR repmodel = 't') ORDER BY c.oid
        """, [schema]
      ).map { ($0[0] ?? "", $0[1].map(Placement.by) ?? .everywhere) }
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
