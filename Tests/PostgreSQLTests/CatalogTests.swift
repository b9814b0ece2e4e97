#if PostgreSQL
  import Schema
  import RebrickableCatalog
  import SQLiteSwiftly
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    /// The whole of a load, but for the rows of the dumps.
    @Suite struct CatalogTests {
      @Test func `a catalog is created, filled and published`() throws {
        let connection = try connect()
        let catalog = RebrickableCatalog.schema
        let candidate = try CandidateSchema(replacing: "catalog", madeBy: "ingest", on: connection)
        let tables =
          try TableDefinition.all(of: catalog, in: candidate.name)
          + catalog.allDerivedTables.map { try TableDefinition($0, in: candidate.name) }
        for table in tables {
          for statement in [table.creation()] + table.comments { try connection.execute(statement) }
        }
        try fill("themes", [[1, "Technic", .null], [2, "Arctic", 1]], tables, connection)
        try fill(
          "sets",
          [["8880-1", "Super Car", 1994, 2, 1343, .null], ["003383-1", "é", 2000, 1, 0, .null]],
          tables, connection)
        for union in catalog.keyUnions {
          try connection.execute(union.postgreSQLFilling(in: candidate.name))
        }
        for statement in tables.flatMap({ $0.keyAdditions + $0.indexCreations }) {
          try connection.execute(statement)
        }
        for statement in tables.flatMap(\.foreignKeyAdditions) { try connection.execute(statement) }
        for table in tables {
          try connection.validateForeignKeys(of: table)
          for statement in table.analysis { try connection.execute(statement) }
        }
        #expect(try candidate.publish() == nil)
        #expect(connection.notices.isEmpty)
        #expect(
          try server.psql("SELECT * FROM catalog.set_nums ORDER BY 1") == """
            003383-1|003383-1|∅
            8880-1|8880-1|∅
            """)
        let invalid = try connection.query(
          """
          SELECT count(*), count(*) FILTER (WHERE contype = 'f' AND NOT convalidated), count(*) FILTER (WHERE contype = 'f')
          FROM pg_constraint WHERE connamespace = 'catalog'::regnamespace
          """)
        let keys = tables.flatMap(\.foreignKeyAdditions).count
        #expect(invalid[0][1...] == ["0", "\(keys)"])
      }

      private func fill(
        _ name: String, _ rows: [[SQLiteValue]], _ tables: [TableDefinition],
        _ connection: PostgreSQLConnection
      ) throws {
        let table = try #require(tables.first { $0.table.name == name })
        try copy(rows, into: table, on: connection)
      }
    }
  }
#endif
