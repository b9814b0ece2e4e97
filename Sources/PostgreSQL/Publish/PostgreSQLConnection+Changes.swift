#if PostgreSQL
  import SQLiteSwiftly

  /// Finds what others have changed in a published schema.
  extension PostgreSQLConnection {
    /// The number of rows of each table, as a JSON object.
    func rowCounts(of schema: String) throws(PostgreSQLError) -> String {
      let tables = try texts(
        """
        SELECT relname FROM pg_class WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)
        AND relkind = 'r' AND relname <> $2 AND relname NOT LIKE 'ingest changes %' ORDER BY 1
        """, [schema, CandidateSchema.marker])
      let counts = tables.map {
        "SELECT \(quoted(text: $0)) AS name, count(*) AS rows FROM ONLY \(qualified($0, in: schema))"
      }
      guard !counts.isEmpty else { return "{}" }
      return try texts(
        "SELECT jsonb_object_agg(name, rows) FROM (\(counts.joined(separator: " UNION ALL "))) AS counts"
      )[0]
    }

    /// What others have changed in the schema since it was published: a missing or changed object, or a table with other
    /// rows; nil if nothing.
    ///
    /// A row shows which transaction wrote it. It was published if that transaction is the publishing one, or was visible
    /// to it. Objects added by others do not count as changes.
    package func change(in schema: String) throws(PostgreSQLError) -> String? {
      // The transactions that wrote distributed rows are those of other nodes.
      if try isDistributed(schema: schema) { return "its tables are distributed" }
      return try transaction { () throws(PostgreSQLError) in
        let isComplete = try markedColumns(in: schema).isSuperset(of: ["snapshot", "rows"])
        let marker =
          !isComplete
          ? []
          : try query(
            """
            SELECT split_part(snapshot, ' ', 1), split_part(snapshot, ' ', 2), xmin
            FROM \(qualified(CandidateSchema.marker, in: schema))
            """)
        // A restored schema has other transactions.
        guard marker.count == 1, let publisher = marker[0][0], let snapshot = marker[0][1],
          Int(publisher).map({ "\($0 & 0xffff_ffff)" }) == marker[0][2]
        else { return "it was restored, or an older ingest published it" }
        if let object = try missingObjects(in: schema).first { return object }
        let counts = try query(
          """
          SELECT r.name, r.count FROM \(qualified(CandidateSchema.marker, in: schema)) AS m,
            jsonb_each_text(m.rows) AS r (name, count)
          """
        )
        for row in counts {
          guard let table = row[0], let rows = row[1] else { continue }
          let found = try numbers(
            """
            WITH now AS (SELECT txid_snapshot_xmax(txid_current_snapshot()) AS id)
            SELECT count(*), count(*) FILTER (WHERE written > 2 AND written + epoch <> $1::bigint
              AND NOT txid_visible_in_snapshot(written + epoch, $2::txid_snapshot))
            FROM (SELECT xmin::text::bigint AS written FROM ONLY \(qualified(table, in: schema))) AS r, LATERAL (
              SELECT (id >> 32 << 32) - CASE WHEN written > id & 4294967295 THEN 4294967296 ELSE 0 END AS epoch FROM now)
              AS e
            """, [publisher, snapshot])
          if found[0] != Int(rows) || found[1] > 0 { return "the rows of \(table)" }
        }
        return nil
      }
    }

    /// The texts in a column of the marker; older versions lack it.
    func marked(_ column: String, in schema: String) throws(PostgreSQLError) -> [String] {
      guard try markedColumns(in: schema).contains(column) else { return [] }
      return try texts(
        "SELECT unnest(\(column)) FROM \(qualified(CandidateSchema.marker, in: schema))")
    }

    /// The columns of the marker with types of the server: functions of others belong to other types.
    private func markedColumns(in schema: String) throws(PostgreSQLError) -> Set<String> {
      Set(
        try texts(
          """
          SELECT attname FROM pg_attribute JOIN pg_type AS t ON t.oid = atttypid
          WHERE attrelid = $1::regclass AND attnum > 0 AND typnamespace = 'pg_catalog'::regnamespace
          """, [qualified(CandidateSchema.marker, in: schema)]))
    }

    /// The columns, constraints, indexes and views of a published schema, as in its marker.
    func publishedShape(of schema: String) throws(PostgreSQLError) -> [String] {
      let name = try texts(
        "SELECT published_as FROM \(qualified(CandidateSchema.marker, in: schema))"
      ).first
      return try shape(of: schema, publishedAs: name ?? schema)
    }

    /// The objects that others have added to the schema.
    package func additions(to schema: String) throws(PostgreSQLError) -> [String] {
      let made = try marked("objects", in: schema)
      return try objects(in: schema, absentFrom: schema, made: made)
    }

    /// The columns, constraints, indexes and views that were published and are missing or changed now.
    ///
    /// Call this in a transaction.
    package func missingObjects(in schema: String) throws(PostgreSQLError) -> [String] {
      Set(try marked("shape", in: schema).filter { !$0.hasPrefix("custom SQL ") })
        .subtracting(try publishedShape(of: schema)).sorted()
    }
  }
#endif
