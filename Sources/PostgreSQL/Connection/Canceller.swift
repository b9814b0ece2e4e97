#if PostgreSQL
  import CPostgreSQL

  /// Cancels the statement of a connection, from any thread.
  ///
  /// It can outlive the connection, and then has no effect.
  @safe package final class Canceller: @unchecked Sendable {
    // Created once and never changed, so it needs no lock
    // (<https://www.postgresql.org/docs/current/libpq-cancel.html>).
    private let handle: OpaquePointer?

    @unsafe init(_ connection: OpaquePointer) { unsafe handle = unsafe PQgetCancel(connection) }

    deinit { unsafe PQfreeCancel(handle) }

    /// Asks the server to cancel the current statement, which then fails with SQLSTATE 57014; without a statement it has
    /// no effect.
    ///
    /// Waits until the server has received the request over a separate connection. That one is not encrypted, but the
    /// request contains only the number and the key of the session.
    ///
    /// - Throws: `PostgreSQLError` with `connection` if the server cannot be reached.
    package func cancel() throws(PostgreSQLError) {
      // The size that the library documents.
      var words = [CChar](repeating: 0, count: 256)
      guard unsafe PQcancel(handle, &words, Int32(words.count)) == 0 else { return }
      let text = String(
        decoding: words.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      throw PostgreSQLError(
        .connection, "The statement cannot be canceled: \(text.trimmingLineEnds)")
    }
  }
#endif
