#if PostgreSQL
  import Foundation
  import SQLiteSwiftly
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    /// What others have made outside of a schema, and what is dropped with it.
    @Suite struct DependentTests {
      private let connection: PostgreSQLConnection
      /// Names that no other test uses.
      private let target = "lego_" + UUID().uuidString.prefix(8).lowercased()
      private var app: String { target + "_app" }

      init() throws {
        connection = try connect()
        try connection.execute("CREATE SCHEMA \(app)")
        try publish("first", replacing: target, on: connection)
      }

      /// Each is one that `DROP … CASCADE` would drop as well.
      @Test(arguments: [
        ("CREATE VIEW {A}.late AS SELECT * FROM {T}.themes", "view {A}.late"),
        (
          "CREATE TABLE {A}.t (x int); CREATE POLICY late ON {A}.t USING (EXISTS (SELECT FROM {T}.themes))",
          "policy late on table {A}.t"
        ),
        ("CREATE TABLE {A}.t (x {T}.themes)", "column x of table {A}.t"),
        ("CREATE TABLE {A}.t (x {T}.themes[])", "column x of table {A}.t"),
        ("CREATE DOMAIN {A}.late AS {T}.themes", "type {A}.late"),
        ("CREATE TABLE {A}.t () INHERITS ({T}.themes)", "table {A}.t"),
        ("CREATE CAST ({T}.themes AS text) WITH INOUT", "cast from {T}.themes to text"),
        ("CREATE SEQUENCE {A}.late OWNED BY NONE", nil),
        (
          """
          CREATE FUNCTION {T}.f() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'; CREATE TABLE {A}.t (x int);
          CREATE TRIGGER late BEFORE INSERT ON {A}.t FOR EACH ROW EXECUTE FUNCTION {T}.f()
          """, "trigger late on table {A}.t"
        ),
        (
          "CREATE SEQUENCE {T}.s; CREATE TABLE {A}.t (x bigint DEFAULT nextval('{T}.s'))",
          "default value for column x of table {A}.t"
        ),
        ("CREATE STATISTICS {A}.late ON id, name FROM {T}.themes", "statistics object {A}.late"),
        (
          "CREATE PUBLICATION {A}_late FOR TABLES IN SCHEMA {T}",
          "publication of schema {T} in publication {A}_late"
        ),
      ])
      func `what others have made is not dropped`(sql: String, words: String?) throws {
        func named(_ text: String) -> String {
          text.replacing("{T}", with: target).replacing("{A}", with: app)
        }
        let candidate = try CandidateSchema(replacing: target, madeBy: "x", on: connection)
        // After the look at what is there.
        try connection.execute(named(sql))
        guard let words else {
          #expect(try candidate.publish() == nil)
          return
        }
        let refusal = candidate.refusal()
        let error = try #require(refusal)
        #expect(error.kind == .inUse)
        #expect(error.message.detail == named(words))
        #expect(try connection.dependents(of: target) == [named(words)])
        #expect(try connection.query("SELECT name FROM \(target).themes") == [["first"]])
        try connection.execute("DROP SCHEMA \(app) CASCADE; DROP PUBLICATION IF EXISTS \(app)_late")
      }

      /// An extension in the schema would go with it, and what uses it elsewhere.
      @Test func `an extension is not dropped`() throws {
        let some =
          "SELECT name FROM pg_available_extensions WHERE name IN ('pg_trgm', 'citext') AND "
          + "installed_version IS NULL LIMIT 1"
        guard let name = try connection.query(some).first?[0] else { return }
        try connection.execute("CREATE EXTENSION \(name) SCHEMA \(target)")
        defer { try? connection.execute("DROP EXTENSION \(name)") }
        let error = try #require(throws: PostgreSQLError.self) {
          try publish("second", replacing: target, on: connection)
        }
        #expect(error.message.detail == "extension \(name)")
        #expect(throws: Never.self) { try connection.execute("DROP EXTENSION \(name)") }
      }

      /// A function comes while the old schema waits to be dropped, for which it needs no lock.
      @Test func `what comes while the old schema is dropped is kept`() throws {
        let (target, app) = (target, app)
        let reader = try connect()
        try reader.execute("BEGIN; SELECT FROM \(target).themes")
        let string = try server.string
        let publication = InThread {
          try publish("second", replacing: target, on: PostgreSQLConnection(string))
        }
        while try connection.query(
          "SELECT FROM pg_locks WHERE relation = to_regclass($1) AND NOT granted",
          ["\(target)__old.themes"]
        ).isEmpty { usleep(10_000) }
        // The body would be looked at with a lock.
        try connection.execute(
          "SET check_function_bodies = off; CREATE FUNCTION \(app).late(\(target)__old.themes) RETURNS text LANGUAGE sql AS 'SELECT $1.name'"
        )
        try reader.execute("COMMIT")
        let failure = try publication.value()
        #expect(failure?.kind == .inUse)
        #expect(failure?.message.detail == "function \(app).late(\(target)__old.themes)")
        #expect(try connection.query("SELECT name FROM \(target).themes") == [["second"]])
        #expect(
          try connection.query("SELECT \(app).late(t) FROM \(target)__old.themes AS t") == [
            ["first"]
          ])
      }

      /// The last look is in the transaction that publishes.
      @Test func `what comes in the moment of publishing is kept`() throws {
        let own = try PostgreSQLConnection(try server.string + " application_name=\(target)")
        try connection.execute(
          """
          CREATE FUNCTION \(app).late() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
            IF current_setting('application_name') = '\(target)' AND to_regclass('\(app).late') IS NULL
            THEN CREATE VIEW \(app).late AS SELECT * FROM \(target).themes; END IF; END $$;
          CREATE EVENT TRIGGER \(target) ON ddl_command_start WHEN TAG IN ('ALTER SCHEMA')
            EXECUTE FUNCTION \(app).late()
          """)
        defer { try? connection.execute("DROP EVENT TRIGGER \(target)") }
        let error = try #require(throws: PostgreSQLError.self) {
          try publish("second", replacing: target, on: own)
        }
        #expect(error.message.detail == "view \(app).late")
        #expect(try connection.query("SELECT name FROM \(target).themes") == [["first"]])
      }
    }
  }

  /// Publishes a schema with one table of one row.
  @discardableResult
  private func publish(
    _ name: String, replacing target: String, on connection: PostgreSQLConnection
  ) throws -> PostgreSQLError? {
    let candidate = try CandidateSchema(replacing: target, madeBy: "x", on: connection)
    try connection.execute(
      """
      CREATE TABLE \(candidate.name).themes (id bigint, name text);
      INSERT INTO \(candidate.name).themes VALUES (1, '\(name)')
      """)
    return try candidate.publish()
  }
#endif
