#if PostgreSQL
  import Foundation
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    @Suite struct ConnectionTests {
      @Test func `a connection tells who it is`() throws {
        let connection = try connect()
        #expect(try connection.query("SHOW application_name") == [["ingest"]])
        #expect(try connection.query("SHOW client_encoding") == [["UTF8"]])
        #expect(try connection.query("SHOW standard_conforming_strings") == [["on"]])
        #expect(connection.serverVersion >= 120_000)
      }

      @Test func `the connection string may have another application name`() throws {
        let connection = try PostgreSQLConnection(try server.string + " application_name=nightly")
        #expect(try connection.query("SHOW application_name") == [["nightly"]])
      }

      @Test func `values come as text, and NULL as nil`() throws {
        let rows = try connect().query(
          "SELECT $1::text, $2::int, '', 1.5::float8 UNION ALL SELECT 'b', 2, NULL, NULL",
          ["a'\\b", nil])
        #expect(rows == [["a'\\b", nil, "", "1.5"], ["b", "2", nil, nil]])
      }

      @Test func `the server's errors have all their parts`() throws {
        let connection = try connect()
        let error = try #require(throws: PostgreSQLError.self) {
          try connection.execute(
            """
            DO $$ BEGIN RAISE EXCEPTION 'no brick' USING ERRCODE = 'P0042', DETAIL = 'of 3', HINT = 'buy'; END $$
            """)
        }
        #expect(error.kind == .server)
        #expect(error.message.severity == "ERROR")
        #expect(error.message.sqlState == "P0042")
        #expect(error.message.text == "no brick")
        #expect(error.message.detail == "of 3")
        #expect(error.message.hint == "buy")
        #expect(error.message.context == "PL/pgSQL function inline_code_block line 1 at RAISE")
        #expect(!error.isConnectionLost)
        #expect(try connection.query("SELECT 1") == [["1"]])
      }

      @Test func `notices are kept and not printed`() throws {
        let connection = try connect()
        try connection.execute("DROP TABLE IF EXISTS nothing")
        let messages = connection.notices
        #expect(messages.map(\.text) == ["table \"nothing\" does not exist, skipping"])
        #expect(messages.first?.severity == "NOTICE")
        #expect(messages.first?.sqlState == "00000")
      }

      @Test func `of too many notices the first are kept`() throws {
        let connection = try connect()
        try connection.execute(
          "DO $$ BEGIN FOR i IN 1..1234 LOOP RAISE NOTICE '%', i; END LOOP; END $$")
        #expect(connection.notices.count == 1_000)
        #expect(connection.notices.last?.text == "1000")
      }

      @Test func `a NUL in a statement is refused`() throws {
        let error = try #require(throws: PostgreSQLError.self) {
          try connect().execute("SELECT 1\0; DROP TABLE x")
        }
        #expect(error.kind == .misuse)
      }

      @Test func `a statement is cancelled from another thread`() async throws {
        let connection = try connect()
        let canceller = connection.canceller
        // Again and again, since the first may come before the statement has begun.
        let thread = Thread {
          while !Thread.current.isCancelled {
            usleep(5_000)
            try? canceller.cancel()
          }
        }
        thread.start()
        defer { thread.cancel() }
        let error = try #require(throws: PostgreSQLError.self) {
          try connection.execute("SELECT pg_sleep(3600)")
        }
        #expect(error.message.sqlState == "57014")
        #expect(error.message.text == "canceling statement due to user request")
        #expect(error.kind == .server)
      }

      @Test func `a statement that takes too long is stopped`() throws {
        let connection = try connect()
        try connection.execute("SET statement_timeout = '50ms'")
        let error = try #require(throws: PostgreSQLError.self) {
          try connection.execute("SELECT pg_sleep(60)")
        }
        #expect(error.message.sqlState == "57014")
        #expect(error.message.text == "canceling statement due to statement timeout")
      }

      @Test(arguments: ["idle_session_timeout", "idle_in_transaction_session_timeout"])
      func `sessions may be idle for any time, whatever the role's settings`(name: String) throws {
        let first = try PostgreSQLConnection(server.string + " options='-c \(name)=90s'")
        for connection in [first, try first.another("a test")] {
          #expect(try connection.texts("SHOW \(name)") == ["0"])
        }
      }

      @Test func `a connection that the administrator ends is lost`() throws {
        let connection = try connect()
        let process = try #require(try connection.query("SELECT pg_backend_pid()")[0][0])
        try connect().execute("SELECT pg_terminate_backend(\(process))")
        let error = try #require(throws: PostgreSQLError.self) {
          while true { try connection.execute("SELECT pg_sleep(0.1)") }
        }
        #expect(error.isConnectionLost)
        #expect(error.message.severity == "FATAL")
        #expect(error.message.sqlState == "57P01")
        #expect(error.message.text == "terminating connection due to administrator command")
      }

      @Test func `a wrong password is refused, and not told`() throws {
        let administrator = try connect()
        try administrator.execute(
          "DROP ROLE IF EXISTS locked; CREATE ROLE locked LOGIN PASSWORD 'right-one'")
        let string = "host=\(try server.folder) user=locked dbname=postgres password="
        #expect(try PostgreSQLConnection(string + "right-one").query("SELECT 1") == [["1"]])
        // A second connection knows it, too.
        #expect(
          try PostgreSQLConnection(string + "right-one").another().query("SELECT current_user")
            == [["locked"]])
        let error = try #require(throws: PostgreSQLError.self) {
          try PostgreSQLConnection(string + "wrong-one")
        }
        #expect(error.kind == .connection)
        #expect(
          error.message.text.hasSuffix("FATAL:  password authentication failed for user \"locked\"")
        )
        #expect(!"\(error)".contains("wrong-one"))
      }

      @Test func `a database in another encoding is refused`() throws {
        let administrator = try connect()
        try administrator.execute("DROP DATABASE IF EXISTS latin")
        try administrator.execute(
          "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
        let error = try #require(throws: PostgreSQLError.self) {
          try PostgreSQLConnection("host=\(try server.folder) user=postgres dbname=latin")
        }
        #expect(error.kind == .misuse)
        #expect(error.message.text == "The database has the encoding LATIN1, but UTF8 is required")
      }

      @Test func `a transaction is kept or undone as a whole`() throws {
        let connection = try connect()
        let schema = try newSchema(on: connection)
        try connection.transaction { () throws(PostgreSQLError) in
          try connection.execute("CREATE TABLE \(schema).a (x int)")
        }
        let error = try #require(throws: PostgreSQLError.self) {
          try connection.transaction { () throws(PostgreSQLError) in
            try connection.execute("INSERT INTO \(schema).a VALUES (1)")
            try connection.execute("SELECT 1/0")
          }
        }
        #expect(error.message.sqlState == "22012")
        #expect(try connection.query("SELECT count(*) FROM \(schema).a") == [["0"]])
      }

      @Test func `a connection that is lost in a commit leaves it uncertain`() throws {
        let connection = try connect()
        let schema = try newSchema(on: connection)
        try connection.execute(
          """
          CREATE TABLE \(schema).a (x int);
          CREATE FUNCTION \(schema).wait() RETURNS trigger LANGUAGE plpgsql
          AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(60); RETURN NULL; END';
          CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON \(schema).a DEFERRABLE INITIALLY DEFERRED
          FOR EACH ROW EXECUTE FUNCTION \(schema).wait()
          """)
        let error = try #require(throws: PostgreSQLError.self) {
          try connection.transaction { () throws(PostgreSQLError) in
            try connection.execute("INSERT INTO \(schema).a VALUES (1)")
          }
        }
        #expect(error.kind == .uncertain)
        #expect(error.isConnectionLost)
      }

      @Test(arguments: [
        (90_624, "The server is PostgreSQL 9.6, but version 12 or later is required"),
        (100_023, "The server is PostgreSQL 10, but version 12 or later is required"),
        (110_022, "The server is PostgreSQL 11, but version 12 or later is required"),
        (120_000, nil), (150_004, nil), (180_000, nil),
      ])
      func `an older server is refused`(version: Int, message: String?) {
        var error: PostgreSQLError?
        do throws(PostgreSQLError) {
          try PostgreSQLConnection.check(version: version)
        } catch let failure {
          error = failure
        }
        #expect(error?.message.text == message)
        #expect(error?.kind == (message == nil ? nil : .misuse))
      }

      @Test func `a transaction that went on after an error is not taken for committed`() throws {
        let connection = try connect()
        let error = try #require(throws: PostgreSQLError.self) {
          try connection.transaction { () throws(PostgreSQLError) in
            try? connection.execute("SELECT 1/0")
          }
        }
        #expect(error.kind == .misuse)
        let nested = try #require(throws: PostgreSQLError.self) {
          try connection.transaction { () throws(PostgreSQLError) in
            try connection.transaction { () throws(PostgreSQLError) in }
          }
        }
        #expect(nested.message.text == "A transaction is already open")
      }
    }
  }
#endif
