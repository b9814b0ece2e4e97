#if PostgreSQL
  import CPostgreSQL

  /// Stops what a connection is doing, from any thread.
  ///
  /// It can be kept longer than the connection, and then has no effect.
  @safe package final class Canceller: @unchecked Sendable {
    // Made once and never changed, so that it needs no lock
    // (<https://www.postgresql.org/docs/current/libpq-cancel.html>).
    private let handle: OpaquePointer?

    @unsafe init(_ connection: OpaquePointer) { unsafe handle = unsafe PQgetCancel(connection) }

    deinit { unsafe PQfreeCancel(handle) }

    /// Asks the server to stop the statement that runs, which then fails with the SQLSTATE 57014; without one it
    /// has no effect.
    ///
    /// It waits until the server has taken the request, over a connection of its own, which is not encrypted; the
    /// request has nothing but the number and the key of the session.
    ///
    /// - Throws: `PostgreSQLError` with `connection` if the server cannot be reached.
    package func cancel() throws(PostgreSQLError) {
      // The library fills at most as much.
      var words = [CChar](repeating: 0, count: 256)
      guard unsafe PQcancel(handle, &words, Int32(words.count)) == 0 else { return }
      let text = String(
        decoding: words.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      throw PostgreSQLError(
        .connection, "The statement cannot be cancelled: \(text.trimmingLineEnds)")
    }
  }
#endif
