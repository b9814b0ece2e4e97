#if PostgreSQL
  import Foundation
  import SQLiteSwiftly
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    /// Readers whose transactions go on while a schema is replaced.
    @Suite(.serialized) struct ReaderTests {
      private let connection: PostgreSQLConnection
      private let target = "lego_" + UUID().uuidString.prefix(8).lowercased()

      /// In a database of its own, so that transactions of other suites are not old readers.
      init() throws {
        try ServerTests.connect().execute("CREATE DATABASE \(target)")
        connection = try Self.connect(to: target)
      }

      private static func connect(to database: String) throws -> PostgreSQLConnection {
        try PostgreSQLConnection("host=\(server.folder) user=postgres dbname=\(database)")
      }

      private func connect() throws -> PostgreSQLConnection { try Self.connect(to: target) }

      private func fill(_ candidate: borrowing CandidateSchema, _ rows: Int) throws {
        try connection.transaction { () throws(PostgreSQLError) in
          try connection.execute(
            """
            CREATE TABLE \(candidate.name).themes (id bigint);
            INSERT INTO \(candidate.name).themes SELECT generate_series(1, \(rows))
            """)
        }
      }

      private func begin() throws -> CandidateSchema {
        try CandidateSchema(replacing: target, madeBy: "x", on: connection)
      }

      private func publish(_ rows: Int) throws {
        let candidate = try begin()
        try fill(candidate, rows)
        let readers = try candidate.oldReaders()
        try candidate.wait(for: readers, seconds: 3600)
        #expect(try candidate.publish() == nil)
      }

      private func rows(_ reader: PostgreSQLConnection) throws -> [[String?]] {
        try reader.query("SELECT count(*) FROM \(target).themes")
      }

      @Test(arguments: ["REPEATABLE READ", "SERIALIZABLE"])
      func `a reader never finds a table empty`(isolation: String) throws {
        try publish(3)
        let reader = try connect()
        try reader.execute("BEGIN ISOLATION LEVEL \(isolation)")
        // It reads something else first, with which it has its picture of the database.
        _ = try reader.query("SELECT count(*) FROM pg_am")
        let candidate = try begin()
        try fill(candidate, 5)
        let readers = try candidate.oldReaders()
        let error = try #require(throws: PostgreSQLError.self) {
          try candidate.wait(for: readers, seconds: 0.2)
        }
        _ = consume candidate
        #expect(try rows(reader) == [["3"]])
        #expect(error.kind == .locked)
        let process = try #require(try reader.query("SELECT pg_backend_pid()")[0][0])
        #expect(error.message.detail == "process \(process) of postgres (ingest)")
        try reader.execute("COMMIT")
        try publish(7)
        #expect(try rows(reader) == [["7"]])
      }

      @Test func `a reader that began after the load goes on`() throws {
        try publish(3)
        let candidate = try begin()
        try fill(candidate, 5)
        let readers = try candidate.oldReaders()
        let reader = try connect()
        try reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM pg_am")
        try candidate.wait(for: readers, seconds: 0)
        #expect(try candidate.publish() == nil)
        #expect(try rows(reader) == [["5"]])
        try reader.execute("COMMIT")
      }

      /// Neither role can use the schema itself: one becomes another role later, and one calls a function that can.
      @Test(arguments: [
        "SET ROLE {T}_owner; SELECT count(*) FROM {T}.themes", "SELECT {T}_app.themes()",
      ])
      func `a reader with the privileges of another role is waited for`(question: String) throws {
        let guest = target + "_guest"
        try publish(3)
        try connection.execute(
          """
          CREATE ROLE \(target)_owner; GRANT USAGE ON SCHEMA \(target) TO \(target)_owner;
          GRANT SELECT ON \(target).themes TO \(target)_owner;
          CREATE ROLE \(guest) LOGIN NOINHERIT IN ROLE \(target)_owner; CREATE SCHEMA \(target)_app;
          CREATE FUNCTION \(target)_app.themes() RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER
            AS 'BEGIN RETURN (SELECT count(*) FROM \(target).themes); END';
          GRANT USAGE ON SCHEMA \(target)_app TO \(guest)
          """)
        let reader = try PostgreSQLConnection(
          "host=\(try server.folder) user=\(guest) dbname=\(target)")
        try reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM pg_am")
        let candidate = try begin()
        try fill(candidate, 5)
        let readers = try candidate.oldReaders()
        let error = #expect(throws: PostgreSQLError.self) {
          try candidate.wait(for: readers, seconds: 0)
        }
        #expect(error?.kind == .locked)
        #expect(error?.message.detail?.contains(" of \(guest) (ingest)") == true)
        let rows = try reader.result(of: question.replacing("{T}", with: target)).rows
        #expect(rows == [["3"]])
        try reader.execute("ROLLBACK")
        try publish(5)
        #expect(try self.rows(connection) == [["5"]])
      }

      @Test func `a reader that ends in time is waited for`() throws {
        try publish(3)
        let reader = try connect()
        try reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM pg_am")
        let process = try #require(try reader.query("SELECT pg_backend_pid()")[0][0])
        let string = try server.string
        let end = InThread {
          usleep(500_000)
          try PostgreSQLConnection(string).execute("SELECT pg_terminate_backend(\(process))")
        }
        try publish(5)
        try end.value()
        #expect(try rows(connection) == [["5"]])
      }
    }
  }
#endif
