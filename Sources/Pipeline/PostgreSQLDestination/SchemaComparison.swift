#if PostgreSQL
  import SQLiteDestination
  import Facts
  import PostgreSQL
  import SQLiteSwiftly
  import Schema

  /// Compares the tables of a new schema with those of the published one, in the server.
  struct SchemaComparison {
    let schema: SchemaDescription
    /// The names of the two schemas.
    let candidate: String
    let published: String
    let connection: PostgreSQLConnection

    /// How many rows a table has, and in how many of them each column is NULL.
    struct Count {
      var rows = 0
      var nulls: [Int] = []
    }

    /// A table as the server knows it.
    private struct StoredTable {
      /// The names of the columns, and their types.
      var columns: [String: String] = [:]
      var key: [String] = []
    }

    /// Counts the rows of the new tables, and what differs.
    ///
    /// - Returns: The counts, and the differences; no differences if nothing is published.
    /// - Throws: `PostgreSQLError`.
    func compare() throws(PostgreSQLError) -> (counts: [Count], changes: CatalogChanges?) {
      let (published, new) = try (
        storedTables(in: self.published), storedTables(in: candidate)
      )
      var counts: [Count] = []
      var changes = CatalogChanges()
      for table in schema.tables {
        let after = try count(
          table.columns.map { table.requires($0) ? nil : $0.name }, of: table.name, in: candidate)
        counts.append(after)
        guard !published.isEmpty else { continue }
        changes.tables.append(
          try change(of: table, after, new[table.name], from: published[table.name]))
      }
      let known = Set(
        (schema.tables + schema.allDerivedTables).map(\.name) + Provenance.tables.map(\.name)
          + [schema.search?.name].compactMap(\.self))
      for (name, _) in published.sorted(by: { $0.key < $1.key }) where !known.contains(name) {
        guard name != CandidateSchema.marker else { continue }
        var gone = CatalogChanges.Table(name: name)
        gone.rowsBefore = try count([], of: name, in: self.published).rows
        changes.tables.append(gone)
      }
      return (counts, published.isEmpty ? nil : changes)
    }

    private func change(
      of table: TableDescription, _ after: Count, _ new: StoredTable?, from old: StoredTable?
    ) throws(PostgreSQLError) -> CatalogChanges.Table {
      var change = CatalogChanges.Table(name: table.name)
      change.rowsAfter = after.rows
      guard let old, let new else { return change }
      let common = table.columns.map(\.name).filter { old.columns[$0] != nil }
      let before = try count(common, of: table.name, in: published)
      change.rowsBefore = before.rows
      for (place, column) in table.columns.enumerated() where column.isNullable {
        guard let index = common.firstIndex(of: column.name) else { continue }
        change.nulls.append(
          .init(column: column.name, before: before.nulls[index], after: after.nulls[place]))
      }
      let hasSameKey =
        old.key == table.primaryKey
        && table.primaryKey.allSatisfy { old.columns[$0] == new.columns[$0] }
      guard !table.primaryKey.isEmpty, hasSameKey else { return change }
      let hasChanged = common.map { name in
        // Values of different types can only be compared as they are written.
        let type = old.columns[name] == new.columns[name] ? "" : "::text"
        let column = quoted(identifier: name) + type
        return "n.\(column) IS DISTINCT FROM o.\(column)"
      }
      change.keys = try keys(of: table, hasChanged.joined(separator: " OR "))
      return change
    }

    /// The keys that are new, gone, and there before and after with other values.
    private func keys(
      of table: TableDescription, _ hasChanged: String
    ) throws(PostgreSQLError) -> CatalogChanges.Keys {
      let isSame = table.primaryKey.map {
        "n.\(quoted(identifier: $0)) = o.\(quoted(identifier: $0))"
      }
      let key = quoted(identifier: table.primaryKey[0])
      let sums =
        try connection.query(
          """
          SELECT count(*) FILTER (WHERE o.\(key) IS NULL), count(*) FILTER (WHERE n.\(key) IS NULL),
            count(*) FILTER (WHERE o.\(key) IS NOT NULL AND n.\(key) IS NOT NULL)
          FROM \(name(of: table.name, in: candidate)) AS n
          FULL JOIN \(name(of: table.name, in: published)) AS o ON \(isSame.joined(separator: " AND "))
          WHERE \(hasChanged)
          """
        ).first.map(numbers) ?? [0, 0, 0]
      return CatalogChanges.Keys(added: sums[0], removed: sums[1], changed: sums[2])
    }

    /// Counts in a table; a column that is nil has no NULL.
    private func count(
      _ columns: [String?], of table: String, in schema: String
    ) throws(PostgreSQLError) -> Count {
      let nulls = columns.map { $0.map { "count(*) - count(\(quoted(identifier: $0)))" } ?? "0" }
      let sums = ["count(*)"] + nulls
      let found = try connection.query(
        "SELECT \(sums.joined(separator: ", ")) FROM \(name(of: table, in: schema))")
      let numbers = found.first.map(numbers) ?? [0]
      return Count(rows: numbers[0], nulls: Array(numbers.dropFirst()))
    }

    /// The tables of a schema, by their names; none if there is no such schema.
    private func storedTables(in schema: String) throws(PostgreSQLError) -> [String: StoredTable] {
      var tables: [String: StoredTable] = [:]
      let rows = try connection.query(
        """
        SELECT c.relname, a.attname, array_position(i.indkey::int2[], a.attnum),
          format_type(a.atttypid, a.atttypmod)
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_index AS i ON i.indrelid = c.oid AND i.indisprimary
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1, 3, a.attnum
        """, [schema])
      for row in rows {
        guard let table = row[0], let column = row[1] else { continue }
        var stored = tables[table] ?? StoredTable()
        stored.columns[column] = row[3]
        if row[2] != nil { stored.key.append(column) }
        tables[table] = stored
      }
      return tables
    }

    private func name(of table: String, in schema: String) -> String {
      "\(quoted(identifier: schema)).\(quoted(identifier: table))"
    }

    private func numbers(_ row: [String?]) -> [Int] { row.map { $0.flatMap(Int.init) ?? 0 } }
  }
#endif
