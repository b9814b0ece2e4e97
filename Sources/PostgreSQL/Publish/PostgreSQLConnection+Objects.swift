#if PostgreSQL
  extension PostgreSQLConnection {
    /// The objects that were added to a schema and that another one lacks, sorted: `view mine`, `column sets.note`,
    /// `index mine of sets`.
    ///
    /// A table that the other schema lacks is listed without its parts. Objects of `table` are skipped.
    package func objects(
      in schema: String, absentFrom other: String, besides table: String? = nil
    ) throws(PostgreSQLError) -> [String] {
      try texts(
        """
        WITH parts AS (
          SELECT indrelid AS "table", 'index ' || c.relname || ' of ' AS words, '' AS suffix
          FROM pg_index JOIN pg_class AS c ON c.oid = indexrelid
          UNION ALL SELECT tgrelid, 'trigger ' || tgname || ' of ', '' FROM pg_trigger WHERE NOT tgisinternal
          UNION ALL SELECT ev_class, 'rule ' || rulename || ' of ', '' FROM pg_rewrite WHERE rulename <> '_RETURN'
          UNION ALL SELECT attrelid, 'column ', '.' || attname FROM pg_attribute WHERE attnum > 0 AND NOT attisdropped
        ), objects AS (
          SELECT relnamespace AS schema, relname AS "table", CASE relkind WHEN 'v' THEN 'view' WHEN 'S' THEN 'sequence'
            WHEN 'm' THEN 'materialized view' WHEN 'f' THEN 'foreign table' WHEN 'c' THEN 'type' ELSE 'table' END
            || ' ' || relname AS words
          FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S', 'c') AND NOT relispartition
          UNION ALL SELECT relnamespace, relname, words || relname || suffix
          FROM parts JOIN pg_class ON oid = "table" WHERE relkind IN ('r', 'p') AND NOT relispartition AND EXISTS (
            SELECT FROM pg_class AS o WHERE o.relname = pg_class.relname AND o.relnamespace = (
              SELECT oid FROM pg_namespace WHERE nspname = $2))
          UNION ALL SELECT pronamespace, NULL,
            CASE prokind WHEN 'p' THEN 'procedure ' WHEN 'a' THEN 'aggregate ' ELSE 'function ' END || proname
          FROM pg_proc
          UNION ALL SELECT typnamespace, NULL, 'type ' || typname FROM pg_type WHERE typtype IN ('d', 'e', 'r')
          UNION ALL SELECT stxnamespace, NULL, 'statistics ' || stxname FROM pg_statistic_ext
        )
        SELECT words FROM objects WHERE schema = (SELECT oid FROM pg_namespace WHERE nspname = $1)
          AND ("table" = $3) IS NOT TRUE
        EXCEPT
        SELECT words FROM objects WHERE schema = (SELECT oid FROM pg_namespace WHERE nspname = $2)
        ORDER BY 1
        """, [schema, other, table])
    }
  }
#endif
