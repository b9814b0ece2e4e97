#if PostgreSQL
  import Foundation
  import SQLiteSwiftly
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    @Suite struct PublishTests {
      private let connection: PostgreSQLConnection
      /// A name that no other test uses.
      private let target = "lego_" + UUID().uuidString.prefix(8).lowercased()

      init() throws { connection = try connect() }

      private static let themes = TableDescription(
        "themes", columns: [ColumnDescription("id", .integer), ColumnDescription("name", .text)],
        primaryKey: ["id"])

      private func begin(keepsPrevious: Bool = false) throws -> CandidateSchema {
        try CandidateSchema(
          replacing: target, madeBy: "ingest 1.0", keepsPrevious: keepsPrevious, on: connection)
      }

      /// Publishes a schema with one table of one row.
      @discardableResult
      private func publish(_ name: String, keepsPrevious: Bool = false) throws -> PostgreSQLError? {
        let candidate = try begin(keepsPrevious: keepsPrevious)
        try fill(candidate, name)
        return try candidate.publish()
      }

      private func fill(_ candidate: borrowing CandidateSchema, _ name: String) throws {
        let definition = try TableDefinition(Self.themes, in: candidate.name)
        try connection.execute(definition.creation())
        try copy([[1, .text(name)]], into: definition, on: connection)
      }

      private var schemas: [String] {
        get throws {
          try connection.query(
            "SELECT nspname FROM pg_namespace WHERE nspname LIKE $1 ORDER BY 1", [target + "%"]
          )
          .compactMap { $0[0] }.map { "lego" + $0.dropFirst(target.count) }
        }
      }

      private func name(in schema: String) throws -> String? {
        try connection.query("SELECT name FROM \(schema).themes")[0][0]
      }

      private var locks: Int {
        get throws {
          try connection.query(
            "SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
          ).count
        }
      }

      @Test func `a new schema takes the place of the old one`() throws {
        #expect(try publish("first") == nil)
        #expect(try schemas == ["lego"])
        #expect(try name(in: target) == "first")
        #expect(
          try connection.query("SELECT made_by, published_as FROM \(target).ingest_schema") == [
            ["ingest 1.0", target]
          ])
        try publish("second")
        #expect(try schemas == ["lego"])
        #expect(try name(in: target) == "second")
        #expect(try locks == 0)
        #expect(connection.notices.isEmpty)
      }

      @Test func `the old schema is kept until the next time`() throws {
        try publish("first", keepsPrevious: true)
        #expect(try schemas == ["lego"])
        try publish("second", keepsPrevious: true)
        #expect(try schemas == ["lego", "lego__old"])
        #expect(try name(in: target + "__old") == "first")
        try publish("third", keepsPrevious: true)
        #expect(try name(in: target) == "third")
        #expect(try name(in: target + "__old") == "second")
        try publish("fourth")
        #expect(try schemas == ["lego"])
      }

      @Test func `nothing else is replaced`() throws {
        for schema in [target, target + "__new", target + "__old"] {
          try connection.execute("CREATE SCHEMA \(schema); CREATE TABLE \(schema).mine (x int)")
          let error = try #require(throws: PostgreSQLError.self) { _ = try begin() }
          #expect(error.kind == .foreign)
          #expect(
            error.message.text
              == "The schema \"\(schema)\" was not made by ingest, so it is not replaced")
          #expect(try locks == 0)
          try connection.execute("DROP SCHEMA \(schema) CASCADE")
        }
        #expect(throws: PostgreSQLError.self) {
          _ = try CandidateSchema(replacing: "public", madeBy: "x", on: connection)
        }
      }

      @Test func `a second run is kept away`() throws {
        let candidate = try begin()
        let other = try connect()
        let error = try #require(throws: PostgreSQLError.self) {
          _ = try CandidateSchema(replacing: target, madeBy: "x", on: other)
        }
        #expect(error.kind == .locked)
        #expect(error.message.text == "Another run is loading into the schema \"\(target)\"")
        let process = try #require(try connection.query("SELECT pg_backend_pid()")[0][0])
        #expect(error.message.detail == "It is process \(process) of postgres.")
        #expect(try schemas == ["lego__new"])
        // Other schemas are not concerned.
        _ = try CandidateSchema(replacing: target + "x", madeBy: "x", on: other)
        _ = consume candidate
        _ = try CandidateSchema(replacing: target, madeBy: "x", on: other)
      }

      @Test func `what a dead run left is dropped`() throws {
        try publish("first")
        let dying = try connect()
        let candidate = try CandidateSchema(replacing: target, madeBy: "x", on: dying)
        try dying.execute("CREATE TABLE \(candidate.name).half (x int)")
        let process = try #require(try dying.query("SELECT pg_backend_pid()")[0][0])
        try connection.execute("SELECT pg_terminate_backend(\(process))")
        #expect(try schemas == ["lego", "lego__new"])
        // The server may take a moment to release the lock.
        while try !connection.query("SELECT FROM pg_stat_activity WHERE pid = \(process)").isEmpty {
          usleep(1_000)
        }
        try publish("second")
        #expect(try schemas == ["lego"])
        #expect(try name(in: target) == "second")
        _ = consume candidate
      }

      @Test func `what goes out of scope is dropped`() throws {
        do { _ = try begin() }
        #expect(try schemas.isEmpty)
        #expect(try locks == 0)
      }

      @Test func `privileges and comments are carried over`() throws {
        let (reader, owner) = (target + "_reader", target + "_other")
        try connection.execute("CREATE ROLE \(reader); CREATE ROLE \(owner)")
        try publish("first")
        try connection.execute(
          """
          GRANT USAGE ON SCHEMA \(target) TO \(reader) WITH GRANT OPTION; GRANT USAGE ON SCHEMA \(target) TO PUBLIC;
          GRANT SELECT ON \(target).themes TO \(reader);
          GRANT UPDATE (name) ON \(target).themes TO \(reader);
          ALTER DEFAULT PRIVILEGES IN SCHEMA \(target) GRANT INSERT ON TABLES TO \(reader);
          ALTER DEFAULT PRIVILEGES IN SCHEMA \(target) GRANT SELECT ON TABLES TO \(owner);
          COMMENT ON SCHEMA \(target) IS 'it''s \\ ours';
          COMMENT ON TABLE \(target).themes IS 'themes!';
          COMMENT ON COLUMN \(target).themes.name IS 'a name'
          """)
        try publish("second")
        let acl = try connection.query(
          "SELECT ARRAY(SELECT unnest(nspacl)::text ORDER BY 1) FROM pg_namespace WHERE nspname = $1",
          [target])
        #expect(acl == [["{=U/postgres,\(reader)=U*/postgres,postgres=UC/postgres}"]])
        func privileges(on table: String) throws -> [[String?]] {
          // The owner's are not the same in every version.
          try connection.query(
            """
            SELECT grantee::regrole, privilege_type FROM pg_class CROSS JOIN aclexplode(relacl)
            WHERE pg_class.oid = $1::regclass AND grantee <> relowner ORDER BY 1, 2
            """, [target + "." + table])
        }
        // The table of the first night was there before the defaults, and had none of them.
        #expect(try privileges(on: "themes") == [[reader, "SELECT"]])
        #expect(
          try connection.query(
            "SELECT attacl FROM pg_attribute WHERE attrelid = $1::regclass AND attname = 'name'",
            [target + ".themes"])
            == [["{\(reader)=w/postgres}"]])
        try connection.execute("CREATE TABLE \(target).added (x int)")
        #expect(try Set(privileges(on: "added")) == [[reader, "INSERT"], [owner, "SELECT"]])
        #expect(
          try connection.query(
            "SELECT obj_description(oid, 'pg_namespace') FROM pg_namespace WHERE nspname = $1",
            [target])
            == [["it's \\ ours"]])
        #expect(
          try connection.query(
            "SELECT obj_description($1::regclass), col_description($1::regclass, 2), col_description($1::regclass, 1)",
            [target + ".themes"]) == [["themes!", "a name", nil]])
      }

      @Test func `default privileges of others are told`() throws {
        let (loader, other) = (target + "_loader", target + "_other")
        try connection.execute(
          "CREATE ROLE \(loader) LOGIN; CREATE ROLE \(other); \(creationGrant) \(loader)"
        )
        let own = try connect(as: loader)
        _ = try CandidateSchema(replacing: target, madeBy: "x", on: own).publish()
        try connection.execute(
          "ALTER DEFAULT PRIVILEGES FOR ROLE \(other) IN SCHEMA \(target) GRANT SELECT ON TABLES TO \(loader)"
        )
        let candidate = try CandidateSchema(replacing: target, madeBy: "x", on: own)
        #expect(
          try candidate.lostPrivileges() == [
            "ALTER DEFAULT PRIVILEGES FOR ROLE \(other) IN SCHEMA \(target) GRANT SELECT ON TABLES TO \(loader)"
          ])
      }

      @Test func `what others need is not dropped`() throws {
        try publish("first")
        try connection.execute(
          """
          CREATE SCHEMA \(target)_app; CREATE VIEW \(target)_app.names AS SELECT name FROM \(target).themes;
          ALTER TABLE \(target).themes ADD PRIMARY KEY (id);
          CREATE TABLE \(target)_app.stock (theme bigint REFERENCES \(target).themes, whole \(target).themes);
          CREATE FUNCTION \(target)_app.name(\(target).themes) RETURNS text LANGUAGE sql AS 'SELECT $1.name';
          CREATE PUBLICATION \(target)_feed FOR TABLE \(target).themes
          """)
        let error = try #require(throws: PostgreSQLError.self) { try publish("second") }
        #expect(error.kind == .inUse)
        #expect(
          error.message.detail == """
            column whole of table \(target)_app.stock
            constraint stock_theme_fkey on table \(target)_app.stock
            function \(target)_app.name(\(target).themes)
            publication of table \(target).themes in publication \(target)_feed
            view \(target)_app.names
            """)
        #expect(try name(in: target) == "first")
        try publish("second", keepsPrevious: true)
        #expect(try connection.query("SELECT name FROM \(target)_app.names") == [["first"]])
        #expect(throws: PostgreSQLError.self) { try publish("third", keepsPrevious: true) }
        #expect(try name(in: target) == "second")
      }

      @Test func `readers go on while a schema is replaced`() throws {
        try publish("first")
        let reader = try connect()
        try reader.execute("BEGIN; SELECT * FROM \(target).themes")
        let candidate = try begin()
        try fill(candidate, "second")
        // Its transaction still has a lock on the old table.
        #expect(try candidate.publish()?.message.sqlState == "55P03")
        #expect(try name(in: target) == "second")
        #expect(try schemas == ["lego", "lego__old"])
        try reader.execute("COMMIT")
        try publish("third")
        #expect(try schemas == ["lego"])
      }

      @Test func `a role that may not create schemas is told so`() throws {
        let guest = target + "_guest"
        try connection.execute("CREATE ROLE \(guest) LOGIN")
        let other = try connect(as: guest)
        let error = try #require(throws: PostgreSQLError.self) {
          _ = try CandidateSchema(replacing: target, madeBy: "x", on: other)
        }
        #expect(error.kind == .misuse)
        #expect(error.message.text == "The role \(guest) lacks privileges")
        #expect(
          error.message.detail
            == "It needs GRANT CREATE ON DATABASE postgres TO \(guest), to create schemas")
        #expect(
          try other.query(
            "SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
          ).isEmpty)
      }

      @Test func `a role without room for a second connection is told so before anything is made`()
        throws
      {
        let single = target + "_single"
        try connection.execute(
          "CREATE ROLE \(single) LOGIN CONNECTION LIMIT 1; \(creationGrant) \(single)"
        )
        let own = try connect(as: single)
        let error = try #require(throws: PostgreSQLError.self) {
          _ = try CandidateSchema(replacing: target, madeBy: "x", on: own)
        }
        #expect(error.kind == .connection)
        #expect(error.message.text.hasPrefix("A run needs a second connection: "))
        #expect(error.message.text.hasSuffix("too many connections for role \"\(single)\""))
        #expect(
          error.message.hint
            == "The limit of the role is 1: ALTER ROLE \(single) CONNECTION LIMIT 2")
        #expect(try schemas.isEmpty)
        try connection.execute("ALTER ROLE \(single) CONNECTION LIMIT 2")
        for name in ["first", "second"] {
          // The server takes a moment to end a session.
          while try connection.query(
            "SELECT FROM pg_stat_activity WHERE usename = $1", [single]
          ).count > 1 {}
          let candidate = try CandidateSchema(replacing: target, madeBy: "x", on: own)
          try own.execute("CREATE TABLE \(candidate.name).themes AS SELECT '\(name)' AS name")
          #expect(try candidate.publish() == nil)
        }
        #expect(try schemas == ["lego"])
      }

      /// A network or an administrator may end a session that has nothing to do.
      @Test func `a second connection that is lost meanwhile is made again`() throws {
        try publish("first")
        let own = try PostgreSQLConnection(try server.string + " application_name=\(target)")
        let candidate = try CandidateSchema(replacing: target, madeBy: "x", on: own)
        try own.execute("CREATE TABLE \(candidate.name).themes AS SELECT 'second' AS name")
        let process = try own.query("SELECT pg_backend_pid()")[0][0]
        let ended = try connection.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND pid <> $2::int",
          [target, process])
        #expect(ended == [["t"]])
        #expect(try candidate.publish() == nil)
        #expect(try schemas == ["lego"])
      }

      @Test func `a name that leaves no room for the others is refused`() throws {
        let error = try #require(throws: PostgreSQLError.self) {
          _ = try CandidateSchema(
            replacing: String(repeating: "x", count: 59), madeBy: "x", on: connection)
        }
        #expect(error.kind == .misuse)
      }
    }
  }
#endif
