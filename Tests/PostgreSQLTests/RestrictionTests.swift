#if PostgreSQL
  import Foundation
  import SQLiteSwiftly
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    /// Who may read what, before and after a schema is replaced.
    @Suite struct RestrictionTests {
      private let connection: PostgreSQLConnection
      private let target = "lego_" + UUID().uuidString.prefix(8).lowercased()
      private var reader: String { target + "_reader" }

      init() throws {
        connection = try connect()
        try connection.execute("CREATE ROLE \(reader) LOGIN")
        try publish()
      }

      private func publish(on other: PostgreSQLConnection? = nil) throws {
        let connection = other ?? connection
        let candidate = try CandidateSchema(replacing: target, madeBy: "x", on: connection)
        try connection.execute(
          """
          SET search_path = \(candidate.name);
          CREATE TABLE themes (id bigint, name text); INSERT INTO themes VALUES (1, 'a'), (2, 'b'), (3, 'c');
          CREATE TABLE allowed (id bigint); INSERT INTO allowed VALUES (1);
          CREATE VIEW names AS SELECT name FROM themes;
          SET search_path = pg_catalog
          """)
        #expect(try candidate.publish() == nil)
      }

      /// A session as any other program's.
      private func session(of role: String) throws -> PostgreSQLConnection {
        let session = try connect(as: role)
        try session.execute("RESET row_security")
        return session
      }

      /// The numbers of the themes that the reader sees.
      private var seen: [[String?]] {
        get throws { try session(of: reader).query("SELECT id FROM \(target).themes ORDER BY id") }
      }

      private func grant() throws {
        try connection.execute(
          """
          GRANT USAGE ON SCHEMA \(target) TO \(reader); GRANT SELECT ON \(target).themes, \(target).allowed TO \(reader)
          """)
      }

      @Test(arguments: [
        ("CREATE POLICY one ON T.themes FOR SELECT USING (id = 1)", [1]),
        (
          "CREATE POLICY one ON T.themes AS PERMISSIVE TO R, postgres USING (name < 'c') WITH CHECK (id = 7)",
          [1, 2]
        ),
        (
          """
          CREATE POLICY one ON T.themes USING (true); CREATE POLICY "two ""of"" them" ON T.themes AS RESTRICTIVE
          USING (name <> 'b' AND id > (0)::numeric); COMMENT ON POLICY "two ""of"" them" ON T.themes IS 'it''s ours'
          """, [1, 3]
        ),
        ("CREATE POLICY one ON T.themes USING (id IN (SELECT id FROM T.allowed))", [1]),
        ("CREATE POLICY one ON T.themes FOR INSERT WITH CHECK (true)", []),
        ("", []),
      ])
      func `row security is carried over`(policies: String, ids: [Int]) throws {
        try grant()
        let sql = policies.replacing("T.", with: target + ".").replacing("R,", with: reader + ",")
        try connection.execute(
          "ALTER TABLE \(target).themes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY; \(sql)"
        )
        func found() throws -> [[String?]] {
          try connection.query(
            """
            SELECT policyname, permissive, array_to_string(roles, ' '), cmd, qual, with_check, relrowsecurity,
              relforcerowsecurity, (SELECT obj_description(p.oid, 'pg_policy') FROM pg_policy AS p
                WHERE polrelid = pg_class.oid AND polname = policyname)
            FROM pg_class LEFT JOIN pg_policies ON tablename = relname AND schemaname = $1
            WHERE pg_class.oid = to_regclass($1 || '.themes') ORDER BY 1
            """, [target])
        }
        let before = try found()
        for _ in 0..<2 {
          #expect(try seen == ids.map { ["\($0)"] })
          try publish()
          #expect(try found() == before)
        }
        #expect(try seen == ids.map { ["\($0)"] })
      }

      @Test func `options of views are carried over`() throws {
        try connection.execute("ALTER VIEW \(target).names SET (security_barrier = true)")
        try publish()
        #expect(
          try connection.query(
            "SELECT reloptions FROM pg_class WHERE oid = to_regclass($1)", ["\(target).names"])
            == [["{security_barrier=true}"]])
      }

      @Test func `owners are carried over`() throws {
        let owner = target + "_owner"
        try connection.execute(
          """
          CREATE ROLE \(owner) LOGIN; ALTER TABLE \(target).themes OWNER TO \(owner);
          ALTER VIEW \(target).names OWNER TO \(owner); GRANT SELECT ON \(target).themes TO \(reader);
          GRANT USAGE ON SCHEMA \(target) TO \(owner), \(reader)
          """)
        try publish()
        #expect(
          try connection.query(
            "SELECT relname, pg_get_userbyid(relowner) FROM pg_class WHERE relnamespace = to_regnamespace($1) AND "
              + "relname IN ('themes', 'names', 'allowed') ORDER BY 1", [target])
            == [["allowed", "postgres"], ["names", owner], ["themes", owner]])
        #expect(try seen == [["1"], ["2"], ["3"]])
        #expect(try session(of: owner).query("SELECT count(*) FROM \(target).names") == [["3"]])
      }

      /// Nobody is to read a schema under another name than the one under which it is published.
      @Test func `a schema that is filled has no privileges of its own`() throws {
        try connection.execute("ALTER DEFAULT PRIVILEGES GRANT USAGE ON SCHEMAS TO \(reader)")
        defer {
          try? connection.execute("ALTER DEFAULT PRIVILEGES REVOKE USAGE ON SCHEMAS FROM \(reader)")
        }
        let candidate = try CandidateSchema(replacing: target, madeBy: "x", on: connection)
        func mayUse(_ schema: String) throws -> [[String?]] {
          try connection.query("SELECT has_schema_privilege($1, $2, 'USAGE')", [reader, schema])
        }
        #expect(try mayUse(candidate.name) == [["f"]])
        #expect(try candidate.publish() == nil)
        #expect(try mayUse(target) == [["f"]])
      }

      private static let described: [(table: String, column: String?)] = [
        ("themes", "id"), ("themes", "name"), ("allowed", "id"), ("names", nil),
      ]

      @Test(arguments: [
        (
          "CREATE FUNCTION T.f(bigint) RETURNS boolean LANGUAGE sql AS 'SELECT true'; "
            + "CREATE POLICY one ON T.themes USING (T.f(id))",
          "the policy one of table themes needs function T.f(bigint), which is dropped with the previous schema"
        ),
        (
          "ALTER TABLE T.themes ADD note text; CREATE POLICY one ON T.themes USING (note IS NULL)",
          "the policy one of table themes needs column note of table T.themes, which is dropped with the previous "
            + "schema"
        ),
        (
          "CREATE TABLE T.mine (id bigint); CREATE POLICY one ON T.themes USING (id IN (SELECT id FROM T.mine))",
          "the policy one of table themes needs column id of table T.mine, which is dropped with the previous schema"
        ),
        (
          "INSERT INTO pg_seclabel VALUES ('T.names'::regclass, 'pg_class'::regclass, 0, 'selinux', 'x')",
          "view T.names has a security label of selinux: remove it, and set it again after each run"
        ),
        (
          "CREATE POLICY one ON T.themes USING (id IN (SELECT id FROM T.allowed) AND name > '')",
          nil
        ),
        (
          "CREATE TABLE T.mine (id bigint); CREATE POLICY one ON T.mine USING (public.now() > now())",
          nil
        ),
        ("ALTER TABLE T.themes ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY", nil),
      ])
      func `restrictions that cannot be copied are reported before anything is loaded`(
        sql: String, words: String?
      ) throws {
        let sql = sql.replacing("T.", with: target + ".").replacing("public.now()", with: "now()")
        try connection.execute(sql)
        defer {
          try? connection.execute(
            "DELETE FROM pg_seclabel WHERE objoid = '\(target).names'::regclass")
        }
        var error: PostgreSQLError?
        do throws(PostgreSQLError) {
          try connection.checkRestrictions(of: target, replacedBy: Self.described)
        } catch let failure {
          error = failure
        }
        #expect(error?.message.detail == words?.replacing("T.", with: target + "."))
        #expect(error?.kind == (words == nil ? nil : .misuse))
        // They stay where they are if rows are merged.
        try connection.checkRestrictions(of: target, replacedBy: Self.described, isMerge: true)
      }

      /// The owner of the schema is a member of no other role, and sees no more than the policies let him.
      @Test func `missing privileges are reported before anything is loaded`() throws {
        let loader = target + "_loader"
        try connection.execute(
          """
          CREATE ROLE \(loader) LOGIN; ALTER SCHEMA \(target) OWNER TO \(loader);
          \(creationGrant) \(loader);
          ALTER TABLE \(target).themes OWNER TO \(loader); ALTER TABLE \(target).themes ENABLE ROW LEVEL SECURITY,
            FORCE ROW LEVEL SECURITY;
          ALTER TABLE \(target).names OWNER TO \(loader);
          ALTER TABLE \(target).allowed OWNER TO \(reader)
          """)
        let session = try connect(as: loader)
        func found(isMerge: Bool = false) throws -> String? {
          do throws(PostgreSQLError) {
            try session.checkRestrictions(
              of: target, replacedBy: Self.described, isMerge: isMerge)
            return nil
          } catch {
            return error.message.detail
          }
        }
        #expect(
          try found() == """
            table allowed belongs to \(reader), but \(loader) cannot change its owner: GRANT \(reader) TO \(loader); GRANT \
            CREATE ON SCHEMA \(target) TO \(reader)
            table ingest_schema belongs to postgres, but \(loader) cannot change its owner: GRANT postgres TO \(loader); \
            GRANT CREATE ON SCHEMA \(target) TO postgres
            table themes has row security that also applies to \(loader), so its rows cannot be compared: ALTER \
            ROLE \(loader) BYPASSRLS, or ALTER TABLE \(target).themes NO FORCE ROW LEVEL SECURITY
            """)
        try connection.execute(
          """
          ALTER ROLE \(loader) BYPASSRLS; ALTER TABLE \(target).ingest_schema OWNER TO \(loader)
          """)
        let member =
          "table allowed belongs to \(reader), but \(loader) cannot change its owner: GRANT \(reader) TO \(loader)"
        #expect(try found(isMerge: true) == member)
        let all = member + "; GRANT CREATE ON SCHEMA \(target) TO \(reader)"
        #expect(try found() == all)
        // The new tables of a swap get the owner, for which he needs a privilege in their schema.
        try connection.execute("GRANT \(reader) TO \(loader)")
        #expect(try found(isMerge: true) == nil)
        #expect(try found() == all)
        try connection.execute("GRANT CREATE ON SCHEMA \(target) TO \(reader)")
        #expect(try found() == nil)
        let session2 = try connect(as: loader)
        try publish(on: session2)
        #expect(
          try connection.query(
            "SELECT pg_get_userbyid(relowner) FROM pg_class WHERE oid = to_regclass($1)",
            [target + ".allowed"]) == [[reader]])
      }

      /// The role of the runs owns nothing, but is a member of the role that does, which may not create schemas.
      @Test(arguments: [true, false])
      func `the owner of a schema is carried over`(ownsTables: Bool) throws {
        let (loader, owner) = (target + "_loader", target + "_owner")
        let tables = ["themes", "allowed", "names", "ingest_schema"]
        try connection.execute(
          """
          CREATE ROLE \(owner); CREATE ROLE \(loader) LOGIN; \(creationGrant) \(loader);
          ALTER SCHEMA \(target) OWNER TO \(owner); GRANT USAGE ON SCHEMA \(target) TO \(reader)
          """)
        for table in tables {
          try connection.execute(
            "ALTER TABLE \(target).\(table) OWNER TO \(ownsTables ? owner : loader)")
        }
        let session = try connect(as: loader)
        let error = try #require(throws: PostgreSQLError.self) {
          _ = try CandidateSchema(replacing: target, madeBy: "x", on: session)
        }
        #expect(
          error.message.detail
            == "It needs GRANT \(owner) TO \(loader), to replace or drop the schema \(target)")
        try connection.execute("GRANT \(owner) TO \(loader)")
        func owners() throws -> [[String?]] {
          try connection.query(
            """
            SELECT '', pg_get_userbyid(nspowner), array_to_string(nspacl, ' ') FROM pg_namespace WHERE nspname = $1
            UNION ALL SELECT relname, pg_get_userbyid(relowner), NULL FROM pg_class
            WHERE relnamespace = to_regnamespace($1) AND relkind IN ('r', 'v') ORDER BY 1
            """, [target])
        }
        let before = try owners()
        #expect(before.count == 5)
        #expect(before[0][1] == owner)
        for _ in 0..<2 {
          try session.checkRestrictions(of: target, replacedBy: Self.described)
          try publish(on: session)
          #expect(try owners() == before)
        }
      }

      @Test func `a session that sees a part of the rows does not compare them`() throws {
        let loader = target + "_loader"
        try connection.execute(
          """
          CREATE ROLE \(loader) LOGIN; \(creationGrant) \(loader);
          GRANT SELECT ON \(target).themes TO \(loader); GRANT USAGE ON SCHEMA \(target) TO \(loader);
          ALTER TABLE \(target).themes ENABLE ROW LEVEL SECURITY
          """)
        let error = try #require(throws: PostgreSQLError.self) {
          try connect(as: loader)
            .query("SELECT count(*) FROM \(target).themes")
        }
        #expect(error.message.sqlState == "42501")
      }
    }
  }
#endif
