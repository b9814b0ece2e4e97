#if PostgreSQL
  import SQLiteSwiftly

  extension PostgreSQLConnection {
    /// The columns, constraints, indexes and views of a schema, each as one text without the names that the server
    /// chose; names of the schema are those of the published one, whatever the schema is called now.
    func shape(of schema: String, publishedAs target: String) throws(PostgreSQLError) -> [String] {
      try texts(
        """
        WITH tables AS (
          SELECT oid, relname AS name, relkind FROM pg_class
          WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND relname <> $2),
        shape (words) AS (
        SELECT concat_ws(' ', CASE WHEN relkind = 'v' THEN 'view' END, 'column', name || '.' || attname,
          format_type(atttypid, atttypmod),
          'COLLATE ' || (SELECT collname FROM pg_collation AS c WHERE c.oid = attcollation),
          CASE WHEN attnotnull THEN 'NOT NULL' END,
          CASE WHEN attgenerated = '' THEN 'DEFAULT ' ELSE 'AS ' END || pg_get_expr(adbin, adrelid))
        FROM tables JOIN pg_attribute ON attrelid = oid AND attnum > 0 AND NOT attisdropped
        LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum WHERE relkind IN ('r', 'v')
        UNION ALL
        SELECT format('constraint of %s: %s', name, replace(pg_get_constraintdef(k.oid), ' NOT VALID', ''))
        FROM tables JOIN pg_constraint AS k ON conrelid = tables.oid WHERE contype IN ('p', 'u', 'f', 'c')
        UNION ALL
        SELECT format('index of %s: %s', name, substring(pg_get_indexdef(indexrelid) FROM ' (USING .*)'))
        FROM tables JOIN pg_index ON indrelid = oid
        WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u'))
        UNION ALL
        SELECT format('%s %s: %s', CASE relkind WHEN 'v' THEN 'view' ELSE 'materialized view' END, name,
          pg_get_viewdef(oid))
        FROM tables WHERE relkind IN ('v', 'm'))
        -- The server writes them with the schema, since it is not in the search path.
        SELECT replace(words, quote_ident($1) || '.', quote_ident($3) || '.') FROM shape ORDER BY 1
        """, [schema, CandidateSchema.marker, target])
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
