#if PostgreSQL
  import Foundation
  import Testing

  @testable import PostgreSQL

  extension ServerTests {
    /// Sessions that may not change anything.
    @Suite struct ReadOnlyTests {
      @Test func `a session that may only read is refused`() throws {
        let string = try server.string + " options='-c default_transaction_read_only=on'"
        let connection = try PostgreSQLConnection(string)
        let error = try #require(throws: PostgreSQLError.self) {
          _ = try CandidateSchema(replacing: "readonly", madeBy: "x", on: connection)
        }
        #expect(error.kind == .misuse)
        #expect(
          error.message.text
            == "The session is read-only: default_transaction_read_only is on (source: client)")
        #expect(error.message.hint?.hasPrefix("Turn it off for this role or database") == true)
        #expect(
          try connection.query(
            "SELECT FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()"
          ).isEmpty)
      }
    }
  }
#endif
