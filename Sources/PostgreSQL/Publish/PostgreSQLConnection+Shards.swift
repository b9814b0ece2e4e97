#if PostgreSQL
  import SQLiteSwiftly

  extension PostgreSQLConnection {
    /// Throws if no server of another name is known here, whose tables can be shown.
    package func checkServer(_ name: String) throws(PostgreSQLError) {
      let found = try query(
        """
        SELECT FROM pg_foreign_server AS s JOIN pg_foreign_data_wrapper AS w ON w.oid = s.srvfdw
        WHERE srvname = $1 AND fdwname = 'postgres_fdw'
        """, [name])
      guard found.isEmpty else { return }
      let server = quoted(identifier: name)
      throw PostgreSQLError(
        .misuse, "The database knows no server \(server) of postgres_fdw",
        hint:
          "CREATE EXTENSION postgres_fdw; CREATE SERVER \(server) FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host …, "
          + "dbname …); CREATE USER MAPPING FOR PUBLIC SERVER \(server) OPTIONS (user …, password …)"
      )
    }

    /// Counts the rows of a table.
    package func count(_ table: TableDefinition) throws(PostgreSQLError) -> Int {
      try number("SELECT count(*) FROM \(table.qualifiedName)")
    }

    /// Counts the rows of a table that do not belong into a partition, as the server sees it.
    ///
    /// - Parameters:
    ///   - table: the table.
    ///   - number: the number of the partition.
    ///   - count: how many there are.
    ///   - column: by the hash of which column they are told apart.
    /// - Returns: How many there are.
    /// - Throws: `PostgreSQLError`.
    package func strangers(
      in table: TableDefinition, besidesPartition number: Int, of count: Int, by column: String
    ) throws(PostgreSQLError) -> Int {
      guard let described = table.table.columns.first(where: { haveSameBytes($0.name, column) })
      else { return 0 }
      // The server wants a partitioned table to tell it of.
      try execute(
        "CREATE TEMP TABLE ingest_parts (value \(described.type.postgreSQL)) PARTITION BY HASH (value)"
      )
      let strangers = try self.number(
        """
        SELECT count(*) FROM \(table.qualifiedName) WHERE NOT satisfies_hash_partition(
          'pg_temp.ingest_parts'::regclass, \(count), \(number), \(quoted(identifier: column)))
        """)
      try execute("DROP TABLE pg_temp.ingest_parts")
      return strangers
    }

    private func number(_ sql: String) throws(PostgreSQLError) -> Int {
      try query(sql).first?.first.flatMap(\.self).flatMap { Int($0) } ?? 0
    }
  }
#endif
