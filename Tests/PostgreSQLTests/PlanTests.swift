#if PostgreSQL
  import Vocabulary
  import Foundation
  import Testing
  @testable import PostgreSQL

  extension ServerTests {
    /// The choice between a merge and a swap.
    @Suite struct PlanTests {
      private let schema: MergeSchema
      private var target: String { schema.target }

      private static let objects = """
        CREATE TABLE t (id bigint PRIMARY KEY, name text, year int CHECK (year > 0)); CREATE INDEX ON t (name);
        CREATE TABLE u (a text); CREATE VIEW v AS SELECT id FROM t
        """
      private let rows = "INSERT INTO t VALUES (1, 'a', 1)"

      init() throws { schema = MergeSchema(connection: try connect()) }

      @Test func `only custom SQL needs a server that counts rows`() throws {
        try schema.connection.execute("SET track_counts = off")
        try schema.load(Self.objects, rows)
        var candidate = try CandidateSchema(replacing: target, madeBy: "x", on: schema.connection)
        let error = #expect(throws: PostgreSQLError.self) {
          try candidate.plan(
            nil, creating: [Self.objects], running: [SQLScript("x.sql", Array("SELECT 1".utf8))],
            allowsLoss: false)
        }
        #expect(
          error?.message.text == "Changes by custom SQL cannot be found while track_counts is off")
      }

      /// A rollback does not undo what a sequence counts.
      @Test func `objects are only created to plan if something has changed`() throws {
        let counter = "\(try newSchema(on: schema.connection)).counter"
        try schema.connection.execute("CREATE SEQUENCE \(counter)")
        let objects = "\(Self.objects); SELECT nextval('\(counter)')"
        var runs = 0
        func expect(_ count: Int, _ statements: String) throws {
          let now = try schema.connection.numbers("SELECT nextval('\(counter)')")[0]
          #expect(now - runs - 1 == count, "\(statements)")
          runs = now
        }
        try schema.load(objects, rows)
        try expect(2, "first load")
        for mode in [nil, .merge, .swap] as [PublishingChoice.Mode?] {
          try schema.load(objects, rows, mode)
          try expect(1, "unchanged")
        }
        for change in [
          "COMMENT ON COLUMN t.name IS 'theirs'", "ALTER TABLE t ALTER name SET DEFAULT 'x'",
          "DROP INDEX t_name_idx",
        ] {
          try schema.add(change)
          try schema.load(objects, rows, .merge)
          try expect(change.hasPrefix("ALTER") ? 1 : 2, change)
        }
        try schema.load(
          objects.replacing("SELECT id FROM", with: "SELECT name FROM"), rows, allowsLoss: true)
        try expect(2, "another view")
      }

      struct Change: Sendable, CustomTestStringConvertible {
        /// A change of the description, as a replacement of text, or of the published schema.
        var from = ""
        var to = ""
        var published = ""
        let detail: String
        var testDescription: String { to + published }
      }

      /// As after an upgrade of the server.
      @Test func `a view whose stored query has other words is the same`() throws {
        try schema.load(Self.objects, rows)
        let rewording = """
          UPDATE \(target).ingest_schema SET shape = ARRAY(
            SELECT CASE WHEN words LIKE 'view v: %' THEN replace(words, 'id', '(id)') ELSE words END
            FROM unnest(shape) AS words)
          """
        try schema.connection.execute(rewording)
        #expect(try schema.load(Self.objects, rows))
        try schema.connection.execute(rewording)
        let changed = Self.objects.replacing("id FROM t", with: "id FROM t WHERE year > 1")
        #expect(try !schema.load(changed, rows))
      }

      @Test(arguments: [
        Change(
          from: "year int CHECK (year", to: "years int CHECK (years",
          detail: """
            column t.year integer
            column t.years integer
            constraint of t: CHECK ((year > 0))
            constraint of t: CHECK ((years > 0))
            """),
        Change(
          from: "year int", to: "year bigint",
          detail: "column t.year bigint\ncolumn t.year integer"),
        Change(from: "CHECK (year > 0)", to: "", detail: "constraint of t: CHECK ((year > 0))"),
        Change(
          from: "SELECT id FROM t", to: "SELECT id FROM t WHERE year > 1",
          detail: """
            view v:  SELECT t.id
               FROM {T}.t
              WHERE (t.year > 1);
            view v:  SELECT t.id
               FROM {T}.t;
            """),
        Change(from: "CREATE TABLE u (a text);", to: "", detail: "column u.a text COLLATE default"),
        Change(from: "CREATE INDEX ON t (name);", to: "", detail: "index of t: USING btree (name)"),
        Change(published: "DROP TABLE u", detail: "column u.a text COLLATE default"),
      ])
      func `a schema that differs is replaced`(_ change: Change) throws {
        try schema.load(Self.objects, rows)
        if !change.published.isEmpty { try schema.add(change.published) }
        let objects =
          change.from.isEmpty
          ? Self.objects : Self.objects.replacing(change.from, with: change.to)
        let error = try schema.failure(objects, "", .merge)
        #expect(error.kind == .misuse)
        #expect(
          error.message.text
            == "The published schema \"\(target)\" differs from the new one, so rows cannot be merged"
        )
        // PostgreSQL 16 and later qualify the columns of several tables only.
        let detail = change.detail.replacing("{T}", with: target)
        let qualifies = schema.connection.serverVersion < 160_000
        #expect(
          error.message.detail
            == (qualifies ? detail : detail.replacing(/\bt\.(?=id|year >)/, with: "")))
        #expect(error.message.hint == "Use --publish swap.")
        #expect(try schema.texts() == ["t(1,a,1)"])
        #expect(try !schema.load(objects, "INSERT INTO t (id) VALUES (2)"))
        #expect(try schema.load(objects, "INSERT INTO t (id) VALUES (2)"))
      }

      @Test(arguments: [
        Change(
          from: "name text,", to: "name text, note text,",
          detail: "column t.note text COLLATE default"),
        Change(
          from: "name text,", to: "name text, note text DEFAULT 'n' NOT NULL,",
          detail: """
            column t.note text COLLATE default, column t.note DEFAULT 'n'::text, column t.note NOT NULL
            """),
        Change(from: "a text", to: "a text NOT NULL", detail: "column u.a NOT NULL"),
        Change(from: "a text", to: "a text, b \"char\"", detail: "column u.b \"char\""),
        Change(
          published: "ALTER TABLE t DROP CONSTRAINT t_pkey",
          detail: "constraint of t: PRIMARY KEY (id)"),
        Change(published: "DROP INDEX t_name_idx", detail: "index of t: USING btree (name)"),
        Change(
          published: "ALTER TABLE t DROP CONSTRAINT t_year_check",
          detail: "constraint of t: CHECK ((year > 0))"),
      ])
      func `a merge adds what the published tables lack`(_ change: Change) throws {
        try schema.load(Self.objects, rows + "; INSERT INTO u VALUES ('x'), ('y')")
        try schema.add("CREATE VIEW mine AS SELECT id FROM t; \(change.published)")
        let objects =
          change.from.isEmpty
          ? Self.objects : Self.objects.replacing(change.from, with: change.to)
        let more = "INSERT INTO t (id) VALUES (2), (3); INSERT INTO u VALUES ('x'), ('z')"
        let choice = try schema.choice(objects, more)
        guard case .tablesLack(let parts) = choice.reason else {
          Issue.record("\(choice)")
          return
        }
        #expect(parts.joined(separator: ", ") == change.detail)
        #expect(try schema.connection.missingObjects(in: target).isEmpty)
        #expect(try schema.connection.additions(to: target) == ["view mine"])
        #expect(try schema.connection.texts("SELECT a FROM \(target).u ORDER BY 1") == ["x", "z"])
        #expect(
          try schema.connection.texts("SELECT id FROM \(target).mine ORDER BY 1") == ["2", "3"])
        #expect(try schema.choice(objects, more).reason == .tablesFit(additions: 1))
      }

      /// Its values would be overwritten.
      @Test func `a column of others does not become one of the description`() throws {
        try schema.load(Self.objects, rows)
        try schema.add("ALTER TABLE t ADD note text; DROP INDEX t_name_idx")
        let objects = Self.objects.replacing("name text,", with: "name text, note text,")
        for mode in [nil, PublishingChoice.Mode.merge] {
          #expect(try schema.failure(objects, "", mode).message.detail?.contains("t.note") == true)
        }
      }

      @Test func `a column of another type is not added`() throws {
        try schema.load(Self.objects, rows)
        try schema.add(
          "CREATE VIEW mine AS SELECT id FROM t; ALTER TABLE u ALTER a TYPE varchar(9)")
        let merge = try schema.failure(Self.objects, rows, .merge)
        #expect(merge.kind == .misuse)
        #expect(merge.message.detail == "column u.a text COLLATE default")
        let other = try schema.failure(Self.objects, rows)
        #expect(other.kind == .inUse)
        #expect(other.message.text.contains("column u.a text COLLATE default"))
      }

      /// What others have changed does not keep the tables from taking the rows.
      @Test(arguments: [
        "ALTER TABLE t ALTER year SET DEFAULT 5", "ALTER TABLE u ALTER a SET NOT NULL",
        "ALTER TABLE t ALTER year DROP DEFAULT", "ALTER TABLE t ADD CHECK (id < 100)",
        "CREATE OR REPLACE VIEW v AS SELECT id, name FROM t",
        "ALTER TABLE t ADD note text DEFAULT 'n'",
        "CREATE OR REPLACE VIEW v AS SELECT id FROM t WHERE id > 1",
        "COMMENT ON CONSTRAINT t_pkey ON t IS 'k'",
      ])
      func `a schema that others have changed is merged into`(change: String) throws {
        let objects = Self.objects.replacing("year int", with: "year int DEFAULT 1")
        try schema.load(objects, rows)
        try schema.add(change)
        let before = try schema.connection.objects(in: target, publishedAs: target).map(\.words)
        #expect(try schema.choice(objects, "INSERT INTO t VALUES (2, 'b', 2)").mode == .merge)
        #expect(
          try schema.connection.objects(in: target, publishedAs: target).map(\.words) == before)
        #expect(try schema.texts().first?.hasPrefix("t(2,b,2") == true)
      }

      @Test func `the choice has a reason`() throws {
        #expect(
          try schema.choice(Self.objects, rows) == PublishingChoice(mode: .swap, reason: .firstLoad)
        )
        #expect(
          try schema.choice(Self.objects, rows)
            == PublishingChoice(mode: .merge, reason: .tablesFit(additions: 0)))
        try schema.add("ALTER TABLE t ALTER year SET DEFAULT 5; CREATE TABLE mine (x int)")
        #expect(
          try schema.choice(Self.objects, rows)
            == PublishingChoice(mode: .merge, reason: .tablesFit(additions: 2)))
        #expect(
          try schema.choice(Self.objects, rows, .merge)
            == PublishingChoice(mode: .merge, reason: .requested))
        try schema.add(
          "ALTER TABLE t ALTER year DROP DEFAULT; DROP TABLE mine; DROP INDEX t_name_idx")
        #expect(
          try schema.choice(Self.objects, rows)
            == PublishingChoice(mode: .swap, reason: .differs("index of t: USING btree (name)")))
        #expect(
          try schema.choice(Self.objects, rows, .swap)
            == PublishingChoice(mode: .swap, reason: .requested))
      }

      @Test func `a swap of the same schema is possible`() throws {
        try schema.load(Self.objects, rows)
        #expect(try !schema.load(Self.objects, rows, .swap))
        #expect(try schema.load(Self.objects, rows, .merge))
      }

      @Test func `a merge needs a schema`() throws {
        let error = try schema.failure(Self.objects, rows, .merge)
        #expect(
          error.message.text
            == "The schema \"\(target)\" does not exist, so rows cannot be merged into it")
        #expect(error.message.hint == "Load it first without --publish merge and --staging.")
      }

      @Test func `a schema of an older version is replaced`() throws {
        try schema.load(Self.objects, rows)
        try schema.add("ALTER TABLE ingest_schema DROP shape, DROP made")
        #expect(try schema.failure(Self.objects, "", .merge).kind == .misuse)
        #expect(try !schema.load(Self.objects, rows))
        #expect(try schema.load(Self.objects, rows))
      }

      /// The new schema has some of the same names.
      @Test func `objects of others are lost only if that is allowed`() throws {
        try schema.load(Self.objects, rows)
        try schema.add(
          """
          ALTER TABLE t ADD note text; CREATE INDEX mine ON t (year); CREATE TABLE scratch (x int PRIMARY KEY);
          CREATE VIEW names AS SELECT name FROM t
          """)
        let lost = "column t.note, index mine of t, table scratch, view names"
        let swap = try schema.failure(Self.objects, "", .swap)
        #expect(swap.kind == .inUse)
        #expect(
          swap.message.text
            == "Dropping the schema \"\(target)\" would drop what others added to it")
        #expect(swap.message.detail == lost)
        #expect(swap.message.hint == "Use --publish merge, which keeps it, or use --allow-loss.")
        let objects =
          Self.objects.replacing("name text,", with: "name text, note text,")
          + "; CREATE TABLE scratch (x bigint)"
        let error = try schema.failure(objects)
        #expect(error.message.detail == "column t.note, index mine of t, table scratch, view names")
        #expect(error.message.hint == "Drop it first, or use --allow-loss.")
        #expect(try schema.texts() == ["t(1,a,1,)"])
        #expect(try !schema.load(objects, "INSERT INTO t (id) VALUES (2)", allowsLoss: true))
        #expect(try schema.texts() == ["t(2,,,)"])
      }
    }
  }
#endif
