#if PostgreSQL
  import Schema
  import SQLiteSwiftly

  private let maximumFaults = 100

  /// Finds the faults of published tables, at most 100 of each kind, as texts with place, expectation and value.
  extension PostgreSQLConnection {
    /// The values that the description of a table does not allow, and the values of keys that several rows have, which the
    /// server refuses unless Citus distributes the table.
    package func valueFaults(in definition: TableDefinition) throws(PostgreSQLError) -> [String] {
      let table = definition.table
      let wrong = definition.conditions.map { column, condition in
        """
        SELECT format('%s, column %s: expected %s, found %s', \(definition.place), \(quoted(text: column)),
          \(quoted(text: condition)), coalesce(quote_literal(\(quoted(identifier: column))::text), 'NULL'))
        FROM ONLY \(definition.qualifiedName) AS t WHERE NOT (\(condition))
        """
      }
      let keys = usesCitus ? ([table.primaryKey] + table.uniqueKeys).filter { !$0.isEmpty } : []
      let repeated = keys.map { key in
        let values = key.map { "\(quoted(identifier: $0))::text" }.joined(separator: ", ")
        let words = "\(table.name), \(key.joined(separator: ", ")): expected to be unique, found "
        return """
          SELECT \(quoted(text: words)) || count(*) || ' rows with ' || concat_ws(', ', \(values))
          FROM \(definition.qualifiedName) WHERE \(areNotNull(key))
          GROUP BY \(table.list(key)) HAVING count(*) > 1
          """
      }
      return try faults(wrong) + faults(repeated)
    }

    /// The rows that refer to rows which do not exist.
    package func orphans(in definition: TableDefinition) throws(PostgreSQLError) -> [String] {
      try faults(
        definition.table.foreignKeys.map { key in
          let columns = key.columns.map(quoted(identifier:))
          let parents = key.keyColumns.map(quoted(identifier:))
          let isSame = zip(columns, parents).map { "p.\($1) = t.\($0)" }.joined(separator: " AND ")
          let found = columns.map { "t.\($0)::text" }.joined(separator: ", ")
          let words = "\(key.columns.joined(separator: ", ")): expected a row of \(key.table)"
          return """
            SELECT format('%s, %s, found %s', \(definition.place), \(quoted(text: words)), concat_ws(', ', \(found)))
            FROM ONLY \(definition.qualifiedName) AS t
            WHERE \(areNotNull(key.columns, of: "t.")) AND NOT EXISTS (
              SELECT FROM ONLY \(qualified(key.table, in: definition.schema)) AS p WHERE \(isSame))
            """
        })
    }

    private func faults(_ queries: [String]) throws(PostgreSQLError) -> [String] {
      var faults: [String] = []
      for query in queries { faults += try texts("\(query) LIMIT \(maximumFaults - faults.count)") }
      return faults
    }

    /// The rows of a derived table that its query does not return, and those that it lacks; `sources` is a `WITH` clause
    /// for the tables that the query reads.
    package func faults(
      of definition: TableDefinition, filledBy query: String, reading sources: String
    ) throws(PostgreSQLError) -> [String] {
      let columns = definition.table.columns.map { quoted(identifier: $0.name) }
      let values = zip(columns, definition.types).map { "\($0)::\($1.rawValue)" }
      let row = "ROW(\(values.joined(separator: ", ")))::text COLLATE \"C\""
      let expected = "SELECT \(row) FROM (\(query)) AS q (\(columns.joined(separator: ", ")))"
      let stored = "SELECT \(row) FROM ONLY \(definition.qualifiedName)"
      return try texts(
        """
        \(sources)(SELECT \(quoted(text: definition.table.name)) || ' ' || r || ': missing, but expected from the query that fills it'
        FROM (\(expected) EXCEPT ALL \(stored)) AS d (r) LIMIT \(maximumFaults))
        UNION ALL
        (SELECT \(quoted(text: definition.table.name)) || ' ' || r || ': found, but not expected'
        FROM (\(stored) EXCEPT ALL \(expected)) AS d (r) LIMIT \(maximumFaults))
        """)
    }
  }

  extension TableDefinition {
    fileprivate var conditions: [(column: String, condition: String)] {
      zip(table.columns, types).flatMap { column, type in
        let isPresent =
          table.requires(column) ? "\(quoted(identifier: column.name)) IS NOT NULL" : nil
        return [isPresent, column.check(as: type)].compactMap(\.self).map { (column.name, $0) }
      }
    }

    /// An expression for the name of the table with the key of a row `t`.
    fileprivate var place: String {
      let keys = (table.primaryKey.isEmpty ? ["ctid"] : table.primaryKey).map {
        "t.\(quoted(identifier: $0))::text"
      }
      return
        "format('%s (%s)', \(quoted(text: table.name)), concat_ws(', ', \(keys.joined(separator: ", "))))"
    }
  }
#endif
