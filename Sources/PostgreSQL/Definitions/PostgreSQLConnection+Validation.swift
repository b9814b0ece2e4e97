#if PostgreSQL
  import SQLiteSwiftly

  extension PostgreSQLConnection {
    /// Checks the foreign keys of a table for the existing rows
    /// (<https://www.postgresql.org/docs/current/sql-altertable.html#SQL-ALTERTABLE-DESC-VALIDATE-CONSTRAINT>).
    ///
    /// - Throws: `PostgreSQLError`, with SQLSTATE 23503 for a row without a parent, which its detail names.
    package func validateForeignKeys(of definition: TableDefinition) throws(PostgreSQLError) {
      guard !definition.foreignKeys.isEmpty else { return }
      // The server chose the names.
      let keys = try texts(
        """
        SELECT conname FROM pg_constraint
        WHERE conrelid = $1::regclass AND contype = 'f' AND NOT convalidated ORDER BY oid
        """, [definition.qualifiedName])
      for key in keys {
        try execute(
          "ALTER TABLE \(definition.qualifiedName) VALIDATE CONSTRAINT \(quoted(identifier: key))")
      }
    }
  }
#endif
