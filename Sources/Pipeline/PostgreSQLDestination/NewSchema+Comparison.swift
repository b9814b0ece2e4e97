#if PostgreSQL
  import Schema
  import SQLiteDestination
  import Vocabulary
  import PostgreSQL
  import SQLiteSwiftly
  import Provenance

  extension NewSchema {
    /// The number of rows in a table, and the number of NULLs in some columns.
    typealias Count = (rows: Int, nulls: [Int])

    /// Counts the rows of the new tables and the differences from the published ones; nil if no schema is published.
    ///
    /// The tables of custom SQL are not compared.
    ///
    /// `differences` are the sources of queries for the rows that differ in each table, which a merge has stored.
    func compareWithPublished(
      _ differences: [String?]?
    ) throws(PostgreSQLError) -> ([Count], DatabaseChanges?) {
      let published = try StoredTable.all(in: target, on: connection)
      let new = try StoredTable.all(in: name, on: connection)
      var counts: [Count] = []
      var changes = DatabaseChanges()
      for (place, table) in schema.tables.enumerated() {
        let after = try count(
          table.columns.map { table.requires($0) ? nil : $0.name }, of: table.name, in: name)
        counts.append(after)
        var change = try change(of: table, published[table.name], after)
        if let old = published[table.name], let new = new[table.name] {
          let common = table.columns.map(\.name).filter { old.columns[$0] != nil }
          try compareKeys(of: table, common, old, new, differences?[place], in: &change)
        }
        changes.tables.append(change)
      }
      if !merges { changes.tables += try lostTables(published, besides: Array(new.keys)) }
      return (counts, published.isEmpty ? nil : changes)
    }

    /// A merge keeps the tables of others.
    private func lostTables(
      _ published: [String: StoredTable], besides known: [String]
    ) throws(PostgreSQLError) -> [DatabaseChanges.Table] {
      let made =
        published[Provenance.objects.name] == nil
        ? []
        : try connection.query(
          "SELECT name FROM \(qualified(Provenance.objects.name, in: target)) WHERE type = 'table'"
        ).compactMap { $0[0] }
      // Tables of others are reported with other lost objects.
      let unreadable = try connection.query(
        """
        SELECT relname FROM pg_class WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1)
        AND (NOT has_table_privilege(oid, 'SELECT') OR row_security_active(oid))
        """, [target]
      ).compactMap { $0[0] }
      var lost: [DatabaseChanges.Table] = []
      // Without --no-search, the next run makes the search again.
      let kept = known + made + unreadable + [schema.search?.name].compactMap(\.self)
      for name in published.keys.sorted() where !kept.contains(name) {
        lost.append(change(of: name, try count([], of: name, in: target).rows, nil))
      }
      return lost
    }

    /// The changed numbers of rows and NULLs of a table.
    func change(
      of table: TableDescription, _ old: StoredTable?, _ after: Count
    ) throws(PostgreSQLError) -> DatabaseChanges.Table {
      guard let old else { return change(of: table.name, nil, after.rows) }
      let common = table.columns.filter { old.columns[$0.name] != nil }
      let before = try count(common.map(\.name), of: table.name, in: target)
      var change = change(of: table.name, before.rows, after.rows)
      change.nulls = zip(common, before.nulls).filter(\.0.isNullable).map { column, nulls in
        let index = table.columnIndex(column.name) ?? 0
        return (column: column.name, before: nulls, after: after.nulls[index])
      }
      return change
    }

    private func change(of table: String, _ before: Int?, _ after: Int?) -> DatabaseChanges.Table {
      var change = DatabaseChanges.Table(name: table)
      (change.rowsBefore, change.rowsAfter) = (before, after)
      return change
    }

    /// Counts the added, removed and changed keys, and the changed values, unless the primary key has changed.
    private func compareKeys(
      of table: TableDescription, _ columns: [String], _ old: StoredTable, _ new: StoredTable,
      _ stored: String?, in change: inout DatabaseChanges.Table
    ) throws(PostgreSQLError) {
      let keys = table.primaryKey
      guard let first = keys.first.map(quoted(identifier:)), stored != nil || old.key == keys,
        keys.allSatisfy({ old.columns[$0] == new.columns[$0] })
      else { return }
      let isSame = keys.map(quoted(identifier:)).map { "n.\($0) = o.\($0)" }
      let hasChanged = columns.map { name in
        // Values of different types can only be compared as text, and so can JSON.
        let isComparable = old.columns[name] == new.columns[name] && new.columns[name] != "json"
        let column = quoted(identifier: name)
        return isComparable
          ? "n.\(column) IS DISTINCT FROM o.\(column)"
          : "\(new.text(name, of: "n")) IS DISTINCT FROM \(old.text(name, of: "o"))"
      }
      let source =
        stored ?? """
          FROM \(qualified(table.name, in: name)) AS n
          FULL JOIN \(qualified(table.name, in: target)) AS o ON \(isSame.joined(separator: " AND "))
          """
      let differences = "\(source) WHERE (\(hasChanged.joined(separator: " OR ")))"
      let isCommon = "o.\(first) IS NOT NULL AND n.\(first) IS NOT NULL"
      let counts =
        ["o.\(first) IS NULL", "n.\(first) IS NULL", isCommon]
        + hasChanged.map { "\(isCommon) AND \($0)" }
      let sums = try connection.numbers(
        "SELECT \(counts.map { "count(*) FILTER (WHERE \($0))" }.joined(separator: ", ")) \(differences)"
      )
      change.keys = DatabaseChanges.Keys(added: sums[0], removed: sums[1], changed: sums[2])
      change.columns = zip(columns, sums.dropFirst(3)).filter { $1 > 0 }.map {
        (name: $0, keys: $1)
      }
    }

    /// Counts the rows and NULLs of a table; a column that is nil has no NULL.
    private func count(
      _ columns: [String?], of table: String, in schema: String
    ) throws(PostgreSQLError) -> Count {
      let nulls = columns.map { $0.map { "count(*) - count(\(quoted(identifier: $0)))" } ?? "0" }
      let sums = (["count(*)"] + nulls).joined(separator: ", ")
      let numbers = try connection.numbers(
        "SELECT \(sums) FROM ONLY \(qualified(table, in: schema))")
      return (numbers[0], Array(numbers.dropFirst()))
    }
  }

  /// The published schema is compared over the same connection.
  extension NewSchema: PreviousDatabase {
    /// The run that loaded the published schema; nil if there is none, or if the schema does not record it.
    func previousRun() throws(IngestError) -> PreviousRun? {
      try mapError(as: failure) { () throws(PostgreSQLError) in
        let stored = try StoredTable.all(in: target, on: connection)
        func has(_ table: TableDescription) -> Bool {
          table.columns.allSatisfy { stored[table.name]?.columns[$0.name] != nil }
        }
        guard has(Provenance.sources) else { return nil }
        let history = try Provenance.history { table, columns throws(PostgreSQLError) in
          guard has(table) else { return [] }
          return try connection.query(
            "SELECT \(columns) FROM \(qualified(table.name, in: target)) ORDER BY \(columns)")
        }
        return PreviousRun(
          rows: try connection.query(
            """
            SELECT \(PreviousRun.columns.joined(separator: ", "))
            FROM \(qualified(Provenance.sources.name, in: target)) WHERE NOT is_repaired
            """), history: history)
      }
    }

    func previousTables(having keys: [ParentKey]) -> Set<String> {
      keys.tables { key in
        // The run is refused, so a failed statement may end its transaction.
        let rows = try? connection.query(
          """
          SELECT 1 FROM ONLY \(qualified(key.table, in: target))
          WHERE \(quoted(identifier: key.column))::text = $1 LIMIT 1
          """, [key.value])
        return rows?.isEmpty == false
      }
    }

    func foreseenChanges(
      _ read: [ReadRows], in _: RunContext
    ) throws(IngestError) -> DatabaseChanges? {
      try mapError(as: failure) { () throws(PostgreSQLError) in
        let published = try StoredTable.all(in: target, on: connection)
        guard !published.isEmpty else { return nil }
        var changes = DatabaseChanges()
        changes.isForeseen = true
        for (table, read) in zip(schema.tables, read) {
          changes.tables.append(
            try change(of: table, published[table.name], (read.rows, read.nulls)))
        }
        return changes
      }
    }
  }

  struct StoredTable {
    /// The types of the columns, by their names; without types of others, to which their functions can belong.
    var columns: [String: String] = [:]
    var key: [String] = []

    /// The text of a column's values, as in a column of text.
    func text(_ name: String, of side: String) -> String {
      let column = "\(side).\(quoted(identifier: name))"
      return switch columns[name] {
      case "timestamp without time zone": "to_json(\(column)) #>> '{}'"
      case "timestamp with time zone": "to_json(\(column) AT TIME ZONE 'UTC') #>> '{}' || 'Z'"
      default: "\(column)::text"
      }
    }

    /// The tables of a schema by name; empty if the schema does not exist.
    static func all(
      in schema: String, on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) -> [String: StoredTable] {
      var tables: [String: StoredTable] = [:]
      let rows = try connection.query(
        """
        SELECT c.relname, CASE WHEN t.typnamespace = 'pg_catalog'::regnamespace THEN a.attname END,
          array_position(i.indkey::int2[], a.attnum), format_type(a.atttypid, a.atttypmod)
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        JOIN pg_type AS t ON t.oid = a.atttypid
        LEFT JOIN pg_index AS i ON i.indrelid = c.oid AND i.indisprimary
        WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') ORDER BY 1, 3, a.attnum
        """, [schema])
      for row in rows {
        guard let table = row[0] else { continue }
        let column = row[1]
        if let column { tables[table, default: StoredTable()].columns[column] = row[3] }
        if row[2] != nil { tables[table, default: StoredTable()].key.append(column ?? "") }
      }
      return tables
    }
  }
#endif
