#if PostgreSQL
  package import Vocabulary
  import PostgreSQL
  package import SQLiteDestination
  package import Schema
  import SQLiteSwiftly
  import Text
  import Provenance

  /// Checks a published schema, without changing it.
  ///
  /// The subject `structure` is left to `pg_amcheck`, which checks the pages and indexes of a server.
  package struct SchemaCheck {
    private let published: PublishedSchema
    private let schema: SchemaDescription

    package init(_ published: PublishedSchema, _ schema: SchemaDescription) {
      self.published = published
      self.schema = schema
    }

    package func run() throws(IngestError) -> DatabaseCheck.Outcome {
      let (name, connection) = (published.name, published.connection)
      let recorded = try recordedFaults()
      return try mapError(as: { IngestError($0, in: published.output, isReading: true) }) {
        () throws(PostgreSQLError) in
        // All queries see the same rows.
        try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        defer { connection.rollbackTransaction() }
        let stored = try StoredTable.all(in: name, on: connection)
        let absent = (schema.tables + schema.allDerivedTables).flatMap { table in
          table.columns.filter { stored[table.name]?.columns[$0.name] == nil }.map {
            "column \(table.name).\($0.name) of the description"
          }
        }
        let missing = try connection.missingObjects(in: name)
        var findings: [DatabaseCheck.Finding] = [
          .init(
            subject: .schema,
            faults: (missing.map(\.words) + absent).map { "missing or changed: \($0)" })
        ]
        // A table that has lost a column cannot be read.
        if absent.isEmpty, !missing.contains(where: \.isColumn) {
          if connection.usesCitus { try copyTables(on: connection) }
          let tables = try TableDefinition.all(of: schema, in: place)
          findings += [
            .init(
              subject: .values,
              faults: try all(tables) { table throws(PostgreSQLError) in
                try connection.valueFaults(in: table)
              }),
            .init(
              subject: .references,
              faults: try all(tables) { table throws(PostgreSQLError) in
                try connection.orphans(in: table)
              }),
            .init(subject: .derived, faults: try derivedFaults(on: connection)),
            .init(subject: .search, faults: try searchFaults(on: connection)),
            .init(subject: .rowCounts, faults: try rowCountFaults(on: connection) + recorded),
          ]
        }
        return DatabaseCheck.Outcome(
          summary: published.summary, findings: findings,
          additions: try connection.additions(to: name), notChecked: [])
      }
    }

    /// The schema of the tables to read.
    private var place: String { published.connection.usesCitus ? "pg_temp" : published.name }

    /// A clause by which queries of the description find the tables and views, whose schema is not in the search path.
    ///
    /// Others may have replaced the published views.
    private var sources: String {
      let tables = (schema.tables + schema.allDerivedTables).map { table in
        let columns = table.columns.map { quoted(identifier: $0.name) }.joined(separator: ", ")
        return (table.name, "SELECT \(columns) FROM ONLY \(qualified(table.name, in: place))")
      }
      let all = tables + schema.views.map { ($0.name, $0.query.postgreSQL) }
      let parts = all.map { "\(quoted(identifier: $0)) AS NOT MATERIALIZED (\($1))" }
      return "WITH \(parts.joined(separator: ",\n"))\n"
    }

    private func all(
      _ tables: [TableDefinition], _ faults: (TableDefinition) throws(PostgreSQLError) -> [String]
    ) throws(PostgreSQLError) -> [String] {
      var all: [String] = []
      for table in tables { all += try faults(table) }
      return all
    }

    private func derivedFaults(
      on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) -> [String] {
      let unions = schema.keyUnions.map { union in
        (union.table, union.query(null: "NULL::text", of: quoted(identifier:)))
      }
      var faults: [String] = []
      func check(_ table: TableDescription, _ query: String) throws(PostgreSQLError) {
        faults += try connection.faults(
          of: TableDefinition(table, in: place), filledBy: query, reading: sources)
      }
      for (table, query) in unions { try check(table, query) }
      for derived in schema.derivedTables { try check(derived.table, derived.query.postgreSQL) }
      guard let statistics = schema.statistics else { return faults }
      try connection.execute(statistics.postgreSQLPreparation(reading: sources))
      for derived in statistics.allTables { try check(derived.table, derived.query.postgreSQL) }
      try connection.execute(statistics.postgreSQLRemoval)
      return faults
    }

    /// Copies the tables into temporary ones: Citus refuses some of the queries, and does not enforce each key.
    private func copyTables(on connection: PostgreSQLConnection) throws(PostgreSQLError) {
      let names = (schema.tables + schema.allDerivedTables).map(\.name)
      try connection.execute(
        names.flatMap { name in
          let copy = qualified(name, in: place)
          let table = qualified(name, in: published.name)
          return [
            "CREATE TEMPORARY TABLE \(copy) ON COMMIT DROP AS TABLE \(table)", "ANALYZE \(copy)",
          ]
        })
    }

    private func searchFaults(
      on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) -> [String] {
      guard let search = schema.search,
        try StoredTable.all(in: published.name, on: connection)[search.name] != nil
      else { return [] }
      let table = TableDescription(
        search.name,
        columns: search.columns.map { ColumnDescription($0.name, .text, isNullable: true) },
        primaryKey: [])
      return try connection.faults(
        of: TableDefinition(table, in: published.name),
        filledBy: search.entries.map { "(\($0.postgreSQL))" }.joined(separator: " UNION ALL "),
        reading: sources)
    }

    private func rowCountFaults(
      on connection: PostgreSQLConnection
    ) throws(PostgreSQLError) -> [String] {
      let rows = try connection.query(
        """
        SELECT table_name, sum(inserted) FROM \(qualified(Provenance.sources.name, in: published.name)) GROUP BY 1
        """)
      let inserted = Dictionary(rows.map { ($0[0] ?? "", $0[1]) }) { first, _ in first }
      var faults: [String] = []
      for table in schema.tables {
        let count = try connection.numbers(
          "SELECT count(*) FROM ONLY \(qualified(table.name, in: published.name))")[0]
        let expected = (inserted[table.name] ?? nil).flatMap { Int($0) } ?? 0
        guard count != expected else { continue }
        faults.append(
          "\(table.name): expected \(expected.of("row")), as recorded in ingest_sources, found "
            + count.grouped)
      }
      return faults
    }

    /// Source files whose counts do not add up.
    private func recordedFaults() throws(IngestError) -> [String] {
      try published.reading { provenance throws(SQLiteError) in
        try provenance.query(
          """
          SELECT 'ingest_sources, ' || file_name || ' of ' || table_name || ': read '
            || records || ' records, but the counts add up to ' || (inserted + rejected + replaced + left_out)
          FROM ingest_sources WHERE inserted + rejected + replaced + left_out <> records
          """, as: String.self)
      }
    }
  }
#endif
