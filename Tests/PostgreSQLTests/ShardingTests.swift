#if PostgreSQL
  import RebrickableCatalog
  import SQLiteSwiftly
  import Testing

  @testable import PostgreSQL

  /// What is defined where if tables have their rows on several servers.
  @Suite struct ShardingTests {
    private static func sharding(
      _ tables: (String, String)..., servers: [String] = ["one", "two"]
    ) throws(PostgreSQLError) -> Sharding {
      try Sharding(
        tables.map { Sharding.Table($0.0, by: $0.1) }, on: servers, of: RebrickableCatalog.schema)
    }

    private static func references(
      of table: String, _ sharding: Sharding, isShard: Bool
    ) throws -> [String] {
      let described = RebrickableCatalog.schema.tables.filter { $0.name == table }
      return try sharding.definitions(of: described, in: "lego", isShard: isShard)
        .flatMap(\.foreignKeys).map(\.table)
    }

    @Test func `without shards every table is as it is described`() throws {
      let sharding = try Sharding([], on: [], of: RebrickableCatalog.schema)
      for table in try sharding.definitions(
        of: RebrickableCatalog.schema.tables, in: "lego", isShard: false)
      {
        #expect(table.partitions == nil)
        #expect(table.creation == (try TableDefinition(table.table, in: "lego").creation))
        #expect(table.foreignKeys == table.table.foreignKeys.filter(\.isDeclared))
      }
    }

    @Test func `the coordinator has partitions without keys`() throws {
      let sharding = try Self.sharding(("inventory_parts", "inventory_id"))
      let described = RebrickableCatalog.schema.tables.filter { $0.name == "inventory_parts" }
      let table = try sharding.definitions(of: described, in: "lego", isShard: false)[0]
      #expect(table.creation.hasSuffix(") PARTITION BY HASH (\"inventory_id\")"))
      #expect(table.keyAdditions == [])
      #expect(table.indexCreations == [])
      #expect(table.foreignKeyAdditions == [])
      #expect(table.analysis == [])
      #expect(
        table.partitionCreations == [
          """
          CREATE FOREIGN TABLE "lego"."inventory_parts_1" PARTITION OF "lego"."inventory_parts"
          FOR VALUES WITH (MODULUS 2, REMAINDER 0) SERVER "one"
          OPTIONS (schema_name 'lego', table_name 'inventory_parts', fetch_size '10000',
            use_remote_estimate 'true')
          """,
          """
          CREATE FOREIGN TABLE "lego"."inventory_parts_2" PARTITION OF "lego"."inventory_parts"
          FOR VALUES WITH (MODULUS 2, REMAINDER 1) SERVER "two"
          OPTIONS (schema_name 'lego', table_name 'inventory_parts', fetch_size '10000',
            use_remote_estimate 'true')
          """,
        ])
      let shard = try sharding.definitions(of: described, in: "lego", isShard: true)[0]
      #expect(shard.partitions == nil)
      #expect(shard.keyAdditions == (try TableDefinition(described[0], in: "lego").keyAdditions))
    }

    @Test func `a reference is checked where all rows are that it can lead to`() throws {
      let one = try Self.sharding(("inventory_parts", "inventory_id"))
      #expect(try Self.references(of: "inventory_parts", one, isShard: false) == [])
      #expect(
        try Self.references(of: "inventory_parts", one, isShard: true) == [
          "inventories", "parts", "colors",
        ])
      let both = try Self.sharding(("inventory_parts", "inventory_id"), ("inventories", "id"))
      #expect(
        try Self.references(of: "inventory_parts", both, isShard: true) == [
          "inventories", "parts", "colors",
        ])
      #expect(try Self.references(of: "inventory_sets", both, isShard: true) == ["sets"])
      #expect(try Self.references(of: "inventory_sets", both, isShard: false) == ["sets"])
      let apart = try Self.sharding(("inventory_parts", "part_num"), ("inventories", "id"))
      #expect(
        try Self.references(of: "inventory_parts", apart, isShard: true) == ["parts", "colors"])
      // The keys of sets and minifigs are in one table, which has only some of the keys then.
      let sets = try Self.sharding(("sets", "set_num"))
      #expect(try Self.references(of: "inventories", sets, isShard: true) == [])
      #expect(try Self.references(of: "inventories", sets, isShard: false) == ["set_nums"])
    }

    @Test(
      arguments: [
        ("bricks", "id", "There is no table bricks to be sharded"),
        (
          "sets", "id",
          "The table sets has no column id of integers or texts by which it can be sharded"
        ),
        (
          "inventory_parts", "is_spare",
          "The table inventory_parts has no column is_spare of integers or texts by which it can be sharded"
        ),
      ])
    func `what cannot be sharded is refused`(
      table: String, column: String, message: String
    ) throws {
      let error = try #require(throws: PostgreSQLError.self) {
        try Self.sharding((table, column))
      }
      #expect(error.kind == .misuse)
      #expect(error.message.text == message)
    }
  }
#endif
