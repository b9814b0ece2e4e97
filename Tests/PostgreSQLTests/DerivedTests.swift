#if PostgreSQL
  import RebrickableCatalog
  import SQLiteSwiftly
  import Schema
  import TestSupport
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    /// What follows from the tables of the catalog, beside what SQLite makes of the same queries.
    @Suite struct DerivedTests {
      private let catalog = RebrickableCatalog.schema

      /// Rows with circles, several versions, sets in sets, and what is too much for 53 bits.
      ///
      /// They are written as both understand them.
      private static let rows = [
        """
        INSERT INTO themes VALUES (7, 'Model', 4), (4, 'Technic', NULL), (5, 'Car', 7), (1, 'a', 2), (2, 'b', 1),
          (3, 'c', 3)
        """,
        """
        INSERT INTO colors VALUES (0, 'Black', '05131D', false, NULL, NULL, NULL, NULL),
          (4, 'Réd', 'C91A09', false, NULL, NULL, NULL, NULL)
        """,
        "INSERT INTO part_categories VALUES (1, 'Bricks')",
        """
        INSERT INTO parts VALUES ('3383', 'Brick 2 x 4 with Groove', 1, NULL),
          ('003383', 'Plate 1 x 2 x 2/3', 1, NULL), ('é', 'x 2 x', 1, NULL), ('a''b%', ' x ', 1, NULL),
          ('p1', 'Pokémon/Ball', 1, NULL), ('p2', 'instr', 1, NULL), ('q1', 'y', 1, NULL), ('q2', 'z', 1, NULL)
        """,
        """
        INSERT INTO part_relationships VALUES ('P', '3383', '003383'), ('P', '003383', 'é'), ('P', 'é', 'a''b%'),
          ('M', 'p1', 'p2'), ('A', 'p2', 'p1'), ('P', 'p1', 'p1'), ('B', 'q1', 'q2'), ('T', 'q2', '3383'),
          ('M', 'q2', '003383')
        """,
        """
        INSERT INTO sets VALUES ('set-1', 'Super Car', 1999, 4, 0, NULL), ('box-1', 'b', 2003, 5, 0, NULL),
          ('crate-1', 'c', 1999, 1, 0, NULL), ('bare-1', 'd', 1998, 1, 0, NULL), ('vast-1', 'e', 2000, 2, 0, NULL)
        """,
        "INSERT INTO minifigs VALUES ('fig-000001', 'Castle Knight', 4, NULL)",
        """
        INSERT INTO inventories VALUES (9, 1, 'set-1'), (2, 3, 'set-1'), (3, 0, 'box-1'), (4, 1, 'crate-1'),
          (5, 1, 'fig-000001'), (6, 1, 'vast-1'), (10, 1, 'box-1')
        """,
        """
        INSERT INTO inventory_sets VALUES (10, 'set-1', 2), (4, 'box-1', 3), (4, 'set-1', 1), (2, 'crate-1', 5),
          (6, 'set-1', 9007199254740993), (6, 'box-1', 9007199254740992)
        """,
        "INSERT INTO inventory_minifigs VALUES (2, 'fig-000001', 2), (9, 'fig-000001', 7)",
        """
        INSERT INTO inventory_parts VALUES (9, '3383', 0, 100, false, NULL), (2, '3383', 0, 4, false, 'p'),
          (2, '3383', 0, 1, true, NULL), (10, '003383', 4, 1, false, NULL), (5, '3383', 0, 3, false, NULL),
          (5, 'a''b%', 0, 1, true, NULL)
        """,
      ]

      /// All that SQLite makes of the rows.
      private func file() throws -> Connection {
        let file = try Connection.inMemory()
        for table in catalog.tables + catalog.allDerivedTables {
          try file.createTable(describedBy: table)
        }
        for rows in Self.rows { try file.execute(SQL(generated: rows)) }
        for table in catalog.keyUnions.map(\.derivedTable) + catalog.derivedTables {
          try file.execute(table.insertion)
        }
        let statistics = try #require(catalog.statistics)
        for (name, query) in statistics.shared {
          try file.execute("CREATE TEMPORARY TABLE \(identifier: name) AS \(sql: query)")
        }
        for table in statistics.allTables { try file.execute(table.insertion) }
        for view in catalog.views { try file.execute(view.creation) }
        return file
      }

      /// Makes all of it in a schema, in a transaction that sets the search path for itself.
      private func fill(_ schema: String, on connection: PostgreSQLConnection) throws {
        func execute(_ statements: [String]) throws(PostgreSQLError) {
          for statement in statements { try connection.execute(statement) }
        }
        try connection.transaction { () throws(PostgreSQLError) in
          try connection.execute("SET LOCAL search_path = \(schema)")
          try execute(TableDefinition.all(of: catalog, in: schema).map { $0.creation() })
          for union in catalog.keyUnions {
            try connection.execute(TableDefinition(union.table, in: schema).creation())
          }
          try execute(Self.rows)
          for union in catalog.keyUnions {
            try connection.execute(union.postgreSQLFilling(in: schema))
          }
          func fill(_ table: DerivedTableDescription) throws(PostgreSQLError) {
            let definition = try TableDefinition(table.table, in: schema)
            try execute(
              [definition.creation(), definition.filling(by: table.query)] + definition.keyAdditions
            )
          }
          for table in catalog.derivedTables { try fill(table) }
          if let statistics = catalog.statistics {
            try execute(statistics.postgreSQLPreparation())
            for table in statistics.allTables { try fill(table) }
            try connection.execute(statistics.postgreSQLRemoval)
          }
          for view in catalog.views {
            try execute(view.postgreSQLCreation(in: schema))
          }
          try execute(RebrickableCatalog.search.postgreSQLCreation(in: schema))
        }
      }

      @Test(arguments: [false, true])
      func `tables and views have the rows that a file has`(isEnglish: Bool) throws {
        let connection = try isEnglish ? connectToEnglish() : connect()
        let schema = try newSchema(on: connection)
        try fill(schema, on: connection)
        let file = try file()
        for table in catalog.allDerivedTables.map(DescribedTable.init)
          + catalog.views.map(DescribedTable.init)
        {
          let names = table.columns.map { quoted(identifier: $0.name) }.joined(separator: ", ")
          let expected = try file.query(
            SQL(generated: "SELECT \(names) FROM \(quoted(identifier: table.name))")
          ).map { row in
            zip(row, table.columns).map { value, column in
              column.type == .boolean
                ? value == .integer(1) ? "t" : "f"
                : value.textValue ?? value.integerValue.map(String.init) ?? "∅"
            }.joined(separator: "|")
          }
          let found = try connection.query(
            "SELECT \(names) FROM \(schema).\(quoted(identifier: table.name))"
          ).map { $0.map { $0 ?? "∅" }.joined(separator: "|") }
          #expect(!found.isEmpty, "\(table.name)")
          #expect(found.sorted() == expected.sorted(), "\(table.name)")
        }
      }

      @Test func `a sum is NULL only if it is beyond 64 bits`() throws {
        let connection = try connect()
        let schema = try newSchema(on: connection)
        try fill(schema, on: connection)
        try connection.execute("SET search_path = \(schema); TRUNCATE part_stats")
        try connection.execute(
          """
          INSERT INTO inventory_parts (inventory_id, part_num, color_id, quantity, is_spare) VALUES
            (4, 'p1', 0, \(Int64.max), false), (4, 'p2', 0, \(Int64.max), false), (3, 'p2', 4, 1, false),
            (10, 'p2', 4, 1, false), (6, 'p2', 4, \(Int64.max), true),
            (3, 'q1', 0, \(Int64.max), false), (4, 'q1', 0, 1, false), (3, 'q2', 0, \(Int64.max), false)
          """)
        let statistics = try #require(catalog.statistics)
        try connection.execute(statistics.postgreSQLPreparation())
        let ofParts = statistics.tables[1]
        try connection.execute(
          try TableDefinition(ofParts.table, in: schema).filling(by: ofParts.query))
        #expect(
          try connection.query(
            """
            SELECT part_num, num_parts, num_spares, ever_num_parts FROM part_stats
            WHERE part_num LIKE '__' AND part_num > 'p' ORDER BY 1
            """
          ) == [
            ["p1", "\(Int64.max)", "0", "\(Int64.max)"], ["p2", nil, "\(Int64.max)", nil],
            ["q1", "1", "0", nil], ["q2", "0", "0", "\(Int64.max)"],
          ])
      }

      @Test func `views follow their schema when it is published`() throws {
        let connection = try connect()
        for value in ["first", "second"] {
          let candidate = try CandidateSchema(
            replacing: "derived", madeBy: "ingest", keepsPrevious: true, on: connection)
          try fill(candidate.name, on: connection)
          try connection.execute(
            "UPDATE \(candidate.name).themes SET name = '\(value)' WHERE id = 4")
          #expect(try candidate.publish() == nil)
          #expect(
            try connection.query("SELECT path FROM derived.theme_paths WHERE id = 5") == [
              ["\(value) / Model / Car"]
            ])
        }
        #expect(
          try connection.query("SELECT path FROM derived__old.theme_paths WHERE id = 7") == [
            ["first / Model"]
          ])
        #expect(
          try connection.query(
            """
            SELECT obj_description('derived.theme_paths'::regclass), col_description('derived.theme_paths'::regclass, 4)
            """) == [
              [
                "All themes, each with the path from its top-level theme.",
                "Number of themes in the path; 1 for a top-level theme.",
              ]
            ])
        #expect(connection.notices.isEmpty)
      }

      @Test(arguments: [
        ("castle knight", ["minifig fig-000001"]), ("CASTLE", ["minifig fig-000001"]),
        ("2x4", ["part 3383"]), ("\"2 x 4\" groove", ["part 3383"]), ("box-1", ["set box-1"]),
        ("3383", ["part 3383"]), ("ball", ["part p1"]), ("car -super", ["theme 5", "set box-1"]),
        ("pokémon", ["part p1"]), ("pokemon", []),
      ])
      func `words are found`(question: String, found: [String]) throws {
        let connection = try connect()
        let schema = try newSchema(on: connection)
        try fill(schema, on: connection)
        #expect(
          try connection.query(
            """
            SELECT kind || ' ' || key FROM \(schema).search, websearch_to_tsquery('simple', $1) AS question
            WHERE search @@ question ORDER BY ts_rank(search, question) DESC, key
            """, [question]) == found.map { [$0] })
      }
    }
  }
#endif
