#if PostgreSQL
  import SQLiteSwiftly

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
