#if PostgreSQL
  import SQLiteSwiftly
  import Testing

  @testable import PostgreSQL

  @Suite struct SortRunTests {
    // A process merges memory / 264 kB runs at once, and there are bytes / memory of them. No process has less than a
    // megabyte, and all of them together not more than the server allows.
    private static let cases: [[Int]] = [
      [64 << 20, 64 << 20, 0, 4259335], [64 << 20, 64 << 20, 1, 6023610],
      [8 << 20, 64 << 20, 3, 4 << 20], [64 << 30, 64 << 20, 2, 64 << 20],
      [64 << 20, 2 << 20, 7, 2 << 20],
    ]

    @Test(arguments: cases)
    func `a large table is sorted in runs that are merged at once`(
      numbers: [Int]
    ) throws {
      let runs = try #require(SortRuns(of: numbers[0], within: numbers[1], helpers: numbers[2]))
      #expect(runs.memory == numbers[3] && runs.helpers == numbers[2])
    }

    @Test func `a small table is sorted as the server likes`() {
      #expect(SortRuns(of: 8 << 20 - 1, within: 64 << 20, helpers: 2) == nil)
      #expect(SortRuns(of: 0, within: 0, helpers: 0) == nil)
    }

    @Test func `nothing of it is left`() throws {
      let definition = try TableDefinition(ServerTests.CreationTests.themes, in: "s")
      let alone = try #require(SortRuns(of: 8 << 20, within: 64 << 20, helpers: 0))
      #expect(
        alone.around(["CREATE INDEX ON x (y)"], of: definition) == [
          "SET maintenance_work_mem = '1470kB'", "CREATE INDEX ON x (y)",
          "RESET maintenance_work_mem",
        ])
      let helped = try #require(SortRuns(of: 8 << 20, within: 64 << 20, helpers: 2))
      #expect(
        helped.around(["CREATE INDEX ON x (y)"], of: definition) == [
          "SET maintenance_work_mem = '3072kB'",
          #"ALTER TABLE "s"."themes" SET (parallel_workers = 2)"#, "CREATE INDEX ON x (y)",
          "RESET maintenance_work_mem", #"ALTER TABLE "s"."themes" RESET (parallel_workers)"#,
        ])
    }
  }

  extension ServerTests {
    @Suite struct SortingTests {
      @Test(arguments: [true, false])
      func `the server tells how large tables are, and sorts them so`(hasHelpers: Bool) throws {
        let connection = try connect()
        let schema = try newSchema(on: connection)
        let small = try TableDefinition(CreationTests.themes, in: schema)
        let large = try TableDefinition(
          TableDescription(
            "a 'large' one",
            columns: [ColumnDescription("id", .integer), ColumnDescription("name", .text)],
            primaryKey: ["id"], indexes: [["name"]]), in: schema)
        try connection.execute([
          small.creation(), large.creation(),
          "INSERT INTO \(large.qualifiedName) SELECT n, repeat(n::text, 10) FROM generate_series(1, 200000) AS n",
          "SET maintenance_work_mem = '16MB'; SET max_parallel_maintenance_workers = 1",
        ])
        let found = try connection.sortRuns(of: [small, large], hasHelpers: hasHelpers)
        #expect(found[0] == nil)
        let bytes = try #require(
          Int(
            connection.query("SELECT pg_relation_size($1::regclass)", [large.qualifiedName])[0][0]
              ?? ""))
        let runs = try #require(found[1])
        #expect(
          runs == SortRuns(of: bytes, within: 16 << 20, helpers: hasHelpers ? 1 : 0)
            && runs.memory > 1 << 20)
        try connection.execute(runs.around(large.keyAdditions + large.indexCreations, of: large))
        #expect(
          try connection.query(
            "SELECT count(*), (SELECT reloptions FROM pg_class WHERE oid = $1::regclass) FROM pg_index "
              + "WHERE indrelid = $1::regclass AND indisvalid", [large.qualifiedName]) == [
              ["2", nil]
            ])
      }
    }
  }
#endif
