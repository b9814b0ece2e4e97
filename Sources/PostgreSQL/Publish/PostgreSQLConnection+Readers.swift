#if PostgreSQL
  import SQLiteSwiftly

  extension PostgreSQLConnection {
    /// The transactions of others that cannot see all that is committed by now, of roles that may read a schema, or the
    /// other if there is no such schema.
    ///
    /// They look up a table by its name as it is now, and its rows as they were when they began: they would find a
    /// new table empty (<https://www.postgresql.org/docs/current/mvcc-caveats.html>). Which of them are only in the
    /// middle of a statement, after which they see everything, cannot be told from outside.
    ///
    /// - Returns: For each, what tells its picture of the database from others, and who it is.
    fileprivate func oldReaders(
      of schema: String, or other: String
    ) throws(PostgreSQLError) -> [(picture: String, words: String)] {
      try query(
        """
        SELECT concat_ws(' ', l.virtualtransaction, a.backend_xmin),
          format('process %s of %s', a.pid, a.usename) || coalesce(' (' || nullif(a.application_name, '') || ')', '')
        FROM pg_stat_activity AS a
        JOIN pg_locks AS l ON l.pid = a.pid AND l.locktype = 'virtualxid' AND l.virtualxid = l.virtualtransaction
        WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND age(a.backend_xmin) > 0
        AND has_schema_privilege(a.usesysid, coalesce(
          (SELECT oid FROM pg_namespace WHERE nspname = $1), (SELECT oid FROM pg_namespace WHERE nspname = $2)), 'USAGE')
        AND coalesce(a.backend_type, 'client backend') = 'client backend'
        AND a.pid NOT IN (SELECT pid FROM pg_stat_progress_vacuum)
        AND a.pid NOT IN (SELECT pid FROM pg_stat_progress_create_index)
        ORDER BY a.pid
        """, [schema, other]
      ).map { ($0[0] ?? "", $0[1] ?? "") }
    }
  }

  extension CandidateSchema {
    /// The transactions that would find the new tables empty if they were published now.
    ///
    /// To be asked when all rows are committed: transactions that begin later see them.
    package borrowing func oldReaders() throws(PostgreSQLError) -> Set<String> {
      Set(try connection.oldReaders(of: target, or: name).map(\.picture))
    }

    /// Waits until none is left of the transactions that would find the new tables empty.
    ///
    /// - Throws: `PostgreSQLError` with `locked` if there still is one after so many seconds.
    package borrowing func wait(
      for first: Set<String>, seconds: Double
    ) throws(PostgreSQLError) {
      let deadline = ContinuousClock.now + .seconds(seconds)
      while true {
        let readers = try connection.oldReaders(of: target, or: name).filter {
          first.contains($0.picture)
        }
        guard !readers.isEmpty else { return }
        guard ContinuousClock.now < deadline else {
          throw PostgreSQLError(
            .locked,
            "A transaction that is older than the new rows would find the tables of "
              + "\(quoted(identifier: target)) empty",
            detail: readers.map(\.words).joined(separator: "\n"),
            hint: "Run again when it has ended, or wait longer for it with --wait.")
        }
        // The server waits, so that this can be interrupted.
        _ = try connection.query("SELECT pg_sleep(0.05)")
      }
    }
  }
#endif
