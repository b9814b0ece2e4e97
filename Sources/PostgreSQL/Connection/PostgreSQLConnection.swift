#if PostgreSQL
  import CPostgreSQL

  /// A connection to one database of a server.
  ///
  /// It is used by one thread at a time and is not `Sendable`; `canceller` is for the others. The session has
  /// UTF-8 on the way, nothing but `pg_catalog` in its search path, and plain literals, in which a backslash is one.
  @safe package final class PostgreSQLConnection {
    let handle: OpaquePointer
    /// The notices and warnings that came, of which the first thousand are kept.
    package private(set) var notices: [ServerMessage] = []
    /// Stops what the connection is doing, from any thread.
    package let canceller: Canceller
    /// Whether a COPY has not ended, during which nothing else can be done.
    var isCopying = false

    /// Connects to a server.
    ///
    /// - Parameter string: a connection string of libpq's, which also takes service files, TLS and passwords from
    ///   wherever it says, or the environment (<https://www.postgresql.org/docs/current/libpq-connect.html>). The
    ///   session is called `ingest` unless it says otherwise.
    /// - Throws: `PostgreSQLError` with `misuse` if the string cannot be read, the server is too old or the database
    ///   not in UTF-8, and with `connection` if the server cannot be reached or lets nobody in.
    package convenience init(_ string: String) throws(PostgreSQLError) {
      try ConnectionString.validate(string)
      try self.init([("dbname", string), ("fallback_application_name", "ingest")])
    }

    /// Connects to a server with keywords and values, of which the last one counts of a keyword that is there twice.
    init(_ parameters: [(keyword: String, value: String)]) throws(PostgreSQLError) {
      let handle = unsafe Self.connect(parameters + [("client_encoding", "UTF8")])
      guard let handle = unsafe handle else {
        throw PostgreSQLError(.connection, "There is no memory for a connection")
      }
      guard unsafe PQstatus(handle) == CONNECTION_OK else {
        defer { unsafe PQfinish(handle) }
        throw PostgreSQLError(.connection, unsafe Self.words(of: handle))
      }
      unsafe self.handle = unsafe handle
      canceller = unsafe Canceller(handle)
      unsafe receiveNotices()
      try Self.check(version: serverVersion)
      // What a role has set for its other sessions: a transaction is to see what others commit, and a table that
      // hides some of its rows is to be an error.
      try execute(
        """
        SET standard_conforming_strings = on; SET search_path = pg_catalog;
        SET default_transaction_isolation = 'read committed'; SET row_security = off
        """)
      guard let encoding = unsafe PQparameterStatus(handle, "server_encoding") else { return }
      let name = unsafe String(cString: encoding)
      guard name == "UTF8" else {
        throw PostgreSQLError(
          .misuse, "The database is in \(name), which has not every character",
          hint: "Create one with ENCODING 'UTF8'.")
      }
    }

    deinit { unsafe PQfinish(handle) }

    private static func connect(_ parameters: [(keyword: String, value: String)]) -> OpaquePointer?
    {
      // Two lists of C strings, each with a null pointer at its end.
      let texts = parameters.flatMap { [$0.keyword, $0.value] }.map { Array($0.utf8CString) }
      return unsafe withCStrings(texts) { pointers in
        let keywords = unsafe stride(from: 0, to: pointers.count, by: 2).map { unsafe pointers[$0] }
        let values = unsafe stride(from: 1, to: pointers.count, by: 2).map { unsafe pointers[$0] }
        return unsafe PQconnectdbParams(keywords + [nil], values + [nil], 1)
      }
    }

    /// Keeps what libpq would print; it calls this object for as long as there is the handle.
    @unsafe private func receiveNotices() {
      unsafe PQsetNoticeReceiver(
        handle,
        { connection, result in
          guard let connection = unsafe connection else { return }
          let this = unsafe Unmanaged<PostgreSQLConnection>.fromOpaque(connection)
            .takeUnretainedValue()
          guard this.notices.count < 1_000 else { return }
          let words = unsafe PQresultErrorMessage(result).map { unsafe String(cString: $0) } ?? ""
          this.notices.append(unsafe ServerMessage(result, words: words.trimmingLineEnds))
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Throws if a server is older than what is asked of it; PostgreSQL 12 brought generated columns, of
    /// which the search has one.
    static func check(version: Int) throws(PostgreSQLError) {
      guard version < 120_000 else { return }
      let (major, minor) = (version / 10_000, version / 100 % 100)
      let name = major < 10 ? "\(major).\(minor)" : "\(major)"
      throw PostgreSQLError(
        .misuse, "The server is PostgreSQL \(name), and 12 is the oldest that is understood")
    }

    /// The version of the server: 150004 is 15.4
    /// (<https://www.postgresql.org/docs/current/libpq-status.html#LIBPQ-PQSERVERVERSION>).
    var serverVersion: Int { Int(unsafe PQserverVersion(handle)) }

    /// Runs statements, separated by semicolons, whose rows nobody needs.
    ///
    /// Several of them are one transaction unless they say otherwise
    /// (<https://www.postgresql.org/docs/current/libpq-exec.html#LIBPQ-PQEXEC>).
    ///
    /// - Throws: `PostgreSQLError` of the first that failed.
    package func execute(_ sql: String) throws(PostgreSQLError) { _ = try result(of: sql) }

    /// Runs statements, all of which are sent at once; none if there are none.
    package func execute(_ statements: [String]) throws(PostgreSQLError) {
      guard !statements.isEmpty else { return }
      try execute(statements.joined(separator: ";\n"))
    }

    /// Asks for a few rows by one statement, with `$1`, `$2` and so on for the parameters; all values are texts, NULL is
    /// nil.
    package func query(
      _ sql: String, _ parameters: [String?] = []
    ) throws(PostgreSQLError) -> [[String?]] {
      try checkIsFree()
      try Self.check(text: sql)
      for parameter in parameters.compactMap(\.self) { try Self.check(text: parameter) }
      let texts = parameters.map { $0.map { Array($0.utf8CString) } }
      let wasSent = unsafe withCStrings(texts) { values in
        unsafe PQsendQueryParams(handle, sql, Int32(values.count), nil, values, nil, nil, 0)
      }
      let result = answer(wasSent)
      try check(result)
      return result.rows
    }

    /// Asks for rows of one column, without those that are NULL.
    func texts(_ sql: String, _ parameters: [String?] = []) throws(PostgreSQLError) -> [String] {
      try query(sql, parameters).compactMap { $0[0] }
    }

    /// Asks for one row of numbers, such as sums; NULL is 0.
    package func numbers(
      _ sql: String, _ parameters: [String?] = []
    ) throws(PostgreSQLError) -> [Int] {
      try query(sql, parameters)[0].map { $0.flatMap { Int($0) } ?? 0 }
    }

    /// Runs statements as above; the last one's result.
    func result(of sql: String) throws(PostgreSQLError) -> ServerResult {
      try checkIsFree()
      try Self.check(text: sql)
      let result = answer(unsafe PQsendQuery(handle, sql))
      try check(result)
      return result
    }

    /// What the server answers to statements that were sent: the first failure, or the result of the last one.
    ///
    /// When a session is ended, its server says why, and libpq that the connection is gone; `PQexec` would return only
    /// what is said last.
    private func answer(_ wasSent: Int32) -> ServerResult {
      var answer = unsafe ServerResult(wasSent == 1 ? PQgetResult(handle) : nil)
      while unsafe answer.handle != nil, answer.status != PGRES_COPY_IN {
        let next = unsafe ServerResult(PQgetResult(handle))
        guard unsafe next.handle != nil else { break }
        if !answer.isFailure { answer = next }
      }
      return answer
    }

    /// Throws if a text has a NUL, at which C would end it.
    private static func check(text: String) throws(PostgreSQLError) {
      guard text.utf8.contains(0) else { return }
      throw PostgreSQLError(.misuse, "PostgreSQL has no NUL in texts")
    }

    /// Throws if a result is an error, or there is none.
    private func check(_ result: borrowing ServerResult) throws(PostgreSQLError) {
      guard unsafe result.handle == nil || result.isFailure else { return }
      throw unsafe failure(result.handle)
    }

    /// The error of the last call, with what the server said of it if there is a result.
    @unsafe func failure(_ result: OpaquePointer?) -> PostgreSQLError {
      let message = unsafe ServerMessage(result, words: Self.words(of: handle))
      // When it could not send, libpq says so before it calls the connection bad.
      let isLost = unsafe PQstatus(handle) == CONNECTION_BAD || message.sqlState == nil
      return PostgreSQLError(isLost ? .connection : .server, message)
    }

    private static func words(of handle: OpaquePointer) -> String {
      unsafe PQerrorMessage(handle).map { unsafe String(cString: $0).trimmingLineEnds } ?? ""
    }

    /// Throws if no statement can be begun.
    private func checkIsFree() throws(PostgreSQLError) {
      guard !isCopying else {
        throw PostgreSQLError(.misuse, "The connection is used by a COPY that has not ended")
      }
    }
  }

  /// Lends C strings, nil as a null pointer, for the time of a call.
  @unsafe private func withCStrings<Value>(
    _ texts: [[CChar]?], _ body: ([UnsafePointer<CChar>?]) -> Value
  ) -> Value {
    let all = texts.flatMap { $0 ?? [] }
    return unsafe all.withUnsafeBufferPointer { bytes in
      var start = 0
      return unsafe body(
        texts.map { text in
          guard let text, let base = bytes.baseAddress else { return nil }
          defer { start += text.count }
          return unsafe base + start
        })
    }
  }
#endif
