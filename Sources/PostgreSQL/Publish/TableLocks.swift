#if PostgreSQL
  import SQLiteSwiftly

  extension PostgreSQLConnection {
    /// Locks tables until the transaction ends, all at once or none.
    ///
    /// A lock that waits holds up others that use the table, and with other locks could make a deadlock. So this one is
    /// tried again until it waits for nothing.
    ///
    /// - Parameters:
    ///   - tables: the names with their schemas.
    ///   - mode: one that conflicts with itself, such as `SHARE ROW EXCLUSIVE`.
    ///   - seconds: the longest time to try.
    /// - Throws: `PostgreSQLError`, with `locked` and the processes in the way after `seconds`.
    func lock(
      _ tables: [String], in mode: String, seconds: Double
    ) throws(PostgreSQLError) {
      guard !tables.isEmpty else { return }
      let list = tables.map { "ONLY \($0)" }.joined(separator: ", ")
      let blockers = try wait(seconds: seconds) { () throws(PostgreSQLError) -> [String] in
        guard try !canLock("LOCK TABLE \(list) IN \(mode) MODE NOWAIT") else { return [] }
        let blockers = try lockers(of: tables, besidesReaders: mode != "ACCESS EXCLUSIVE")
        // An autovacuum ends if its table is waited for longer than deadlock_timeout.
        if let table = blockers.first?.table, blockers.allSatisfy(\.isAutovacuum) {
          _ = try canLock("LOCK TABLE ONLY \(table) IN \(mode) MODE", isPatient: true)
        }
        return blockers.isEmpty ? ["a transaction that has ended"] : blockers.map(\.words)
      }
      guard !blockers.isEmpty else { return }
      throw PostgreSQLError(
        .locked, "Other transactions lock tables that the run must change",
        detail: blockers.joined(separator: "\n"),
        hint: "Run again when they have ended, or wait longer with --wait SECONDS.")
    }

    /// Keeps the lock, unless `isPatient`; then it waits until the server has looked for deadlocks.
    ///
    /// The savepoint ends here, since rows that are written later must have the number of the transaction.
    private func canLock(
      _ statement: String, isPatient: Bool = false
    ) throws(PostgreSQLError) -> Bool {
      let limit = """
        SELECT set_config('lock_timeout', (setting::int + 1000)::text, true) FROM pg_settings WHERE name = 'deadlock_timeout';
        """
      do throws(PostgreSQLError) {
        try execute("SAVEPOINT \"ingest lock\"")
        try execute((isPatient ? limit : "") + statement)
        if !isPatient {
          try execute("RELEASE \"ingest lock\"")
          return true
        }
      } catch {
        guard error.message.sqlState == "55P03" else { throw error }
      }
      try execute("ROLLBACK TO \"ingest lock\"; RELEASE \"ingest lock\"")
      return false
    }

    private typealias Locker = (table: String, words: String, isAutovacuum: Bool)

    /// The processes that have or await locks of tables, besides those that only read, and what they do.
    private func lockers(
      of tables: [String], besidesReaders: Bool
    ) throws(PostgreSQLError) -> [Locker] {
      try query(
        """
        SELECT DISTINCT ON (l.pid) l.relation::regclass, \(Self.processWords) || ', locks ' || l.relation::regclass || coalesce(': ' || CASE
            WHEN l.pid IN (SELECT pid FROM pg_stat_progress_vacuum) THEN 'VACUUM'
            WHEN l.pid IN (SELECT pid FROM pg_stat_progress_create_index) THEN 'CREATE INDEX'
            WHEN a.state <> 'active' THEN a.state
            -- The rest may have values. Without a privilege, the server hides it.
            ELSE upper(substring(a.query FROM '^\\s*([A-Za-z]+)')) END, ''),
          l.pid IS NOT NULL AND a.usesysid IS NULL
        FROM pg_locks AS l LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid
        WHERE l.relation = ANY (\(array(of: tables))::regclass[]) AND l.pid IS DISTINCT FROM pg_backend_pid()
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND NOT (\(besidesReaders) AND l.mode IN ('AccessShareLock', 'RowShareLock')) ORDER BY l.pid
        """
      ).map { ($0[0] ?? "", $0[1] ?? "", $0[2] == "t") }
    }

    /// An expression for the process of a lock `l` with the activity `a`, as it is named in messages.
    static let processWords = """
      CASE WHEN l.pid IS NULL THEN 'a prepared transaction' ELSE 'process ' || l.pid || coalesce(' of ' || a.usename, ', an autovacuum') END
        || coalesce(' (' || nullif(a.application_name, '') || ')', '')
        || coalesce(', in a transaction since ' || date_trunc('second', a.xact_start), '')
      """
  }
#endif
