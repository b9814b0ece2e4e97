#if PostgreSQL
  import SQLiteSwiftly

  /// A column, constraint, index or view of a schema.
  struct ShapePart {
    /// Without the names that the server chose.
    let words: String
    /// Whether the tables can take the rows of a description without it: a default, or the query of a view, whose columns
    /// are parts of their own.
    let isOptional: Bool
  }

  /// A part of a published schema that is missing or changed now.
  package struct MissingObject {
    /// The words with which the marker of a schema stores its parts.
    package let words: String
    package var isColumn: Bool { words.hasPrefix("column ") }

    static let scriptMark = "custom SQL "

    /// Nil for a script, which is not an object.
    init?(_ words: String) {
      guard !words.hasPrefix(Self.scriptMark) else { return nil }
      self.words = words
    }
  }

  extension PostgreSQLConnection {
    /// The columns, constraints, indexes and views of a schema, sorted; names of the schema are those of the published
    /// one, whatever the schema is called now.
    func shape(
      of schema: String, publishedAs target: String
    ) throws(PostgreSQLError) -> [ShapePart] {
      try query(
        """
        WITH tables AS (
          SELECT oid, relname AS name, relkind FROM pg_class
          WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND relname <> $2),
        columns AS (
          SELECT * FROM tables JOIN pg_attribute ON attrelid = oid AND attnum > 0 AND NOT attisdropped
          LEFT JOIN pg_attrdef AS d ON adrelid = attrelid AND adnum = attnum WHERE relkind IN ('r', 'v')),
        shape (words, is_optional) AS (
        SELECT concat_ws(' ', CASE WHEN relkind = 'v' THEN 'view' END, 'column', name || '.' || attname,
          format_type(atttypid, atttypmod),
          'COLLATE ' || (SELECT collname FROM pg_collation AS c WHERE c.oid = attcollation),
          CASE WHEN attgenerated <> '' THEN 'AS ' || pg_get_expr(adbin, adrelid) END), false
        FROM columns
        UNION ALL
        SELECT format('column %s.%s NOT NULL', name, attname), false FROM columns WHERE attnotnull
        UNION ALL
        SELECT format('column %s.%s DEFAULT %s', name, attname, pg_get_expr(adbin, adrelid)), true
        FROM columns WHERE attgenerated = '' AND adbin IS NOT NULL
        UNION ALL
        SELECT format('constraint of %s: %s', name, replace(pg_get_constraintdef(k.oid), ' NOT VALID', '')), false
        FROM tables JOIN pg_constraint AS k ON conrelid = tables.oid WHERE contype IN ('p', 'u', 'f', 'c')
        UNION ALL
        SELECT format('index of %s: %s', name, substring(pg_get_indexdef(indexrelid) FROM ' (USING .*)')),
          false
        FROM tables JOIN pg_index ON indrelid = oid
        WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
        UNION ALL
        SELECT format('%s %s: %s', CASE relkind WHEN 'v' THEN 'view' ELSE 'materialized view' END, name,
          pg_get_viewdef(oid)), relkind = 'v'
        FROM tables WHERE relkind IN ('v', 'm'))
        -- The server writes them with the schema, since it is not in the search path.
        SELECT replace(words, quote_ident($1) || '.', quote_ident($3) || '.'), is_optional FROM shape ORDER BY 1
        """, [schema, CandidateSchema.marker, target]
      ).map { ShapePart(words: $0[0] ?? "", isOptional: $0[1] == "t") }
    }

    /// The statements that set the comments of tables, views and columns in a schema for those with the same names in
    /// another, where they differ.
    func changedComments(
      from schema: String, to other: String
    ) throws(PostgreSQLError) -> [String] {
      try texts(
        """
        SELECT format('COMMENT ON %s IS %L', CASE d.objsubid
          WHEN 0 THEN format('%s %I.%I', CASE n.relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END, $2::text, n.relname)
          ELSE format('COLUMN %I.%I.%I', $2::text, n.relname, a.attname) END, d.description)
        FROM pg_class AS n JOIN pg_description AS d ON d.classoid = 'pg_class'::regclass AND d.objoid = n.oid
        LEFT JOIN pg_attribute AS a ON a.attrelid = n.oid AND a.attnum = d.objsubid
        JOIN pg_class AS o ON o.relname = n.relname
        AND o.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $2)
        LEFT JOIN pg_attribute AS b ON b.attrelid = o.oid AND b.attname = a.attname
        WHERE n.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND n.relkind IN ('r', 'v')
        AND d.description IS DISTINCT FROM CASE d.objsubid WHEN 0 THEN obj_description(o.oid, 'pg_class')
          ELSE col_description(o.oid, b.attnum) END
        ORDER BY 1
        """, [schema, other])
    }
  }
#endif
