#if PostgreSQL
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    /// What others have changed in a published schema.
    @Suite struct ChangeTests {
      private let schema: MergeSchema
      private var connection: PostgreSQLConnection { schema.connection }

      private static let objects = """
        CREATE TABLE t (id bigint PRIMARY KEY, name text CHECK (name <> '')); CREATE INDEX ON t (name);
        CREATE TABLE u (a text); CREATE VIEW v AS SELECT id FROM t
        """

      init() throws { schema = MergeSchema(connection: try connect()) }

      private func load(_ rows: Int) throws {
        try schema.load(
          Self.objects, "INSERT INTO t SELECT i, 'n' || i FROM generate_series(1, \(rows)) AS i")
      }

      @Test(
        arguments: [
          ("SELECT * FROM t FOR UPDATE", nil),
          ("VACUUM FULL t", nil), ("VACUUM FREEZE t", nil), ("ANALYZE t", nil),
          ("CREATE VIEW w AS SELECT 1", nil), ("ALTER TABLE t ADD note text", nil),
          ("CREATE INDEX ON u (a)", nil), ("GRANT SELECT ON t TO PUBLIC", nil),
          ("INSERT INTO t VALUES (99, 'x')", "the rows of t"),
          ("UPDATE t SET name = name WHERE id = 2", "the rows of t"),
          ("DELETE FROM t WHERE id = 1", "the rows of t"),
          ("TRUNCATE t", "the rows of t"), ("INSERT INTO u VALUES (NULL)", "the rows of u"),
          ("DROP INDEX t_name_idx", "index of t: USING btree (name)"),
          ("DROP VIEW v", "view column v.id bigint"),
          (
            "ALTER TABLE t DROP CONSTRAINT t_name_check",
            "constraint of t: CHECK ((name <> ''::text))"
          ),
        ] as [(String, String?)], [false, true])
      func `it is found`(_ change: (statement: String, found: String?), isMerged: Bool) throws {
        try load(3)
        if isMerged { try load(4) }
        #expect(try connection.change(in: schema.target) == nil)
        try connection.execute("SET search_path = \(schema.target)")
        try connection.execute(change.statement)
        try connection.execute("SET search_path = pg_catalog")
        #expect(try connection.change(in: schema.target) == change.found)
      }

      @Test func `a transaction that began before the publication is found`() throws {
        try load(3)
        let other = try connect()
        try other.execute("BEGIN; CREATE TEMP TABLE x (); SELECT txid_current()")
        try load(4)
        #expect(try connection.change(in: schema.target) == nil)
        try other.execute("UPDATE \(schema.target).t SET name = 'late' WHERE id = 1; COMMIT")
        #expect(try connection.change(in: schema.target) == "the rows of t")
      }

      @Test(arguments: [
        "ALTER TABLE ingest_schema DROP rows, DROP snapshot",
        // As by a restore.
        "UPDATE ingest_schema SET made_by = made_by",
      ])
      func `a schema of an older version, or from a backup, is changed`(statement: String) throws {
        try load(3)
        try schema.add(statement)
        #expect(
          try connection.change(in: schema.target)
            == "it was restored, or an older ingest published it")
        try load(4)
        #expect(try connection.change(in: schema.target) == nil)
      }
    }
  }
#endif
