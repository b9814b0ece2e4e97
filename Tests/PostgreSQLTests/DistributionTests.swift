#if PostgreSQL
  import RebrickableCatalog
  import Schema
  import SQLiteSwiftly
  import Testing

  @testable import PostgreSQL

  @Suite struct DistributionTests {
    static let boxes = TableDescription(
      "boxes", columns: [ColumnDescription("id", .integer), ColumnDescription("shelf", .integer)],
      primaryKey: ["id"])
    static let labels = TableDescription(
      "labels",
      columns: [
        ColumnDescription("label", .text), ColumnDescription("box", .integer, isNullable: true),
      ],
      primaryKey: ["label"], foreignKeys: [ForeignKeyDescription("box", references: "boxes", "id")])
    static let moves = TableDescription(
      "moves",
      columns: [ColumnDescription("source", .integer), ColumnDescription("goal", .integer)],
      primaryKey: ["goal"],
      foreignKeys: ["source", "goal"].map { ForeignKeyDescription($0, references: "boxes", "id") })
    static let schema = SchemaDescription(
      tables: [boxes, labels, moves], applicationID: 1, version: 1)

    private func definition(of table: TableDescription) throws -> TableDefinition {
      let distribution = try Distribution(
        of: Self.schema, with: [DistributedTable(table: "boxes", column: "id")])
      return try TableDefinition(table, in: "lego", distribution: distribution)
    }

    @Test func `tables with the same key are distributed together`() throws {
      let catalog = try Distribution(
        of: RebrickableCatalog.schema,
        with: [DistributedTable(table: "inventory_parts", column: "inventory_id")])
      #expect(
        catalog?.words
          == "inventories by id, inventory_parts by inventory_id, inventory_sets by inventory_id, "
          + "inventory_minifigs by inventory_id, latest_inventories by id, set_inventories by inventory_id, "
          + "older_set_inventories by inventory_id; all others are reference tables")
      // A column that can be NULL distributes nothing.
      let boxes = try Distribution(
        of: Self.schema, with: [DistributedTable(table: "boxes", column: "id")])
      #expect(boxes?.words == "boxes by id, moves by source; all others are reference tables")
      #expect(try Distribution(of: Self.schema, with: []) == nil)
    }

    @Test func `tables remain distributed by their columns, with new tables that share them`()
      throws
    {
      let published = [
        DistributedTable(table: "boxes", column: "id"),
        DistributedTable(table: "moves", column: "goal"),
        DistributedTable(table: "gone", column: "id"),
      ]
      let same = try Distribution(of: Self.schema, with: published)
      #expect(same?.words == "boxes by id, moves by goal; all others are reference tables")
      let new = try Distribution(of: Self.schema, with: [published[2], published[0]])
      #expect(new?.words == "boxes by id, moves by source; all others are reference tables")
    }

    @Test(arguments: [("boxes", "ID"), ("boxs", "id"), ("labels", "box")])
    func `a table is distributed by a required column`(table: String, column: String) {
      #expect(throws: PostgreSQLError.self) {
        try Distribution(of: Self.schema, with: [DistributedTable(table: table, column: column)])
      }
    }

    @Test func `keys that Citus cannot enforce become indexes and are checked`() throws {
      let moves = try definition(of: Self.moves)
      #expect(
        moves.placement(like: nil) == [
          #"SELECT create_distributed_table('"lego"."moves"', 'source')"#
        ])
      #expect(
        moves.placement(like: "lego") == [
          #"SELECT create_distributed_table('"lego"."moves"', 'source', colocate_with => '"lego"."moves"')"#
        ])
      #expect(moves.keyAdditions == [])
      #expect(moves.indexedKey(besides: []) == nil)
      #expect(moves.indexCreations == [#"CREATE INDEX ON "lego"."moves" ("goal")"#])
      #expect(
        moves.foreignKeyAdditions == [
          #"ALTER TABLE "lego"."moves" ADD FOREIGN KEY ("source") REFERENCES "lego"."boxes" ("id") DEFERRABLE INITIALLY DEFERRED NOT VALID"#
        ])
      #expect(
        moves.unheldConstraints.map(\.name) == [
          "unique key (goal)", "foreign key (goal) to boxes",
        ])
      let labels = try definition(of: Self.labels)
      #expect(
        labels.placement(like: "lego") == [#"SELECT create_reference_table('"lego"."labels"')"#])
      #expect(labels.keyAdditions == [#"ALTER TABLE "lego"."labels" ADD PRIMARY KEY ("label")"#])
      #expect(labels.unheldConstraints.map(\.name) == ["foreign key (box) to boxes"])
      #expect(try definition(of: Self.boxes).unheldConstraints.isEmpty)
    }
  }

  extension ServerTests {
    @Suite struct UnheldConstraintTests {
      @Test(
        arguments: [
          ("(1, 1), (1, 2)", nil), ("(1, 2), (2, 2)", "violate the unique key (goal)"),
          ("(1, 3)", "violate the foreign key (goal) to boxes"),
        ] as [(String, String?)])
      func `rows that violate a constraint are found`(rows: String, words: String?) throws {
        let connection = try connect()
        let distribution = try Distribution(
          of: DistributionTests.schema, with: [DistributedTable(table: "boxes", column: "id")])
        let schema = "moves_\(abs(rows.hashValue))"
        try connection.execute("CREATE SCHEMA \(schema)")
        let tables = try [DistributionTests.boxes, DistributionTests.moves].map {
          try TableDefinition($0, in: schema, distribution: distribution)
        }
        try connection.execute(
          tables.map { $0.creation() } + [
            "INSERT INTO \(schema).boxes VALUES (1, 1), (2, 1)",
            "INSERT INTO \(schema).moves VALUES \(rows)",
          ])
        var failure: PostgreSQLError?
        do {
          try connection.checkUnheldConstraints(of: tables[1])
        } catch {
          failure = error
        }
        #expect(failure?.message.text == words.map { "Rows of \(tables[1].qualifiedName) \($0)" })
      }

      @Test func `a database without Citus distributes nothing`() throws {
        let connection = try connect()
        #expect(try !connection.hasCitus())
        #expect(try !connection.isDistributed(schema: "pg_catalog"))
      }
    }
  }
#endif
