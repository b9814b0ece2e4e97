#if PostgreSQL
  import Foundation
  import SQLiteSwiftly
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    @Suite struct CopyFailureTests {
      @Test func `a row that breaks a check is named`() throws {
        let connection = try connect()
        let definition = try create(CopyTests.notes, on: connection)
        let error = try #require(throws: PostgreSQLError.self) {
          try copy([[1, "a"], [2, "b"], [3, "c"], [4, "d"]], into: definition, on: connection)
        }
        #expect(error.kind == .server)
        #expect(error.message.sqlState == "23514")
        #expect(
          error.message.text
            == "new row for relation \"notes\" violates check constraint \"notes_note_check\"")
        #expect(error.message.detail == "Failing row contains (3, c).")
        #expect(error.message.context == "COPY notes, line 3")
        #expect(try connection.query("SELECT count(*) FROM \(definition.qualifiedName)") == [["0"]])
      }

      @Test func `a key that is there twice is named`() throws {
        let connection = try connect()
        let definition = try create(CopyTests.notes, on: connection)
        for statement in definition.keyAdditions { try connection.execute(statement) }
        let error = try #require(throws: PostgreSQLError.self) {
          try copy([[1, "a"], [1, "b"]], into: definition, on: connection)
        }
        #expect(error.message.sqlState == "23505")
        #expect(error.message.detail == "Key (id)=(1) already exists.")
        #expect(error.message.context == "COPY notes, line 2")
      }

      @Test func `a NUL in a text is refused by the server`() throws {
        let connection = try connect()
        let definition = try create(CopyTests.notes.withoutDomains, on: connection)
        let error = try #require(throws: PostgreSQLError.self) {
          try copy([[1, "a\0b"]], into: definition, on: connection)
        }
        #expect(error.message.sqlState == "22021")
        #expect(error.message.context == "COPY notes, line 1, column note")
      }

      @Test func `a value of another type is refused`() throws {
        let connection = try connect()
        let definition = try create(CopyTests.notes, on: connection)
        let error = try #require(throws: PostgreSQLError.self) {
          try copy([[1, "a"], ["x", "a"]], into: definition, on: connection)
        }
        #expect(error.kind == .misuse)
        #expect(error.message.text == "A value does not have the type of the column id of notes")
        #expect(try connection.query("SELECT count(*) FROM \(definition.qualifiedName)") == [["0"]])
      }

      @Test func `a copy that has failed takes nothing more`() throws {
        let connection = try connect()
        let definition = try create(CopyTests.notes, on: connection)
        var failed = try CopyWriter(into: definition, on: connection)
        var errors: [String] = []
        do throws(PostgreSQLError) {
          try failed.write(RowBatch.of([["x", "a"]]))
        } catch {
          errors.append(error.message.text)
        }
        // The connection is free again, and what comes next has nothing to do with the one that failed.
        var other = try CopyWriter(into: definition, on: connection)
        do throws(PostgreSQLError) {
          try failed.write(RowBatch.of([[1, "a"]]))
        } catch {
          errors.append(error.message.text)
        }
        do throws(PostgreSQLError) {
          _ = try failed.end()
        } catch {
          errors.append(error.message.text)
        }
        let ended = "The copy has already ended, because it failed"
        #expect(
          errors == ["A value does not have the type of the column id of notes", ended, ended])
        try other.write(RowBatch.of([[2, "b"]]))
        let rows = try other.end()
        #expect(rows == 1)
      }

      @Test func `what is given up is not there`() throws {
        let connection = try connect()
        let definition = try create(CopyTests.notes, on: connection)
        var writer = try CopyWriter(into: definition, on: connection)
        try writer.write(RowBatch.of([[1, "a"]]))
        let busy = try #require(throws: PostgreSQLError.self) { try connection.execute("SELECT 1") }
        #expect(busy.message.text == "The connection is busy with an unfinished COPY")
        _ = consume writer
        #expect(try connection.query("SELECT count(*) FROM \(definition.qualifiedName)") == [["0"]])
      }

      @Test func `a table that is not there or not allowed is refused at once`() throws {
        let connection = try connect()
        let absent = try TableDefinition(CopyTests.notes, in: "nowhere")
        let error = try #require(throws: PostgreSQLError.self) {
          _ = try CopyWriter(into: absent, on: connection)
        }
        #expect(error.message.sqlState == "3F000")
        let definition = try create(CopyTests.notes, on: connection)
        try connection.execute("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN")
        try connection.execute("GRANT USAGE ON SCHEMA \(definition.schema) TO guest")
        let guest = try connect(as: "guest")
        let refused = try #require(throws: PostgreSQLError.self) {
          _ = try CopyWriter(into: definition, on: guest)
        }
        #expect(refused.message.sqlState == "42501")
        #expect(refused.message.text == "permission denied for table notes")
      }

      /// A writer that has sent some rows, and goes on until it fails or an end.
      private func error(
        of definition: TableDefinition, on connection: PostgreSQLConnection,
        after action: () throws -> Void
      ) throws -> PostgreSQLError {
        let rows = (0..<5_000).map {
          [SQLiteValue.integer($0), .text(String(repeating: "a", count: 200))]
        }
        let batch = RowBatch.of(rows)
        var writer = try CopyWriter(into: definition, on: connection)
        try writer.write(batch)
        try action()
        var failure: PostgreSQLError?
        do throws(PostgreSQLError) {
          for _ in 0..<20 { try writer.write(batch) }
          _ = try writer.end()
        } catch {
          failure = error
        }
        return try #require(failure)
      }

      @Test func `a backend that is killed in the middle of a copy is told`() throws {
        let connection = try connect()
        let definition = try create(CopyTests.notes.withoutDomains, on: connection)
        let process = try #require(try connection.query("SELECT pg_backend_pid()")[0][0])
        let error = try error(of: definition, on: connection) {
          let other = try connect()
          try other.execute("SELECT pg_terminate_backend(\(process))")
          while try !other.query("SELECT FROM pg_stat_activity WHERE pid = \(process)").isEmpty {
            usleep(1_000)
          }
        }
        #expect(error.isConnectionLost)
        #expect(
          error.message.text.contains("terminating connection due to administrator command"),
          "\(error)")
        #expect(try connect().query("SELECT count(*) FROM \(definition.qualifiedName)") == [["0"]])
      }

      @Test func `a copy that takes too long is stopped`() throws {
        let connection = try connect()
        let definition = try create(CopyTests.notes.withoutDomains, on: connection)
        try connection.execute("SET statement_timeout = '100ms'")
        let error = try error(of: definition, on: connection) { usleep(200_000) }
        #expect(error.kind == .server)
        #expect(error.message.sqlState == "57014")
        #expect(error.message.context?.hasPrefix("COPY notes, line ") == true)
        #expect(try connection.query("SELECT 1") == [["1"]])
      }

      @Test func `a copy is cancelled from another thread`() throws {
        let connection = try connect()
        let definition = try create(CopyTests.notes.withoutDomains, on: connection)
        let error = try error(of: definition, on: connection) { try connection.canceller.cancel() }
        #expect(error.message.sqlState == "57014")
      }
    }
  }

  /// A server that goes away must not be that of the other tests.
  @Suite(.enabled(if: TestServer.programs != nil)) struct LostServerTests {
    @Test func `a server that is gone in the middle of a copy is told`() throws {
      let server = try TestServer()
      defer { try? server.stop() }
      let connection = try PostgreSQLConnection(server.string)
      let definition = try TableDefinition(ServerTests.CopyTests.notes.withoutDomains, in: "public")
      try connection.execute(definition.creation())
      var writer = try CopyWriter(into: definition, on: connection)
      try writer.write(RowBatch.of([[1, "a"]]))
      try server.kill()
      let batch = RowBatch.of((0..<5_000).map { [.integer($0), .text("text")] })
      var failure: PostgreSQLError?
      do throws(PostgreSQLError) {
        for _ in 0..<100 { try writer.write(batch) }
        _ = try writer.end()
      } catch {
        failure = error
      }
      #expect(failure?.isConnectionLost == true)
      let again = try #require(throws: PostgreSQLError.self) { try connection.query("SELECT 1") }
      #expect(again.isConnectionLost)
      let refused = try #require(throws: PostgreSQLError.self) {
        try PostgreSQLConnection(server.string)
      }
      #expect(refused.isConnectionLost)
      #expect(refused.message.text.contains("Is the server running locally"))
    }
  }
#endif
