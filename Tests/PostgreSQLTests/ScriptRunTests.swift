#if PostgreSQL
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    /// Custom SQL in a schema that has a table `t` and a view `v` of ingest, beside a table of others.
    @Suite struct ScriptRunTests {
      private let connection: PostgreSQLConnection
      private let schema: String
      private let others: String

      init() throws {
        connection = try connect()
        (schema, others) = (try newSchema(on: connection), try newSchema(on: connection))
        try connection.execute(
          """
          CREATE TABLE \(others).t (a int PRIMARY KEY); CREATE VIEW \(others).v AS SELECT 1; SET search_path = \(schema);
          CREATE TABLE t (a int PRIMARY KEY, b text); CREATE VIEW v AS SELECT a FROM t; INSERT INTO t VALUES (1, 'x');
          SET search_path = pg_catalog
          """)
      }

      /// Runs a script in which `OTHER` is the schema of others, and returns the objects that it has made.
      private func run(_ script: String) throws -> [String] {
        try connection.beginTransaction()
        defer { connection.rollbackTransaction() }
        let run = try ScriptRun(in: schema, on: connection)
        let text = script.replacing("OTHER", with: others)
        _ = try run.run(SQLScript("folder/x.sql", Array(text.utf8)))
        return try run.made().map { "\($0.type) \($0.name)" }
      }

      @Test(
        arguments: [
          ("", []),
          ("SELECT * FROM t, OTHER.t; ANALYZE t", []),
          ("CREATE INDEX i ON t (b)", ["index i"]),
          ("CREATE TABLE ingestion ()", ["table ingestion"]),
          (
            "CREATE TABLE own (a int PRIMARY KEY REFERENCES t); INSERT INTO own SELECT a FROM t; ALTER TABLE own RENAME TO o",
            ["table o"]
          ),
          (
            "CREATE VIEW w AS SELECT * FROM OTHER.t; CREATE MATERIALIZED VIEW m AS SELECT * FROM w",
            ["view m", "view w"]
          ),
          (
            "CREATE TABLE x (); DROP TABLE x; CREATE TEMP TABLE y AS SELECT 1; UPDATE y SET \"?column?\" = 2",
            []
          ),
          ("CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'; SELECT f()", []),
          ("SET ROLE pg_monitor; RESET ROLE", []),
          ("RESET ALL; SET search_path = public; SET track_counts = on", []),
        ] as [(String, [String])])
      func `it can read everything and make objects`(script: String, made: [String]) throws {
        #expect(try run(script) == made)
      }

      private static let own = "t was made by ingest: it can be read and indexed, but not changed"
      private static let transaction =
        "All files run in one transaction that ingest begins and ends: remove "

      @Test(arguments: [
        ("SELECT 1;\nSELECT nope", ":2: statement 2: column \"nope\" does not exist"),
        ("SELECT 1,\n\n 2 +\nnope", ":4: statement 1: column \"nope\" does not exist"),
        ("SELECT 1;\n\n SELECT 1 /\n 0", ":3: statement 2: division by zero"),
        ("COMMIT", ":1: statement 1: \(transaction)COMMIT"),
        ("/**/ begin", ":1: statement 1: \(transaction)BEGIN"),
        ("COPY t TO STDOUT", ":1: statement 1: COPY cannot be used in custom SQL: use INSERT"),
        ("\\d", ":1: statement 1: Commands of psql are not SQL"),
        ("VACUUM t", ":1: statement 1: VACUUM cannot run inside a transaction block"),
        ("INSERT INTO t VALUES (2)", ": \(own)"), ("UPDATE t SET a = a", ": \(own)"),
        ("DELETE FROM t", ": \(own)"), ("TRUNCATE t", ": \(own)"),
        ("DROP TABLE t CASCADE", ": \(own)"),
        ("ALTER TABLE t ADD c int", ": \(own)"), ("ALTER TABLE t ADD CHECK (a > 0)", ": \(own)"),
        ("CREATE RULE r AS ON INSERT TO t DO NOTHING", ": \(own)"),
        (
          "CREATE TEMP TABLE x AS TABLE t; TRUNCATE t; INSERT INTO t SELECT a, 'y' FROM x",
          ": \(own)"
        ),
        (
          "DO $$ BEGIN CREATE TEMP TABLE x AS TABLE t; TRUNCATE t; INSERT INTO t SELECT a, 'y' FROM x; END $$",
          ": \(own)"
        ),
        (
          """
          CREATE TABLE x (); CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN UPDATE t SET b = 'y'; RETURN NULL; END $$;
          CREATE CONSTRAINT TRIGGER g AFTER INSERT ON x DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION f();
          INSERT INTO x DEFAULT VALUES
          """, ": \(own)"
        ),
        (
          "CREATE TABLE x (a int REFERENCES t DEFERRABLE INITIALLY DEFERRED); INSERT INTO x VALUES (9)",
          ": at the end: insert or update on table \"x\" violates foreign key constraint \"x_a_fkey\""
        ),
        ("ALTER TABLE t ENABLE ROW LEVEL SECURITY", ": \(own)"),
        ("GRANT SELECT ON t TO PUBLIC", ": \(own)"),
        ("CREATE POLICY p ON t USING (true)", ": \(own)"),
        ("ALTER TABLE t SET (fillfactor = 50)", ": \(own)"),
        ("ALTER TABLE t OWNER TO pg_monitor", ": \(own)"),
        (
          "PREPARE TRANSACTION 'x'",
          ":1: statement 1: Transactions cannot be prepared in custom SQL"
        ),
        (
          "CREATE TABLE ingest_x ()",
          ": names beginning with ingest_, such as ingest_x, are reserved"
        ),
        ("SELECT pg_advisory_lock(7)", ": the advisory locks were changed"),
        ("SET track_counts = off", ": track_counts was turned off"),
        ("ALTER TABLE t RENAME TO u", ": \(own)"),
        ("DROP VIEW v", ": an object made by ingest was changed: view column v.a integer"),
        (
          "INSERT INTO OTHER.t VALUES (1)",
          ": OTHER.t is outside the new schema, where nothing can be created or changed"
        ),
        (
          "DROP VIEW OTHER.v",
          ": OTHER.v is outside the new schema, where nothing can be created or changed"
        ),
        (
          "CREATE TABLE OTHER.u ()",
          ": OTHER.u is outside the new schema, where nothing can be created or changed"
        ),
        ("SET ROLE pg_monitor", ": the role was changed to pg_monitor: end with RESET ROLE"),
      ])
      func `what it must not do is refused`(script: String, message: String) throws {
        let error = try #require(throws: PostgreSQLError.self) { try run(script) }
        #expect(error.kind == .script)
        #expect(error.message.text == "folder/x.sql" + message.replacing("OTHER", with: others))
        #expect(try connection.texts("SELECT b FROM \(schema).t") == ["x"])
      }

      @Test func `a file can change and drop what an earlier file has made`() throws {
        try connection.beginTransaction()
        defer { connection.rollbackTransaction() }
        let run = try ScriptRun(in: schema, on: connection)
        let scripts = [
          "CREATE TABLE a (x int); CREATE TABLE b (x int); CREATE VIEW c AS SELECT 1 AS x",
          "DROP TABLE a; ALTER TABLE b ALTER x SET NOT NULL; CREATE OR REPLACE VIEW c AS SELECT 1 AS x, 2 AS y",
        ]
        for script in scripts { _ = try run.run(SQLScript("x.sql", Array(script.utf8))) }
        #expect(try run.made().map(\.name) == ["b", "c"])
      }

      @Test func `settings of the session last only as long as the script`() throws {
        try connection.execute("SET work_mem = '5MB'; SET datestyle = 'ISO'")
        try connection.beginTransaction()
        let run = try ScriptRun(in: schema, on: connection)
        let script =
          "SET work_mem = '7MB'; SET LOCAL datestyle = 'German'; SET row_security = on; SET jit = off"
        let wasOn = try connection.texts("SHOW jit")
        _ = try run.run(SQLScript("x.sql", Array(script.utf8)))
        try connection.commitTransaction()
        #expect(try connection.texts("SHOW work_mem") == ["5MB"])
        #expect(try connection.texts("SHOW datestyle") == ["ISO, MDY"])
        #expect(try connection.texts("SHOW row_security") == ["off"])
        #expect(try connection.texts("SHOW jit") == wasOn)
        #expect(try connection.texts("SHOW search_path") == ["pg_catalog, pg_temp"])
      }
    }
  }
#endif
