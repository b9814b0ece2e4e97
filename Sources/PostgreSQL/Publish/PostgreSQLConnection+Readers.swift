#if PostgreSQL
  import SQLiteSwiftly

  extension PostgreSQLConnection {
    /// The transactions of the database that cannot see all current commits.
    ///
    /// They find a table by its current name, but see its rows as of their start: a new table would be empty to them
    /// (<https://www.postgresql.org/docs/current/mvcc-caveats.html>). Some may see everything after their current
    /// statement, but these cannot be distinguished, nor can those that never read the schema: a role without privileges
    /// can become another one, or call a function that has them.
    ///
    /// - Returns: For each transaction, an identifier of its snapshot, and the process and the role.
    fileprivate func oldReaders() throws(PostgreSQLError) -> [(snapshot: String, words: String)] {
      try query(
        """
        SELECT concat_ws(' ', l.virtualtransaction, a.backend_xmin),
          format('process %s of %s', a.pid, a.usename) || coalesce(' (' || nullif(a.application_name, '') || ')', '')
        FROM pg_stat_activity AS a
        JOIN pg_locks AS l ON l.pid = a.pid AND l.locktype = 'virtualxid' AND l.virtualxid = l.virtualtransaction
        WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND age(a.backend_xmin) > 0
        -- Processes of the server itself, such as those of autovacuum, have no role.
        AND a.usesysid IS NOT NULL AND a.backend_type IS DISTINCT FROM 'parallel worker'
        AND a.pid NOT IN (SELECT pid FROM pg_stat_progress_vacuum)
        AND a.pid NOT IN (SELECT pid FROM pg_stat_progress_create_index)
        ORDER BY a.pid
        """
      ).map { ($0[0] ?? "", $0[1] ?? "") }
    }
  }

  extension CandidateSchema {
    /// Call this after all rows are committed: transactions that begin later see them.
    package borrowing func oldReaders() throws(PostgreSQLError) -> Set<String> {
      Set(try connection.oldReaders().map(\.snapshot))
    }

    /// Waits until these transactions have ended; throws `locked` if one remains after `seconds`.
    package borrowing func wait(
      for first: Set<String>, seconds: Double
    ) throws(PostgreSQLError) {
      let (target, connection) = (target, connection)
      let readers = try connection.wait(seconds: seconds) { () throws(PostgreSQLError) in
        try connection.oldReaders().filter { first.contains($0.snapshot) }
      }
      guard !readers.isEmpty else { return }
      throw PostgreSQLError(
        .locked,
        "A transaction that is older than the new rows would see the tables of \(quoted(identifier: target)) "
          + "as empty",
        detail: readers.map(\.words).joined(separator: "\n"),
        hint: "Run again when it has ended, or wait longer with --wait SECONDS.")
    }
  }
#endif
