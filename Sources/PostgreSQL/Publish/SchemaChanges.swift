#if PostgreSQL
  import SQLiteSwiftly

  /// A part of a published schema that is missing or changed now.
  package struct MissingObject {
    /// The words with which the marker of a schema stores its parts.
    package let words: String
    package var isColumn: Bool { words.hasPrefix("column ") }

    static let scriptMark = "custom SQL "
    /// The mark of a part that Citus could not hold when the schema was published.
    static let omittedMark = "omitted "

    /// Nil for a script, which is not an object, and for an omitted part.
    init?(_ words: String) {
      guard ![Self.scriptMark, Self.omittedMark].contains(where: words.hasPrefix) else {
        return nil
      }
      self.words = words
    }
  }

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
        let marker =
          try !hasMarks(in: schema)
          ? []
          : query(
            """
            SELECT split_part(snapshot, ' ', 1), split_part(snapshot, ' ', 2), xmin
            FROM \(qualified(CandidateSchema.marker, in: schema))
            """)
        // A restored schema has other transactions.
        guard marker.count == 1, let publisher = marker[0][0], let snapshot = marker[0][1],
          Int(publisher).map({ "\($0 & 0xffff_ffff)" }) == marker[0][2]
        else { return "it was restored, or an older ingest published it" }
        if let object = try missingObjects(in: schema).first { return object.words }
        let counts = try query(
          """
          SELECT r.name, r.count FROM \(qualified(CandidateSchema.marker, in: schema)) AS m,
            jsonb_each_text(m.rows) AS r (name, count)
          """)
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

    /// The texts in a column of the marker; none if an older version has published the schema.
    func marked(_ column: String, in schema: String) throws(PostgreSQLError) -> [String] {
      guard try hasMarks(in: schema) else { return [] }
      return try texts(
        "SELECT unnest(\(column)) FROM \(qualified(CandidateSchema.marker, in: schema))")
    }

    /// What a published schema was made from: the checksums of the statements, and of the comments that it then had; nil if
    /// an older version has published it.
    func origin(of schema: String) throws(PostgreSQLError) -> String? {
      guard try hasMarks(in: schema), try hasOrigin(schema: schema) else { return nil }
      return try texts("SELECT origin FROM \(qualified(CandidateSchema.marker, in: schema))").first
    }

    func hasOrigin(schema: String) throws(PostgreSQLError) -> Bool {
      try !query(
        "SELECT FROM pg_attribute WHERE attrelid = $1::regclass AND attname = 'origin' AND atttypid = 25",
        [qualified(CandidateSchema.marker, in: schema)]
      ).isEmpty
    }

    /// The checksum of the comments on the tables and views of a schema, and on their columns.
    func sumOfComments(in schema: String) throws(PostgreSQLError) -> String {
      try texts(
        """
        SELECT md5(coalesce(string_agg(concat_ws(' ', relname, objsubid, description), ' ' ORDER BY relname, objsubid), ''))
        FROM pg_description JOIN pg_class AS c ON c.oid = objoid AND classoid = 'pg_class'::regclass
        WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND relkind IN ('r', 'v', 'm')
        """, [schema])[0]
    }

    /// Whether the marker has the columns of this version, with types of the server: functions of others can belong to
    /// other types.
    private func hasMarks(in schema: String) throws(PostgreSQLError) -> Bool {
      try numbers(
        """
        SELECT count(*) FROM pg_attribute JOIN pg_type AS t ON t.oid = atttypid
        WHERE attrelid = $1::regclass AND attname IN ('made_by', 'published_as', 'shape', 'made', 'rows', 'snapshot')
        AND typnamespace = 'pg_catalog'::regnamespace
        """, [qualified(CandidateSchema.marker, in: schema)])[0] == 6
    }

    /// The name under which a schema was published, also if it has another one now.
    func publishedName(of schema: String) throws(PostgreSQLError) -> String {
      try texts("SELECT published_as FROM \(qualified(CandidateSchema.marker, in: schema))").first
        ?? schema
    }

    /// The columns, constraints, indexes and views that were published and are missing or changed now.
    ///
    /// Call this in a transaction.
    package func missingObjects(in schema: String) throws(PostgreSQLError) -> [MissingObject] {
      let now = try shape(of: schema, publishedAs: publishedName(of: schema)).map(\.words)
      return Set(try marked("shape", in: schema)).subtracting(now).sorted()
        .compactMap(MissingObject.init)
    }

    /// The columns, constraints, indexes and views of a schema, sorted; names of the schema are those of the published
    /// one, whatever the schema is called now, and the words do not contain the names that the server chose.
    func shape(
      of schema: String, publishedAs target: String
    ) throws(PostgreSQLError) -> [SchemaPart] {
      try query(
        """
        WITH tables AS (
          SELECT oid, relname AS name, relkind, 'ALTER TABLE ' || oid::regclass AS change FROM pg_class
          WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND relname <> $2),
        columns AS (
          SELECT *, (SELECT collname FROM pg_collation AS c WHERE c.oid = attcollation) AS collname,
            col_description(attrelid, attnum) AS meaning
          FROM tables JOIN pg_attribute ON attrelid = oid AND attnum > 0 AND NOT attisdropped
          LEFT JOIN pg_attrdef AS d ON adrelid = attrelid AND adnum = attnum WHERE relkind IN ('r', 'v')),
        shape (words, is_optional, name, place, attname, addition) AS (
        SELECT concat_ws(' ', CASE WHEN relkind = 'v' THEN 'view' END, 'column', name || '.' || attname,
          format_type(atttypid, atttypmod), 'COLLATE ' || collname,
          CASE WHEN attgenerated <> '' THEN 'AS ' || pg_get_expr(adbin, adrelid) END), false,
          name, 0, attname, CASE WHEN relkind = 'r' AND attgenerated = '' THEN
            format('%s ADD %I %s', change, attname, format_type(atttypid, atttypmod))
            || coalesce(' COLLATE pg_catalog.' || quote_ident(collname), '')
            || CASE WHEN meaning IS NULL THEN ''
              ELSE format('; COMMENT ON COLUMN %s.%I IS %L', attrelid::regclass, attname, meaning) END END
        FROM columns
        UNION ALL
        SELECT format('column %s.%s NOT NULL', name, attname), false,
          name, 1, NULL, format('%s ALTER %I SET NOT NULL', change, attname) FROM columns WHERE attnotnull
        UNION ALL
        SELECT format('column %s.%s DEFAULT %s', name, attname, pg_get_expr(adbin, adrelid)), true,
          name, 1, NULL, format('%s ALTER %I SET DEFAULT %s', change, attname, pg_get_expr(adbin, adrelid))
        FROM columns WHERE attgenerated = '' AND adbin IS NOT NULL
        UNION ALL
        SELECT format('constraint of %s: %s', name, definition), false,
          name, CASE contype WHEN 'f' THEN 3 ELSE 2 END, NULL, change || ' ADD ' || definition
        FROM (
          SELECT name, change, contype, replace(pg_get_constraintdef(k.oid), ' NOT VALID', '') AS definition
          FROM tables JOIN pg_constraint AS k ON conrelid = tables.oid WHERE contype IN ('p', 'u', 'f', 'c')) AS constraints
        UNION ALL
        SELECT format('index of %s: %s', name, substring(definition FROM ' (USING .*)')), false,
          name, 4, NULL, regexp_replace(definition, ' INDEX .*? ON ', ' INDEX ON ')
        FROM (
          SELECT name, pg_get_indexdef(indexrelid) AS definition FROM tables JOIN pg_index ON indrelid = oid
          WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))) AS indexes
        UNION ALL
        SELECT format('%s %s: %s', CASE relkind WHEN 'v' THEN 'view' ELSE 'materialized view' END, name,
          pg_get_viewdef(oid)), relkind = 'v', name, 5, NULL, NULL
        FROM tables WHERE relkind IN ('v', 'm'))
        -- The server writes them with the schema, since it is not in the search path.
        SELECT replace(words, quote_ident($1) || '.', quote_ident($3) || '.'), is_optional, name, place, attname,
          replace(addition, quote_ident($1) || '.', quote_ident($3) || '.') FROM shape ORDER BY 1
        """, [schema, CandidateSchema.marker, target]
      ).map {
        SchemaPart(
          words: $0[0] ?? "", isOptional: $0[1] == "t", table: $0[2] ?? "",
          place: $0[3].flatMap { Int($0) } ?? 0, column: $0[4], addition: $0[5])
      }
    }
  }

  /// A column, a constraint, an index or a view of a schema.
  struct SchemaPart {
    let words: String
    /// Whether the tables can take the rows of a description without it: a default, or the query of a view, whose columns
    /// are parts of their own.
    let isOptional: Bool
    let table: String
    /// Its place among the parts that are added: columns come before the rows, the others after them.
    let place: Int
    /// The name of a column; nil for other parts.
    let column: String?
    var isColumn: Bool { column != nil }
    /// Whether adding it locks out readers; an index and a foreign key do not.
    var locksReaders: Bool { place < 3 }
    /// The statement that adds it to the published schema; nil if a merge cannot add it.
    let addition: String?
  }
#endif
