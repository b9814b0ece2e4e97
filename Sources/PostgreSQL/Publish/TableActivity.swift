#if PostgreSQL
  import SQLiteSwiftly

  /// What the server has counted for a table in this transaction, and whether more than statements can change rows.
  ///
  /// If only the statements of a merge have written to a table, and nothing changes the rows that they write, it has
  /// the right rows, and need not be read again. The counts include what triggers, rules, foreign keys, defaults and
  /// checks of any table have done, even if it was rolled back to a savepoint
  /// (<https://www.postgresql.org/docs/current/monitoring-stats.html#MONITORING-STATS-VIEWS>).
  struct TableActivity: Equatable {
    struct Rows: Equatable {
      var inserted = 0
      var updated = 0
      var deleted = 0
    }

    private var rows: Rows
    /// Another one means that all rows were removed or rewritten, which is not counted.
    private let file: String?
    /// Whether triggers, rules or other types can change rows that are written, or the server does not count.
    let canChangeRows: Bool

    func adding(_ more: Rows) -> TableActivity {
      var sum = self
      sum.rows.inserted += more.inserted
      sum.rows.updated += more.updated
      sum.rows.deleted += more.deleted
      return sum
    }

    /// The tables of a schema by the bytes of their names; `new` has the tables with the same columns.
    static func all(
      of schema: String, beside new: String, on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) -> [[UInt8]: TableActivity] {
      let found = try connection.query(
        """
        SELECT o.relname, pg_stat_get_xact_tuples_inserted(o.oid), pg_stat_get_xact_tuples_updated(o.oid),
          pg_stat_get_xact_tuples_deleted(o.oid), pg_relation_filenode(o.oid),
          current_setting('track_counts') = 'off'
          OR EXISTS (SELECT FROM pg_trigger WHERE tgrelid = o.oid AND NOT tgisinternal)
          OR EXISTS (SELECT FROM pg_rewrite WHERE ev_class = o.oid)
          OR EXISTS (SELECT FROM pg_attribute AS a WHERE a.attrelid = n.oid AND a.attnum > 0 AND NOT EXISTS (
            SELECT FROM pg_attribute AS b WHERE b.attrelid = o.oid AND b.attname = a.attname
            AND (b.atttypid, b.atttypmod) = (a.atttypid, a.atttypmod)))
        FROM pg_class AS o JOIN pg_class AS n ON n.relname = o.relname
          AND n.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $2)
        WHERE o.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND o.relkind = 'r'
        """, [schema, new])
      let tables = found.map { row in
        let counts = row[1...3].map { $0.flatMap { Int($0) } ?? 0 }
        let rows = Rows(inserted: counts[0], updated: counts[1], deleted: counts[2])
        return (
          Array((row[0] ?? "").utf8),
          TableActivity(rows: rows, file: row[4], canChangeRows: row[5] != "f")
        )
      }
      return Dictionary(uniqueKeysWithValues: tables)
    }
  }

  extension PostgreSQLConnection {
    /// The tables whose rows foreign keys delete or change along with those of a schema, besides the tables that are
    /// merged, and the number of rows deleted and changed in the current transaction.
    ///
    /// The server counts them, since this role may not be able to read the tables.
    func cascades(
      to schema: String, besides new: String
    ) throws(PostgreSQLError) -> [String: Int] {
      let rows = try query(
        """
        WITH RECURSIVE keys AS (SELECT conrelid, confrelid FROM pg_constraint
          WHERE contype = 'f' AND (confdeltype IN ('c', 'n', 'd') OR confupdtype IN ('c', 'n', 'd'))),
        merged AS (SELECT o.oid FROM pg_class AS o JOIN pg_class AS n USING (relname)
          WHERE o.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)
          AND n.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $2)),
        reached (oid) AS (SELECT conrelid FROM keys JOIN merged ON oid = confrelid
          UNION SELECT conrelid FROM keys JOIN reached ON oid = confrelid)
        SELECT oid::regclass, pg_stat_get_xact_tuples_deleted(oid) + pg_stat_get_xact_tuples_updated(oid),
          current_setting('track_counts')
        FROM reached WHERE oid NOT IN (SELECT oid FROM merged)
        """, [schema, new])
      guard rows.first?[2] != "off" else {
        throw PostgreSQLError(
          .misuse,
          "Rows of other tables that foreign keys delete or change cannot be counted while track_counts is off",
          hint: "Turn it on for the database, or use --publish swap.")
      }
      return Dictionary(rows.map { ($0[0] ?? "", $0[1].flatMap { Int($0) } ?? 0) }) { $1 }
    }
  }
#endif
