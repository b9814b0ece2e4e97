#if PostgreSQL
  import Foundation
  import SQLiteSwiftly
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    @Suite struct CopyTests {
      static let everything = TableDescription(
        "every\"thing",
        columns: [
          ColumnDescription("id", .integer),
          ColumnDescription("Big one", .integer, isNullable: true),
          ColumnDescription("flag", .boolean, isNullable: true),
          ColumnDescription("number", .real, isNullable: true),
          ColumnDescription("text", .text, isNullable: true),
          ColumnDescription("bytes", .blob, isNullable: true),
        ], primaryKey: ["id"])

      static let notes = TableDescription(
        "notes",
        columns: [
          ColumnDescription("id", .integer),
          ColumnDescription("note", .text, domain: .oneOf(["a", "b"])),
        ], primaryKey: ["id"])

      @Test func `psql prints what was copied`() throws {
        let connection = try connect()
        let definition = try create(Self.everything, on: connection)
        let rows: [[SQLiteValue]] = [
          [1, .integer(.min), 0, .real(-0.0), "", .blob([])],
          [2, .integer(.max), 1, .real(.nan), "it's \"quoted\" \\ |", .blob([0, 255, 39])],
          [3, -1, .null, .real(.infinity), "two\nlines\r\tand a tab", .null],
          [4, .null, 1, .real(-.infinity), "ü€😀 e\u{301} \u{feff}", .null],
          [5, 0, 0, .real(.leastNonzeroMagnitude), .null, .null],
          [6, 1, 0, .real(.greatestFiniteMagnitude), "NULL", .null],
          [7, 1, 0, .real(0.1), "\\N", .null],
          // An integer in a column of reals, which SQLite would convert.
          [8, 1, 0, .integer(3), "\\.", .null],
        ]
        #expect(try copy(rows, into: definition, on: connection) == 8)
        #expect(
          try server.psql(
            """
            SELECT id, "Big one", flag, number, encode(convert_to(text, 'UTF8'), 'hex'), bytes
            FROM \(definition.qualifiedName) ORDER BY id
            """) == """
              1|-9223372036854775808|f|-0||\\x
              2|9223372036854775807|t|NaN|6974277320\("22")71756f74656422205c207c|\\x00ff27
              3|-1|∅|Infinity|74776f0a6c696e65730d09616e64206120746162|∅
              4|∅|t|-Infinity|c3bce282acf09f98802065cc8120efbbbf|∅
              5|0|f|5e-324|∅|∅
              6|1|f|1.7976931348623157e+308|4e554c4c|∅
              7|1|f|0.1|5c4e|∅
              8|1|f|3|5c2e|∅
              """)
      }

      @Test func `texts are longer than the buffer, and end where it ends`() throws {
        let connection = try connect()
        let definition = try create(Self.notes.withoutDomains, on: connection)
        let counts =
          [0, 1, 250, 1_000_000] + Array(CopyBuffer.capacity - 60...CopyBuffer.capacity + 3)
        let rows = counts.enumerated().map { place, count in
          [SQLiteValue.integer(Int64(place)), .text(String(repeating: "x", count: count) + "€")]
        }
        #expect(try copy(rows, into: definition, on: connection) == rows.count)
        let lengths = try connection.query(
          "SELECT octet_length(note), note = repeat('x', length(note) - 1) || '€' "
            + "FROM \(definition.qualifiedName) ORDER BY id")
        #expect(lengths == counts.map { ["\($0 + 3)", "t"] })
      }

      @Test func `many batches come in whole`() throws {
        let connection = try connect()
        let definition = try create(Self.notes.withoutDomains, on: connection)
        var writer = try CopyWriter(into: definition, on: connection)
        let empty = RowBatch(cells: 2, textCapacity: 0)
        for start in stride(from: 0, to: 50_000, by: 5_000) {
          try writer.write(
            RowBatch.of((start..<start + 5_000).map { [.integer(Int64($0)), .text("note \($0)")] }))
          try writer.write(empty)
        }
        #expect(try writer.finish() == 50_000)
        let difference = try connection.query(
          """
          SELECT count(*), count(*) FILTER (WHERE note = 'note ' || id), min(id), max(id), count(DISTINCT id)
          FROM \(definition.qualifiedName)
          """)
        #expect(difference == [["50000", "50000", "0", "49999", "50000"]])
      }

      @Test func `a table without rows is copied`() throws {
        let connection = try connect()
        let definition = try create(Self.notes, on: connection)
        #expect(try copy([], into: definition, on: connection) == 0)
        #expect(try connection.query("SELECT 1") == [["1"]])
      }

      @Test func `a row that breaks a check is named`() throws {
        let connection = try connect()
        let definition = try create(Self.notes, on: connection)
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
        #expect(error.sql == definition.copy())
        #expect(try connection.query("SELECT count(*) FROM \(definition.qualifiedName)") == [["0"]])
      }

      @Test func `a key that is there twice is named`() throws {
        let connection = try connect()
        let definition = try create(Self.notes, on: connection)
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
        let definition = try create(Self.notes.withoutDomains, on: connection)
        let error = try #require(throws: PostgreSQLError.self) {
          try copy([[1, "a\0b"]], into: definition, on: connection)
        }
        #expect(error.message.sqlState == "22021")
        #expect(error.message.context == "COPY notes, line 1, column note")
      }

      @Test func `a value of another type is refused`() throws {
        let connection = try connect()
        let definition = try create(Self.notes, on: connection)
        let error = try #require(throws: PostgreSQLError.self) {
          try copy([[1, "a"], ["x", "a"]], into: definition, on: connection)
        }
        #expect(error.kind == .misuse)
        #expect(error.message.text == "A value is not of the type of the column id of notes")
        #expect(
          try connection.query("SELECT count(*) FROM \(definition.qualifiedName)") == [["0"]])
      }

      @Test func `a copy that has failed takes nothing more`() throws {
        let connection = try connect()
        let definition = try create(Self.notes, on: connection)
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
          _ = try failed.finish()
        } catch {
          errors.append(error.message.text)
        }
        let ended = "The copy has ended already, because it failed"
        #expect(
          errors == ["A value is not of the type of the column id of notes", ended, ended])
        try other.write(RowBatch.of([[2, "b"]]))
        let rows = try other.finish()
        #expect(rows == 1)
      }

      @Test func `what is given up is not there`() throws {
        let connection = try connect()
        let definition = try create(Self.notes, on: connection)
        var writer = try CopyWriter(into: definition, on: connection)
        try writer.write(RowBatch.of([[1, "a"]]))
        let busy = try #require(throws: PostgreSQLError.self) { try connection.execute("SELECT 1") }
        #expect(busy.message.text == "The connection is used by a COPY that has not ended")
        try writer.cancel(because: "the night is over")
        #expect(try connection.query("SELECT count(*) FROM \(definition.qualifiedName)") == [["0"]])
        do {
          var writer = try CopyWriter(into: definition, on: connection)
          try writer.write(RowBatch.of([[1, "a"]]))
        }
        #expect(try connection.query("SELECT count(*) FROM \(definition.qualifiedName)") == [["0"]])
      }

      @Test func `a table that is not there or not allowed is refused at once`() throws {
        let connection = try connect()
        let absent = try TableDefinition(Self.notes, in: "nowhere")
        let error = try #require(throws: PostgreSQLError.self) {
          _ = try CopyWriter(into: absent, on: connection)
        }
        #expect(error.message.sqlState == "3F000")
        let definition = try create(Self.notes, on: connection)
        try connection.execute("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN")
        try connection.execute("GRANT USAGE ON SCHEMA \(definition.schema) TO guest")
        let guest = try PostgreSQLConnection("host=\(try server.folder) user=guest dbname=postgres")
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
          _ = try writer.finish()
        } catch {
          failure = error
        }
        return try #require(failure)
      }

      @Test func `a backend that is killed in the middle of a copy is told`() throws {
        let connection = try connect()
        let definition = try create(Self.notes.withoutDomains, on: connection)
        let process = try #require(try connection.query("SELECT pg_backend_pid()")[0][0])
        let error = try error(of: definition, on: connection) {
          try connect().execute("SELECT pg_terminate_backend(\(process))")
          usleep(100_000)
        }
        #expect(error.isConnectionLost)
        #expect(
          error.message.text.contains("terminating connection due to administrator command"),
          "\(error)")
        #expect(try connect().query("SELECT count(*) FROM \(definition.qualifiedName)") == [["0"]])
      }

      @Test func `a copy that takes too long is stopped`() throws {
        let connection = try connect()
        let definition = try create(Self.notes.withoutDomains, on: connection)
        try connection.execute("SET statement_timeout = '100ms'")
        let error = try error(of: definition, on: connection) { usleep(200_000) }
        #expect(error.kind == .server)
        #expect(error.message.sqlState == "57014")
        #expect(error.message.context?.hasPrefix("COPY notes, line ") == true)
        #expect(try connection.query("SELECT 1") == [["1"]])
      }

      @Test func `a copy is cancelled from another thread`() throws {
        let connection = try connect()
        let definition = try create(Self.notes.withoutDomains, on: connection)
        let error = try error(of: definition, on: connection) { try connection.canceller.cancel() }
        #expect(error.message.sqlState == "57014")
      }
    }
  }

  extension TableDescription {
    /// The table without conditions on what texts may be.
    fileprivate var withoutDomains: TableDescription {
      TableDescription(
        name, columns: columns.map { ColumnDescription($0.name, $0.type) }, primaryKey: primaryKey)
    }
  }

  /// A server that goes away must not be that of the other tests.
  @Suite(.enabled(if: TestServer.programs != nil)) struct LostServerTests {
    @Test func `a server that is gone in the middle of a copy is told`() throws {
      let server = try TestServer()
      defer { try? server.stop() }
      let connection = try PostgreSQLConnection(server.string)
      let definition = try TableDefinition(ServerTests.CopyTests.notes.withoutDomains, in: "public")
      try connection.execute(definition.creation)
      var writer = try CopyWriter(into: definition, on: connection)
      try writer.write(RowBatch.of([[1, "a"]]))
      try server.kill()
      let batch = RowBatch.of((0..<5_000).map { [.integer($0), .text("text")] })
      var failure: PostgreSQLError?
      do throws(PostgreSQLError) {
        for _ in 0..<100 { try writer.write(batch) }
        _ = try writer.finish()
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
