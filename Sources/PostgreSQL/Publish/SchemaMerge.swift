#if PostgreSQL
  import SQLiteSwiftly

  /// Changes the tables of a published schema so that they have the rows of a new one, in the current transaction.
  ///
  /// Only rows that differ are written. So everything that depends on the tables lives on, and the write-ahead log has
  /// no more than the differences. Readers do not wait, and see the old rows until the transaction ends.
  struct SchemaMerge {
    private let connection: PostgreSQLConnection
    private let target: String
    private let new: String
    private var tables: [MergedTable]
    /// Custom SQL may have made materialized views.
    private let refreshes: [String]
    /// The longest time to try to lock tables.
    private let seconds: Double

    /// Locks the published tables, within `seconds`: others can read, but not write, until the transaction ends.
    ///
    /// Both schemas must have the same tables, apart from those that others have added to the published one.
    init(
      from new: String, into target: String, on connection: PostgreSQLConnection, seconds: Double
    ) throws(PostgreSQLError) {
      (self.connection, self.target, self.new, self.seconds) = (connection, target, new, seconds)
      tables = try MergedTable.all(of: new, into: target, on: connection)
      refreshes = try connection.texts(
        """
        SELECT format('REFRESH MATERIALIZED VIEW %I.%I', $2::text, relname) FROM pg_class
        WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND relkind = 'm' ORDER BY oid
        """, [new, target])
      try connection.lock(tables.map(\.published), in: "SHARE ROW EXCLUSIVE", seconds: seconds)
    }

    /// Stores the rows that differ in some tables, whose new rows must not change afterwards.
    ///
    /// - Returns: For each name, the `FROM` of a query for these rows, in which `n` is the new table and `o` the published
    ///   one; nil without a primary key.
    mutating func findDifferences(in names: [String]) throws(PostgreSQLError) -> [String?] {
      let places = names.map { name in tables.firstIndex { haveSameBytes($0.name, name) } }
      try findDifferences(at: places.compactMap(\.self))
      return places.map { $0.flatMap { tables[$0].source } }
    }

    private mutating func findDifferences(at places: [Int]) throws(PostgreSQLError) {
      // Both tables have an index of the key. Following these takes half the time of a hash join, which the planner
      // prefers, since it does not expect the rows in the order of the key.
      try connection.execute("SET LOCAL enable_hashjoin = off")
      for index in places { try tables[index].findDifferences(on: connection) }
      try connection.execute("SET LOCAL enable_hashjoin TO DEFAULT")
    }

    /// Parts of the schema that the published tables lack are added.
    ///
    /// - Returns: The other tables whose rows foreign keys have deleted or changed, with the numbers of rows.
    /// - Throws: `PostgreSQLError`, with `misuse` if rows differ afterwards, for example because a trigger has changed
    ///   them, and with `inUse` for rows of other tables, unless `losesRows`.
    mutating func run(
      adding parts: [SchemaPart], losesRows: Bool
    ) throws(PostgreSQLError) -> [String] {
      try findDifferences(at: tables.indices.filter { !tables[$0].isCompared })
      // Readers wait from now on, too.
      try connection.lock(
        Set(parts.filter(\.locksReaders).map(\.table)).sorted().map { qualified($0, in: target) },
        in: "ACCESS EXCLUSIVE", seconds: seconds)
      try connection.execute(parts.filter(\.isColumn).compactMap(\.addition))
      // Foreign keys are checked at the end, since tables may refer to each other. The locked tables have just been read
      // without row security, so it can only apply to tables that triggers of others use.
      try connection.execute("SET CONSTRAINTS ALL DEFERRED; SET LOCAL row_security = on")
      let others = try connection.cascades(to: target, besides: new)
      guard others.isEmpty || tables.allSatisfy({ $0.placement == nil }) else {
        throw PostgreSQLError(
          .misuse,
          "Rows of other tables that foreign keys delete or change cannot be counted on the nodes of Citus",
          detail: others.keys.sorted().joined(separator: ", "),
          hint: "Change or drop these foreign keys.")
      }
      let before = try TableActivity.all(of: target, beside: new, on: connection)
      // Deletions come first, so that rows which exchange the values of a unique key do not collide.
      for index in tables.indices.reversed() { try tables[index].delete(on: connection) }
      for index in tables.indices { try tables[index].write(on: connection) }
      // Deferred triggers also run before the rows are compared.
      try connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
      try connection.execute(parts.filter { !$0.isColumn }.compactMap(\.addition))
      for index in tables.indices { tables[index].hasAllColumns() }
      let after = try TableActivity.all(of: target, beside: new, on: connection)
      for table in tables {
        let name = Array(table.name.utf8)
        let expected = before[name]?.adding(table.written)
        // The server does not count the rows of other nodes.
        guard table.placement != nil || expected?.canChangeRows != false || after[name] != expected
        else { continue }
        let count = try connection.numbers("SELECT count(*) FROM (\(table.differences)) AS d")[0]
        guard count == 0 else {
          throw PostgreSQLError(
            .misuse,
            "\(counted(count, "row")) of \(table.published) differ from the loaded rows after the changes",
            hint:
              "Check whether a trigger or a rule of the table changes rows, or use --publish swap.")
        }
      }
      let lost = try connection.cascades(to: target, besides: new).compactMap { table, rows in
        rows > others[table, default: 0]
          ? "\(counted(rows - others[table, default: 0], "row")) of \(table)" : nil
      }.sorted()
      guard lost.isEmpty || losesRows else {
        throw PostgreSQLError(
          .inUse,
          "The changed and removed rows of \(quoted(identifier: target)) would delete or change rows of other tables, "
            + "by ON DELETE or ON UPDATE of their foreign keys",
          detail: lost.joined(separator: ", "),
          hint: "Change or drop these foreign keys, remove the references, or use --allow-loss.")
      }
      try connection.execute(refreshes)
      try analyze()
      return lost
    }

    /// Gathers the statistics of the tables in which enough has changed for an autovacuum to do so, which may be off.
    private func analyze() throws(PostgreSQLError) {
      try connection.execute(
        try connection.texts(
          """
          SELECT format('ANALYZE %s', oid::regclass) FROM pg_class
          WHERE oid = ANY (\(array(of: tables.map(\.published)))::regclass[])
          AND pg_stat_get_mod_since_analyze(oid) + pg_stat_get_xact_tuples_inserted(oid)
            + pg_stat_get_xact_tuples_updated(oid) + pg_stat_get_xact_tuples_deleted(oid)
            > current_setting('autovacuum_analyze_threshold')::float8
            + current_setting('autovacuum_analyze_scale_factor')::float8 * greatest(reltuples, 0)
          """))
    }
  }
#endif
