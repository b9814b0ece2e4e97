#if PostgreSQL
  import Vocabulary
  import Foundation
  import Testing
  @testable import PostgreSQL

  extension ServerTests {
    /// The rows of a schema after a merge.
    @Suite struct MergeTests {
      private let schema: MergeSchema

      init() throws { schema = MergeSchema(connection: try connect()) }

      struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let objects: String
        let before: String
        let after: String
        let rows: [String]
        /// The number of rows that are not written again.
        let kept: Int

        init(
          _ name: String, _ objects: String, _ before: String, _ after: String, _ rows: [String],
          kept: Int
        ) {
          (testDescription, self.objects, self.before, self.after) = (name, objects, before, after)
          (self.rows, self.kept) = (rows, kept)
        }
      }

      private static let keyed = "CREATE TABLE t (id bigint PRIMARY KEY, name text)"
      private static let unique = "CREATE TABLE t (id bigint PRIMARY KEY, u text UNIQUE)"
      private static let tree =
        "CREATE TABLE t (id bigint PRIMARY KEY, parent bigint REFERENCES t DEFERRABLE)"
      private static let cycle = """
        CREATE TABLE a (id bigint PRIMARY KEY, b bigint);
        CREATE TABLE b (id bigint PRIMARY KEY, a bigint REFERENCES a DEFERRABLE);
        ALTER TABLE a ADD FOREIGN KEY (b) REFERENCES b DEFERRABLE
        """
      private static let family = """
        CREATE TABLE p (id bigint PRIMARY KEY, u text UNIQUE);
        CREATE TABLE q (p bigint REFERENCES p DEFERRABLE, u text REFERENCES p (u) DEFERRABLE)
        """
      private static let types = """
        CREATE TABLE t (id bigint PRIMARY KEY, j json, b bytea, o boolean, r double precision, d date)
        """
      private static let keyless = "CREATE TABLE t (a text, r double precision, j json)"
      /// 63 bytes, of which only the last differs between two tables.
      private static let long = String(repeating: "ü", count: 31)
      private static let names = """
        CREATE TABLE "\(long)1" ("it's ""x" bigint PRIMARY KEY, "\(long)1" text, "d.c1" text);
        CREATE TABLE "\(long)2" ("\(long)1" text, "\(long)2" text);
        CREATE TABLE "changes" (kind text, place text, copy text, record text, c2 text, c1 text PRIMARY KEY)
        """

      static let cases = [
        Case(
          "rows added, removed and changed", keyed,
          "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, NULL), (4, 'd')",
          "INSERT INTO t VALUES (1, 'a'), (2, 'B'), (3, 'c'), (5, NULL)",
          ["t(1,a)", "t(2,B)", "t(3,c)", "t(5,)"], kept: 1),
        Case(
          "no difference", keyed, "INSERT INTO t VALUES (1, 'a'), (2, NULL)",
          "INSERT INTO t VALUES (2, NULL), (1, 'a')", ["t(1,a)", "t(2,)"], kept: 2),
        Case(
          "all rows replaced", keyed, "INSERT INTO t VALUES (1, 'a'), (2, 'b')",
          "INSERT INTO t VALUES (3, 'a'), (4, 'b')", ["t(3,a)", "t(4,b)"], kept: 0),
        Case(
          "a foreign key that cannot be deferred",
          "CREATE TABLE p (id bigint PRIMARY KEY); CREATE TABLE a (k int PRIMARY KEY, p bigint REFERENCES p)",
          "INSERT INTO p VALUES (1), (2); INSERT INTO a VALUES (1, 2), (2, 1)",
          "INSERT INTO p VALUES (1), (3); INSERT INTO a VALUES (1, 3), (2, 1)",
          ["a(1,3)", "a(2,1)", "p(1)", "p(3)"], kept: 2),
        Case(
          "types without equality", "CREATE TABLE t (id bigint PRIMARY KEY, p point, x xml)",
          "INSERT INTO t VALUES (1, '(1,2)', '<a/>'), (2, '(1,2)', '<a/>'), (3, NULL, NULL)",
          "INSERT INTO t VALUES (1, '(1,2)', '<b/>'), (2, '(1,2)', '<a/>'), (3, '(1,2)', NULL)",
          ["t(1,\"(1,2)\",<b/>)", "t(2,\"(1,2)\",<a/>)", "t(3,\"(1,2)\",)"], kept: 1),
        Case(
          "an identity",
          "CREATE TABLE t (id bigint PRIMARY KEY, n bigint GENERATED ALWAYS AS IDENTITY, a text)",
          "INSERT INTO t (id, a) VALUES (1, 'a'), (2, 'b'), (3, 'c')",
          "INSERT INTO t (id, a) VALUES (2, 'b'), (1, 'a'), (3, 'c')",
          ["t(1,2,a)", "t(2,1,b)", "t(3,3,c)"], kept: 1),
        Case("no rows left", keyed, "INSERT INTO t VALUES (1, 'a')", "", [], kept: 0),
        Case("first rows", keyed, "", "INSERT INTO t VALUES (1, 'a')", ["t(1,a)"], kept: 0),
        Case(
          "composite key",
          "CREATE TABLE t (v text, b bigint, a text COLLATE \"C\", PRIMARY KEY (a, b))",
          "INSERT INTO t VALUES ('x', 1, 'k'), ('y', 2, 'k'), ('z', 1, 'l')",
          "INSERT INTO t VALUES ('x', 1, 'k'), ('Y', 2, 'k'), ('z', 2, 'l')",
          ["t(Y,2,k)", "t(x,1,k)", "t(z,2,l)"], kept: 1),
        Case(
          "only key columns", "CREATE TABLE t (a bigint, b bigint, PRIMARY KEY (b, a))",
          "INSERT INTO t VALUES (1, 1), (1, 2)", "INSERT INTO t VALUES (1, 2), (2, 2)",
          ["t(1,2)", "t(2,2)"], kept: 1),
        Case(
          "no key", "CREATE TABLE t (a text, b bigint)",
          #"INSERT INTO t VALUES ('it''s', 1), ('it''s', 1), ('it''s', 1), (NULL, NULL), (NULL, NULL), ('"\,', 2)"#,
          #"INSERT INTO t VALUES ('it''s', 1), (NULL, NULL), (NULL, NULL), (NULL, NULL), ('"\,', NULL), ('', 2)"#,
          [#"t("""\\,",)"#, #"t("",2)"#, "t(,)", "t(,)", "t(,)", "t(it's,1)"], kept: 3),
        Case(
          "parent moved and tree reversed", tree,
          "INSERT INTO t VALUES (1, NULL), (2, 1), (3, 2), (4, 1), (5, 4), (6, 5)",
          "INSERT INTO t VALUES (3, NULL), (2, 3), (1, 2), (5, 6), (6, NULL)",
          ["t(1,2)", "t(2,3)", "t(3,)", "t(5,6)", "t(6,)"], kept: 0),
        Case(
          "cycle of tables", cycle,
          "SET CONSTRAINTS ALL DEFERRED; INSERT INTO a VALUES (1, 1), (2, 2); INSERT INTO b VALUES (1, 2), (2, 1)",
          "SET CONSTRAINTS ALL DEFERRED; INSERT INTO a VALUES (1, 3), (4, 1); INSERT INTO b VALUES (1, 4), (3, 1)",
          ["a(1,3)", "a(4,1)", "b(1,4)", "b(3,1)"], kept: 0),
        Case(
          "two rows exchange a unique value", unique,
          "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')",
          "INSERT INTO t VALUES (1, 'b'), (2, 'a'), (3, 'c')",
          ["t(1,b)", "t(2,a)", "t(3,c)"], kept: 1),
        Case(
          "three rows exchange unique values", unique,
          "INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd')",
          "INSERT INTO t VALUES (1, 'b'), (2, 'c'), (3, 'a'), (5, 'd')",
          ["t(1,b)", "t(2,c)", "t(3,a)", "t(5,d)"], kept: 0),
        Case(
          "unique values that others refer to", family,
          "INSERT INTO p VALUES (1, 'a'), (2, 'b'), (3, 'c'); INSERT INTO q VALUES (1, 'a'), (2, 'b'), (3, 'c')",
          "INSERT INTO p VALUES (1, 'b'), (2, 'a'), (3, 'd'); INSERT INTO q VALUES (1, 'a'), (2, 'b'), (3, 'd')",
          ["p(1,b)", "p(2,a)", "p(3,d)", "q(1,a)", "q(2,b)", "q(3,d)"], kept: 2),
        Case(
          "types", types,
          #"""
          INSERT INTO t VALUES (1, '{"a":1}', '\x00ff', true, 'NaN', '2024-02-29'), (2, '[]', NULL, NULL, 0.1, NULL),
          (3, '1.0', '\x', false, 0, '2000-01-01'), (4, NULL, NULL, NULL, '-0', NULL), (5, NULL, NULL, NULL, '-inf', NULL)
          """#,
          #"""
          INSERT INTO t VALUES (1, '{"a":1}', '\x00ff', true, 'NaN', '2024-02-29'), (2, '[ ]', NULL, NULL, 0.1, NULL),
          (3, '1.00', '\x00', NULL, '-0', '2000-01-02'), (4, NULL, NULL, NULL, 0, NULL), (5, NULL, NULL, NULL, 'inf', NULL)
          """#,
          [
            #"t(1,"{""a"":1}","\\x00ff",t,NaN,2024-02-29)"#, #"t(2,"[ ]",,,0.1,)"#,
            #"t(3,1.00,"\\x00",,-0,2000-01-02)"#, "t(4,,,,0,)", "t(5,,,,Infinity,)",
          ], kept: 1),
        Case(
          "types without a key", keyless,
          "INSERT INTO t VALUES ('a', '-0', '1'), ('a', 0, '1'), ('b', 'NaN', '[]'), ('c', NULL, NULL)",
          "INSERT INTO t VALUES ('a', 0, '1'), ('a', 0, '1'), ('b', 'NaN', '[]'), ('c', '-0', '[ ]')",
          ["t(a,0,1)", "t(a,0,1)", "t(b,NaN,[])", #"t(c,-0,"[ ]")"#], kept: 2),
        Case(
          "names", names,
          """
          INSERT INTO "\(long)1" VALUES (1, 'a', 'b'), (2, 'c', 'd'); INSERT INTO "\(long)2" VALUES ('a', 'b'), ('c', 'd');
          INSERT INTO "changes" VALUES ('k', 'p', 'c', 'r', '2', '1'), ('-', '-', '-', '-', '-', '-')
          """,
          """
          INSERT INTO "\(long)1" VALUES (1, 'a', 'B'), (3, 'c', 'd'); INSERT INTO "\(long)2" VALUES ('a', 'b'), ('c', 'D');
          INSERT INTO "changes" VALUES ('K', 'P', 'C', 'R', '2', '1'), ('-', '-', '-', '-', '-', '-')
          """,
          [
            "changes(-,-,-,-,-,-)", "changes(K,P,C,R,2,1)", "\(long)1(1,a,B)", "\(long)1(3,c,d)",
            "\(long)2(a,b)", "\(long)2(c,D)",
          ], kept: 2),
      ]

      @Test func `a merge drops the schema that a swap has left`() throws {
        let old = schema.target + "__old"
        try schema.load(Self.keyed, "INSERT INTO t VALUES (1, 'a')")
        var kept = try CandidateSchema(
          replacing: schema.target, madeBy: "x", keepsPrevious: true, on: schema.connection)
        try kept.plan(nil, creating: [Self.keyed], allowsLoss: false)
        try schema.execute([Self.keyed], in: kept.name)
        #expect(try kept.publish() == nil)
        #expect(try schema.connection.exists(schema: old))
        #expect(try schema.load(Self.keyed, "INSERT INTO t VALUES (2, 'b')"))
        #expect(try !schema.connection.exists(schema: old))
      }

      @Test(arguments: cases)
      func `only rows that differ are written`(_ test: Case) throws {
        #expect(try !schema.load(test.objects, test.before))
        let before = try schema.rows()
        #expect(try schema.load(test.objects, test.after))
        let after = try schema.rows()
        #expect(after.map(\.text) == test.rows)
        #expect(after.count(where: Set(before).contains) == test.kept)
        #expect(try schema.load(test.objects, test.before, .merge))
        #expect(try schema.texts() == before.map(\.text))
      }

      @Test func `a search keeps its words and its index`() throws {
        let objects = """
          CREATE TABLE words (a text, words tsvector GENERATED ALWAYS AS (to_tsvector('simple', a)) STORED);
          CREATE INDEX ON words USING gin (words)
          """
        let index = "SELECT 'words_words_idx'::regclass::oid FROM pg_class LIMIT 1"
        func oid() throws -> [[String?]] {
          try schema.connection.query(index.replacing("'words", with: "'\(schema.target).words"))
        }
        try schema.load(objects, "INSERT INTO words VALUES ('red brick'), ('blue'), ('blue')")
        let before = try oid()
        #expect(
          try schema.load(
            objects, "INSERT INTO words VALUES ('green brick'), ('blue')",
            staged: "CREATE TABLE words (a text)"))
        #expect(try oid() == before)
        #expect(
          try schema.connection.query(
            """
            SELECT a FROM \(schema.target).words WHERE words @@ websearch_to_tsquery('simple', 'brick')
            UNION ALL SELECT count(*)::text FROM \(schema.target).words
            """) == [["green brick"], ["2"]])
      }

      private struct Random: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
          state &+= 0x9E37_79B9_7F4A_7C15
          var z = state
          z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
          z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
          return z ^ (z >> 31)
        }
      }

      /// Each load has up to 30 rows, with NULL and values that often collide.
      @Test(arguments: [
        "CREATE TABLE t (a bigint PRIMARY KEY, b text, c double precision)",
        "CREATE TABLE t (b text, a bigint, c double precision, PRIMARY KEY (c, a))",
        "CREATE TABLE t (a bigint, b text, c double precision)",
        "CREATE TABLE t (c bigint PRIMARY KEY, a bigint UNIQUE, b text)",
      ])
      func `random rows are those of the last load`(objects: String) throws {
        var random = Random(state: UInt64(objects.utf8.count))
        let isUnique = objects.contains("UNIQUE")
        try schema.load(objects)
        for _ in 0..<25 {
          var used: Set<[Int]> = []
          let rows = (0..<Int.random(in: 0...30, using: &random)).compactMap { _ -> String? in
            let a = Int.random(in: 0..<20, using: &random)
            let c = Int.random(in: 0..<3, using: &random)
            let b = [
              "NULL", "''", "'x'", "'it''s'", "'NULL'",
            ].randomElement(using: &random)!
            if isUnique {
              // A row has few keys, and its other number is unique too.
              let id = Int.random(in: 0..<20, using: &random)
              guard used.isDisjoint(with: [[0, a], [1, id]]) else { return nil }
              used.formUnion([[0, a], [1, id]])
              return "(\(id), \(a), \(b))"
            }
            if objects.contains("(c, a)") {
              return used.insert([a, c]).inserted ? "(\(b), \(a), \(c))" : nil
            }
            let isNew = used.insert([a]).inserted
            if objects.contains("PRIMARY") { return isNew ? "(\(a), \(b), \(c))" : nil }
            return "(\(a < 5 ? "NULL" : "\(a % 4)"), \(b), \(c == 0 ? "NULL" : "\(c)"))"
          }
          let values = rows.isEmpty ? "" : "INSERT INTO t VALUES \(rows.joined(separator: ", "))"
          let reference =
            values.isEmpty
            ? [] : try expected(objects, values)
          #expect(try schema.load(objects, values))
          #expect(try schema.texts() == reference)
        }
      }

      /// The rows of a table of its own.
      private func expected(_ objects: String, _ values: String) throws -> [String] {
        let connection = schema.connection
        try connection.execute(
          objects.replacing("TABLE t", with: "TEMPORARY TABLE t") + ";"
            + values.replacing("INTO t", with: "INTO pg_temp.t"))
        defer { try? connection.execute("DROP TABLE pg_temp.t") }
        return try connection.texts("SELECT 't' || t::text FROM pg_temp.t ORDER BY 1")
      }
    }
  }
#endif
