#if PostgreSQL
  import Foundation
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    /// What others have added to a schema, and who uses it, when rows are merged into it.
    @Suite struct MergeEnvironmentTests {
      private let schema: MergeSchema
      private var connection: PostgreSQLConnection { schema.connection }
      private var target: String { schema.target }

      private let objects = "CREATE TABLE t (id bigint PRIMARY KEY, name text)"
      private let first = "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')"
      private let second = "INSERT INTO t VALUES (1, 'a'), (2, 'B'), (4, 'd')"
      private let firstRows = ["t(1,a)", "t(2,b)", "t(3,c)"]

      init() throws { schema = MergeSchema(connection: try connect()) }

      private func query(_ sql: String) throws -> [[String?]] {
        try connection.query(sql.replacing("{T}", with: target))
      }

      @Test func `what others have added stays and works`() throws {
        try schema.load(objects, first)
        let guest = target + "_guest"
        try schema.add(
          """
          ALTER TABLE t ADD note text; UPDATE t SET note = 'n' || id; CREATE INDEX mine ON t (note);
          CREATE VIEW names AS SELECT id, name, note FROM t; CREATE MATERIALIZED VIEW kept AS SELECT * FROM t;
          CREATE TABLE log (words text);
          CREATE FUNCTION log() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO \(target).log VALUES (TG_OP); RETURN NULL; END $$;
          CREATE TRIGGER mine AFTER INSERT OR UPDATE OR DELETE ON t FOR EACH ROW EXECUTE FUNCTION log();
          CREATE ROLE \(guest); GRANT USAGE ON SCHEMA \(target) TO \(guest); GRANT SELECT ON t, names TO \(guest);
          ALTER TABLE t ENABLE ROW LEVEL SECURITY; CREATE POLICY mine ON t TO \(guest) USING (id > 1);
          CREATE ROLE \(guest)_2; ALTER DEFAULT PRIVILEGES FOR ROLE \(guest)_2 IN SCHEMA \(target) GRANT SELECT ON TABLES TO \(guest)
          """)
        let parts = """
          SELECT oid::text FROM pg_class WHERE relnamespace = '{T}'::regnamespace AND relname <> 'ingest_schema'
          UNION ALL SELECT tgname FROM pg_trigger WHERE tgrelid = '{T}.t'::regclass
          UNION ALL SELECT polname FROM pg_policy WHERE polrelid = '{T}.t'::regclass ORDER BY 1
          """
        let before = try query(parts)
        #expect(try schema.load(objects, second))
        #expect(try query(parts) == before)
        #expect(
          try query("SELECT * FROM {T}.names ORDER BY 1") == [
            ["1", "a", "n1"], ["2", "B", "n2"], ["4", "d", nil],
          ])
        #expect(try query("SELECT count(*) FROM {T}.kept") == [["3"]])
        #expect(try query("SELECT words FROM {T}.log") == [["DELETE"], ["UPDATE"], ["INSERT"]])
        try connection.execute("BEGIN; SET LOCAL ROLE \(guest); SET LOCAL row_security = on")
        #expect(try query("SELECT id, name FROM {T}.t ORDER BY 1") == [["2", "B"], ["4", "d"]])
        try connection.execute("ROLLBACK")
      }

      /// Replacing the changed rows would lose the values of the column.
      @Test func `a column of others keeps its values beside a unique key`() throws {
        let unique = "CREATE TABLE t (id bigint PRIMARY KEY, u text UNIQUE)"
        try schema.load(unique, "INSERT INTO t VALUES (1, 'a'), (2, 'b')")
        try schema.add("ALTER TABLE t ADD note text; UPDATE t SET note = 'n' || id")
        #expect(try schema.load(unique, "INSERT INTO t VALUES (1, 'c'), (2, 'b')"))
        #expect(try schema.texts() == ["t(1,c,n1)", "t(2,b,n2)"])
        #expect(
          try schema.failure(unique, "INSERT INTO t VALUES (1, 'b'), (2, 'c')").message.sqlState
            == "23505")
        #expect(try schema.texts() == ["t(1,c,n1)", "t(2,b,n2)"])
      }

      @Test(arguments: ["CASCADE", "SET NULL", "NO ACTION", "RESTRICT"])
      func `a table of others in the schema keeps its rows beside a unique key`(action: String)
        throws
      {
        let unique = "CREATE TABLE t (id bigint PRIMARY KEY, u text UNIQUE)"
        try schema.load(unique, "INSERT INTO t VALUES (1, 'a'), (2, 'b')")
        try schema.add(
          "CREATE TABLE stock (t bigint REFERENCES t ON DELETE \(action)); INSERT INTO stock VALUES (1)"
        )
        #expect(try schema.load(unique, "INSERT INTO t VALUES (1, 'c'), (3, 'b')"))
        #expect(try schema.texts() == ["stock(1)", "t(1,c)", "t(3,b)"])
      }

      @Test func `a row that another schema refers to is not removed`() throws {
        try schema.load(objects, first)
        try connection.execute(
          """
          CREATE SCHEMA \(target)_app; CREATE TABLE \(target)_app.stock (t bigint REFERENCES \(target).t);
          INSERT INTO \(target)_app.stock VALUES (3)
          """)
        let error = try schema.failure(objects, second)
        #expect(error.message.sqlState == "23503")
        #expect(error.message.detail == "Key (id)=(3) is still referenced from table \"stock\".")
        #expect(try schema.texts() == firstRows)
        try connection.execute("UPDATE \(target)_app.stock SET t = 2")
        #expect(try schema.load(objects, second))
        #expect(
          try query("SELECT conname FROM pg_constraint WHERE confrelid = '{T}.t'::regclass") == [
            ["stock_t_fkey"]
          ])
      }

      @Test(arguments: ["id bigint PRIMARY KEY", "id bigint"])
      func `a table that inherits keeps its rows`(id: String) throws {
        let objects = "CREATE TABLE t (\(id), name text)"
        try schema.load(objects, first)
        try schema.add(
          "CREATE TABLE child () INHERITS (t); INSERT INTO child VALUES (2, 'b'), (9, 'z')")
        #expect(try schema.load(objects, second))
        #expect(try schema.texts() == ["child(2,b)", "child(9,z)", "t(1,a)", "t(2,B)", "t(4,d)"])
      }

      @Test(arguments: [
        ("BEFORE INSERT", "NEW.name := 'mine'; RETURN NEW", 1),
        ("BEFORE DELETE", "RETURN NULL", 1),
        ("BEFORE INSERT OR UPDATE", "RETURN NULL", 2),
      ])
      func `a trigger that changes or skips rows is refused`(
        event: String, body: String, count: Int
      ) throws {
        try schema.load(objects, first)
        try schema.add(
          """
          CREATE FUNCTION mine() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN \(body.replacing("'", with: "''")); END';
          CREATE TRIGGER mine \(event) ON t FOR EACH ROW EXECUTE FUNCTION mine()
          """)
        let error = try schema.failure(objects, second)
        #expect(error.kind == .misuse)
        #expect(
          error.message.text
            == "\(count == 1 ? "1 row" : "2 rows") of \"\(target)\".\"t\" differ from the loaded rows after the changes"
        )
        #expect(
          error.message.hint
            == "Check whether a trigger or a rule of the table changes rows, or use --publish swap."
        )
        #expect(try schema.texts() == firstRows)
      }

      @Test(arguments: [
        ("UPDATE {T}.u SET name = 'mine' WHERE id = 1", "1 row"), ("DELETE FROM {T}.u", "2 rows"),
        ("INSERT INTO {T}.u VALUES (9, 'z')", "1 row"), ("TRUNCATE {T}.u", "2 rows"),
        ("ALTER TABLE {T}.u ALTER name TYPE text USING name || 'x'", "2 rows"),
        // Together, these write as many rows as the merge.
        ("DELETE FROM {T}.u WHERE id = 1; INSERT INTO {T}.u VALUES (1, 'z')", "1 row"),
      ])
      func `a trigger that changes rows of another table is refused`(
        body: String, count: String
      ) throws {
        let both = objects + "; CREATE TABLE u (id bigint PRIMARY KEY, name text)"
        let others = "; INSERT INTO u VALUES (1, 'a'), (2, 'b')"
        try schema.load(both, first + others)
        try schema.add(
          """
          CREATE FUNCTION mine() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            \(body.replacing("{T}", with: target)); RETURN NULL; END $$;
          CREATE TRIGGER mine AFTER UPDATE ON t FOR EACH STATEMENT EXECUTE FUNCTION mine()
          """)
        #expect(
          try schema.failure(both, second + others).message.text
            == "\(count) of \"\(target)\".\"u\" differ from the loaded rows after the changes")
        #expect(try schema.texts() == firstRows + ["u(1,a)", "u(2,b)"])
      }

      @Test func `a rule that skips rows is refused`() throws {
        try schema.load(objects, first)
        try schema.add("CREATE RULE mine AS ON UPDATE TO t DO INSTEAD NOTHING")
        #expect(
          try schema.failure(objects, second).message.text
            == "1 row of \"\(target)\".\"t\" differ from the loaded rows after the changes")
      }

      @Test func `a type that changes values is refused`() throws {
        let numbers = "CREATE TABLE t (id bigint PRIMARY KEY, r double precision)"
        try schema.load(numbers, "INSERT INTO t VALUES (1, 0.5)")
        let candidate = try schema.fill(numbers, "INSERT INTO t VALUES (1, 0.1), (2, 0.25)")
        try schema.add("ALTER TABLE t ALTER r TYPE real")
        #expect(
          candidate.refusal()?.message.text
            == "1 row of \"\(target)\".\"t\" differ from the loaded rows after the changes")
        #expect(try schema.texts() == ["t(1,0.5)"])
      }

      @Test func `differences are stored when a merge begins, and others cannot write`() throws {
        try schema.load(objects, first)
        var candidate = try schema.fill(objects, second)
        let source = try candidate.beginMerge(of: ["t"])[0]
        #expect(
          try query("SELECT n.id, o.id, n.name, o.name \(source ?? "") ORDER BY d.c1") == [
            ["2", "2", "B", "b"], [nil, "3", nil, "c"], ["4", nil, "d", nil],
          ])
        let other = try connect()
        try other.execute("SET lock_timeout = '1ms'")
        let error = #expect(throws: PostgreSQLError.self) {
          try other.execute("DELETE FROM \(target).t")
        }
        #expect(error?.message.sqlState == "55P03")
        #expect(try candidate.publish() == nil)
        #expect(try schema.texts() == ["t(1,a)", "t(2,B)", "t(4,d)"])
      }

      @Test(arguments: [false, true])
      func `a merge that has begun is not published if it is refused`(isKept: Bool) throws {
        try schema.load(objects, first)
        var candidate = try schema.fill(objects, second)
        _ = try candidate.beginMerge(of: ["t"])
        if isKept {
          #expect(try candidate.keep() == target + "__refused")
        } else {
          _ = consume candidate
        }
        #expect(!connection.isInTransaction)
        #expect(try schema.texts() == firstRows)
        #expect(
          try query("SELECT nspname FROM pg_namespace WHERE nspname LIKE '{T}\\_%' ORDER BY 1")
            == (isKept ? [[target + "__refused"]] : []))
        #expect(
          try query("SELECT relname FROM pg_class WHERE relname LIKE 'ingest changes%'") == [])
      }

      @Test func `a deferred trigger that changes rows is refused`() throws {
        try schema.load(objects, first)
        try schema.add(
          """
          CREATE FUNCTION mine() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            UPDATE \(target).t SET name = 'mine' WHERE id = NEW.id; RETURN NULL; END $$;
          CREATE CONSTRAINT TRIGGER mine AFTER INSERT ON t DEFERRABLE FOR EACH ROW EXECUTE FUNCTION mine()
          """)
        #expect(
          try schema.failure(objects, second).message.text
            == "1 row of \"\(target)\".\"t\" differ from the loaded rows after the changes")
        #expect(try schema.texts() == firstRows)
      }

      struct Cascade: Sendable, CustomTestStringConvertible {
        let objects: String
        let lost: String
        let rows: [[String?]]
        var testDescription: String { objects }
      }

      /// The rows that refer to a removed row, or to a changed value.
      @Test(arguments: [
        Cascade(
          objects:
            "CREATE TABLE {A}.x (t bigint REFERENCES {T}.t ON DELETE CASCADE); INSERT INTO {A}.x VALUES (1), (3), (3)",
          lost: "2 rows of {A}.x", rows: [["1"]]),
        Cascade(
          objects:
            "CREATE TABLE {A}.x (t bigint REFERENCES {T}.t ON DELETE SET NULL); INSERT INTO {A}.x VALUES (1), (3)",
          lost: "1 row of {A}.x", rows: [["1"], [nil]]),
        Cascade(
          objects:
            "CREATE TABLE {A}.x (t bigint DEFAULT 2 REFERENCES {T}.t ON DELETE SET DEFAULT); INSERT INTO {A}.x VALUES (1), (3)",
          lost: "1 row of {A}.x", rows: [["1"], ["2"]]),
        Cascade(
          objects: """
            CREATE TABLE {A}.x (t bigint PRIMARY KEY REFERENCES {T}.t ON DELETE CASCADE); INSERT INTO {A}.x VALUES (1), (3);
            CREATE TABLE {A}.y (x bigint REFERENCES {A}.x ON DELETE CASCADE); INSERT INTO {A}.y VALUES (1), (3), (3), (3)
            """, lost: "1 row of {A}.x, 3 rows of {A}.y", rows: [["1"]]),
        Cascade(
          objects: """
            CREATE TABLE {A}.x (t bigint REFERENCES {T}.t ON DELETE CASCADE) PARTITION BY LIST (t);
            CREATE TABLE {A}.x3 PARTITION OF {A}.x FOR VALUES IN (3); CREATE TABLE {A}.x1 PARTITION OF {A}.x DEFAULT;
            INSERT INTO {A}.x VALUES (1), (3)
            """, lost: "1 row of {A}.x3", rows: [["1"]]),
        Cascade(
          objects:
            "CREATE TABLE {A}.x (t text REFERENCES {T}.t (u) ON UPDATE CASCADE); INSERT INTO {A}.x VALUES ('a'), ('b')",
          lost: "1 row of {A}.x", rows: [["B"], ["a"]]),
      ])
      func `rows of others are deleted or changed only if that is allowed`(_ cascade: Cascade)
        throws
      {
        let objects = "CREATE TABLE t (id bigint PRIMARY KEY, u text UNIQUE)"
        let app = target + "_app"
        func named(_ text: String) -> String {
          text.replacing("{T}", with: target).replacing("{A}", with: app)
        }
        try schema.load(objects, first)
        try connection.execute("CREATE SCHEMA \(app)")
        try connection.execute(named(cascade.objects))
        let before = try query("SELECT t::text FROM \(app).x ORDER BY 1")
        let error = try schema.failure(objects, second)
        #expect(error.kind == .inUse)
        #expect(error.message.detail == named(cascade.lost))
        #expect(try query("SELECT t::text FROM \(app).x ORDER BY 1") == before)
        #expect(try schema.texts() == firstRows)
        // Nothing is lost if no removed row is referred to.
        #expect(try schema.load(objects, first + ", (9, 'z')"))
        let candidate = try schema.fill(objects, second, allowsLoss: true)
        var lost: [String] = []
        #expect(try candidate.publish { lost = $0 } == nil)
        #expect(lost.joined(separator: ", ") == named(cascade.lost))
        #expect(try query("SELECT t::text FROM \(app).x ORDER BY 1") == cascade.rows)
      }

      @Test(arguments: [
        ("FOR TABLES IN SCHEMA {T}", true), ("FOR TABLE {T}.t", true), ("FOR TABLE {T}.u", false),
        ("FOR TABLE {T}.t WHERE (name <> '')", false), ("FOR TABLE {T}.t (name)", false),
        ("FOR TABLE {T}.u WITH (publish = 'insert')", true),
      ])
      func `a publication that allows no changes is found before the load`(
        tables: String, allows: Bool
      ) throws {
        let keyless = tables.contains(".u")
        let objects = self.objects + (keyless ? "; CREATE TABLE u (a text)" : "")
        try schema.load(objects, first)
        try connection.execute(
          "CREATE PUBLICATION \(target) \(tables.replacing("{T}", with: target))")
        defer { try? connection.execute("DROP PUBLICATION \(target)") }
        guard !allows else {
          #expect(try schema.load(objects, second))
          #expect(try schema.texts() == ["t(1,a)", "t(2,B)", "t(4,d)"])
          return
        }
        var candidate = try CandidateSchema(replacing: target, madeBy: "x", on: connection)
        let error = #expect(throws: PostgreSQLError.self) {
          try candidate.plan(nil, creating: [objects], allowsLoss: false)
        }
        #expect(error?.kind == .inUse)
        #expect(
          error?.message.text.hasPrefix("A publication does not allow changes of \"\(target)\".")
            == true)
      }

      @Test func `a reader sees the rows of its snapshot`() throws {
        try schema.load(objects, first)
        let reader = try connect()
        try reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        let sql = "SELECT 't' || t::text FROM \(target).t ORDER BY 1"
        #expect(try reader.texts(sql) == firstRows)
        #expect(try schema.load(objects, second))
        #expect(try reader.texts(sql) == firstRows)
        try reader.execute("COMMIT")
        #expect(try reader.texts(sql) == ["t(1,a)", "t(2,B)", "t(4,d)"])
      }

      /// A trigger waits for a lock, and with it the merge.
      @Test func `a reader does not wait during a merge`() throws {
        try schema.load(objects, first)
        try schema.add(
          """
          CREATE FUNCTION mine() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            PERFORM pg_advisory_xact_lock('\(target).t'::regclass::bigint); RETURN NULL; END $$;
          CREATE TRIGGER mine AFTER INSERT ON t FOR EACH ROW EXECUTE FUNCTION mine()
          """)
        let reader = try connect()
        try reader.execute("SELECT pg_advisory_lock('\(target).t'::regclass::bigint)")
        let (target, objects, second) = (target, objects, second)
        let string = try server.string
        let merge = InThread {
          let own = MergeSchema(connection: try PostgreSQLConnection(string), target: target)
          return try own.load(objects, second)
        }
        while try reader.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
          .isEmpty
        { usleep(10_000) }
        try reader.execute("SET lock_timeout = '1ms'")
        #expect(try reader.texts("SELECT 't' || t::text FROM \(target).t ORDER BY 1") == firstRows)
        try reader.execute("SELECT pg_advisory_unlock_all()")
        #expect(try merge.value())
        #expect(try schema.texts() == ["t(1,a)", "t(2,B)", "t(4,d)"])
      }

      @Test func `a table that others drop during the run is missed`() throws {
        let both = objects + "; CREATE TABLE u (id bigint)"
        try schema.load(both, first)
        let candidate = try schema.fill(both, second)
        try schema.add("DROP TABLE u")
        let refusal = candidate.refusal()
        #expect(refusal?.message.sqlState == "42P01")
        #expect(try schema.texts() == firstRows)
        #expect(try !schema.load(both, second))
      }

      @Test func `the owner of a schema merges without other privileges, and loses none`() throws {
        let (loader, other) = (target + "_loader", target + "_other")
        try connection.execute(
          "CREATE ROLE \(loader) LOGIN; CREATE ROLE \(other); \(creationGrant) \(loader)")
        let own = MergeSchema(connection: try connect(as: loader), target: target)
        try own.load(objects, first)
        try connection.execute(
          "ALTER DEFAULT PRIVILEGES FOR ROLE \(other) IN SCHEMA \(target) GRANT SELECT ON TABLES TO \(loader)"
        )
        #expect(try own.load(objects, second))
        #expect(try own.texts() == ["t(1,a)", "t(2,B)", "t(4,d)"])
      }

      @Test func `a refused schema survives a crash`() throws {
        try schema.load(objects, first)
        let kept = try schema.fill(objects, second).keep()
        #expect(kept == target + "__refused")
        #expect(
          try query(
            """
            SELECT DISTINCT relpersistence FROM pg_class WHERE relnamespace = '{T}__refused'::regnamespace
            """) == [["p"]])
        #expect(
          try query("SELECT * FROM {T}__refused.t ORDER BY 1") == [
            ["1", "a"], ["2", "B"], ["4", "d"],
          ])
        #expect(try schema.texts() == firstRows)
      }

      @Test func `changed comments are published, and others stay`() throws {
        func objects(_ words: String) -> String {
          """
          CREATE TABLE t (id bigint PRIMARY KEY, name text); CREATE VIEW v AS SELECT id FROM t;
          COMMENT ON TABLE t IS '\(words) table'; COMMENT ON COLUMN t.name IS 'it''s \(words)';
          COMMENT ON VIEW v IS '\(words) view'; COMMENT ON COLUMN v.id IS 'same'
          """
        }
        try schema.load(objects("old"), first)
        try schema.add("COMMENT ON COLUMN t.id IS 'mine'; COMMENT ON INDEX t_pkey IS 'mine too'")
        #expect(try schema.load(objects("new"), first))
        #expect(
          try query(
            """
            SELECT obj_description('{T}.t'::regclass), col_description('{T}.t'::regclass, 1),
              col_description('{T}.t'::regclass, 2), obj_description('{T}.v'::regclass),
              col_description('{T}.v'::regclass, 1), obj_description('{T}.t_pkey'::regclass)
            """) == [["new table", "mine", "it's new", "new view", "same", "mine too"]])
      }
    }
  }
#endif
