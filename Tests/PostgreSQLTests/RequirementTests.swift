#if PostgreSQL
  import Foundation
  import SQLiteSwiftly
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    /// What is reported before anything is loaded, in a database of its own.
    @Suite(.serialized) struct RequirementTests {
      private let connection: PostgreSQLConnection
      private let target = "lego_" + UUID().uuidString.prefix(8).lowercased()
      private var loader: String { target + "_loader" }
      private var other: String { target + "_other" }

      init() throws {
        try ServerTests.connect().execute("CREATE DATABASE \(target)")
        connection = try Self.connect(to: target)
        try connection.execute(
          "CREATE ROLE \(loader) LOGIN; CREATE ROLE \(other); REVOKE ALL ON DATABASE \(target) FROM PUBLIC"
        )
      }

      private static func connect(
        to database: String, as role: String = "postgres"
      ) throws -> PostgreSQLConnection {
        try PostgreSQLConnection("host=\(server.folder) user=\(role) dbname=\(database)")
      }

      private func connect() throws -> PostgreSQLConnection {
        try Self.connect(to: target, as: loader)
      }

      private func publish(_ rows: Int, keepsPrevious: Bool = false) throws {
        let session = try connect()
        let candidate = try CandidateSchema(
          replacing: target, madeBy: "x", keepsPrevious: keepsPrevious, on: session)
        try session.execute(
          "CREATE TABLE \(candidate.name).themes AS SELECT generate_series(1, \(rows)) AS id")
        #expect(try candidate.publish() == nil)
      }

      /// The error of a run that starts.
      private func error() throws -> PostgreSQLError {
        let session = try connect()
        return try #require(throws: PostgreSQLError.self) {
          var candidate = try CandidateSchema(replacing: target, madeBy: "x", on: session)
          try candidate.plan(nil, creating: ["CREATE TABLE sets (id int)"], allowsLoss: false)
        }
      }

      private var schemas: [[String?]] {
        get throws {
          try connection.query(
            "SELECT nspname FROM pg_namespace WHERE nspname LIKE $1 ORDER BY 1", [target + "%"])
        }
      }

      private var grants: String { "GRANT CONNECT, CREATE ON DATABASE \(target) TO \(loader)" }

      @Test func `a role with the needed privileges alone loads twice`() throws {
        try connection.execute(grants)
        try publish(1)
        try publish(2, keepsPrevious: true)
        try publish(3)
        #expect(try connection.numbers("SELECT count(*) FROM \(target).themes") == [3])
        #expect(try schemas == [[target]])
      }

      @Test func `a role that may not connect is refused`() throws {
        let error = try #require(throws: PostgreSQLError.self) { _ = try connect() }
        #expect(error.kind == .connection)
        #expect(error.message.text.hasSuffix("User does not have CONNECT privilege."))
      }

      /// The statements before a run, and what is missing; LEGO is the schema.
      @Test(arguments: [
        (
          ["REVOKE CREATE ON DATABASE LEGO FROM LEGO_loader"],
          ["GRANT CREATE ON DATABASE LEGO TO LEGO_loader, to create schemas"]
        ),
        (
          [
            "SET allow_in_place_tablespaces = on", "CREATE TABLESPACE LEGO LOCATION ''",
            "ALTER ROLE LEGO_loader SET default_tablespace = LEGO",
          ],
          [
            "GRANT CREATE ON TABLESPACE LEGO TO LEGO_loader, to create tables in the default_tablespace"
          ]
        ),
        (
          ["ALTER SCHEMA LEGO OWNER TO LEGO_other"],
          ["GRANT LEGO_other TO LEGO_loader, to replace or drop the schema LEGO"]
        ),
        (
          ["ALTER SCHEMA LEGO__old OWNER TO LEGO_other"],
          ["GRANT LEGO_other TO LEGO_loader, to replace or drop the schema LEGO__old"]
        ),
        (
          ["ALTER SCHEMA LEGO__old OWNER TO postgres"],
          ["ALTER SCHEMA LEGO__old OWNER TO LEGO_loader, to replace or drop the schema LEGO__old"]
        ),
        (
          [
            "ALTER SCHEMA LEGO__old RENAME TO LEGO__refused",
            "ALTER SCHEMA LEGO__refused OWNER TO LEGO_other",
          ],
          ["GRANT LEGO_other TO LEGO_loader, to replace or drop the schema LEGO__refused"]
        ),
        (
          [
            "ALTER SCHEMA LEGO__old RENAME TO LEGO__new",
            "ALTER SCHEMA LEGO__new OWNER TO LEGO_other",
            "REVOKE CREATE ON DATABASE LEGO FROM LEGO_loader",
          ],
          [
            "GRANT CREATE ON DATABASE LEGO TO LEGO_loader, to create schemas",
            "GRANT LEGO_other TO LEGO_loader, to replace or drop the schema LEGO__new",
          ]
        ),
      ])
      func `missing privileges are named with their statements`(
        statements: [String], missing: [String]
      ) throws {
        try connection.execute(grants)
        try publish(1)
        try publish(2, keepsPrevious: true)
        // One by one, because a tablespace cannot be created in a transaction.
        for sql in statements { try connection.execute(sql.replacing("LEGO", with: target)) }
        let error = try error()
        #expect(error.kind == .misuse)
        #expect(error.message.text == "The role \(loader) lacks privileges")
        #expect(
          error.message.detail?.replacing(target, with: "LEGO")
            == "It needs " + missing.joined(separator: ";\n"))
        for words in missing {
          let grant = words.prefix { $0 != "," }
          try connection.execute(String(grant).replacing("LEGO", with: target))
        }
        try publish(3)
      }

      @Test func `a publication of all tables is refused`() throws {
        try connection.execute(grants)
        try connection.execute(
          "SET client_min_messages = error; CREATE PUBLICATION everything FOR ALL TABLES")
        let error = try error()
        #expect(error.kind == .inUse)
        #expect(error.message.text == "All tables of the database are published, by everything")
        #expect(try schemas.isEmpty)
        try connection.execute("DROP PUBLICATION everything")
        try publish(1)
        try connection.execute(
          "SET client_min_messages = error; CREATE PUBLICATION ours FOR TABLES IN SCHEMA \(target)")
        #expect(
          try self.error().message.detail == "publication of schema \(target) in publication ours")
      }

      private func check(_ schemas: [String], seconds: Double = 0) throws {
        try connection.checkRequirements(
          replacing: target, dropping: schemas, or: target + "__refused", seconds: seconds)
      }

      /// A reader would block the end of the run.
      @Test func `readers of a schema to be dropped are named`() throws {
        try connection.execute(grants)
        try publish(1)
        try publish(2, keepsPrevious: true)
        let old = target + "__old"
        let reader = try Self.connect(to: target)
        try reader.execute("BEGIN; SELECT FROM \(old).themes")
        try check([target + "__new"])
        let error = try #require(throws: PostgreSQLError.self) { try check([old]) }
        #expect(error.kind == .locked)
        let found = try reader.query(
          "SELECT pg_backend_pid(), date_trunc('second', now())::text")[0]
        let (process, start) = (try #require(found[0]), try #require(found[1]))
        #expect(
          error.message.detail
            == "process \(process) of postgres (ingest), in a transaction since \(start), uses \(old)"
        )
        // A run waits for those that end in time.
        let (folder, database) = (try server.folder, target)
        let end = InThread {
          usleep(300_000)
          try PostgreSQLConnection("host=\(folder) user=postgres dbname=\(database)").execute(
            "SELECT pg_terminate_backend(\(process))")
        }
        try check([old], seconds: 3600)
        try end.value()
        try connection.execute("BEGIN; LOCK TABLE \(old).themes; PREPARE TRANSACTION '\(target)'")
        let second = try #require(throws: PostgreSQLError.self) { try check([old]) }
        #expect(second.message.detail == "a prepared transaction, uses \(old)")
        try connection.execute("ROLLBACK PREPARED '\(target)'")
        try publish(3)
        #expect(try schemas == [[target]])
      }

      @Test(arguments: [
        ("ALTER ROLE LEGO_loader CONNECTION LIMIT ", "The limit of the role is 1: "),
        ("ALTER DATABASE LEGO CONNECTION LIMIT ", "The limit of the database is 1: "),
      ])
      func `a limit of connections is named with its statement`(sql: String, words: String) throws {
        try connection.execute(grants)
        let session = try connect()
        let sql = sql.replacing("LEGO", with: target)
        try connection.execute(sql + "1")
        let error = try #require(throws: PostgreSQLError.self) {
          _ = try session.another("--jobs 3 needs 4 connections", missing: 3)
        }
        #expect(error.kind == .connection)
        #expect(error.message.text.hasPrefix("--jobs 3 needs 4 connections: "))
        #expect(error.message.hint == words + sql + "4")
        try connection.execute(sql + "4")
        #expect(try session.another("one more").query("SELECT current_user") == [[loader]])
      }
    }
  }
#endif
