#if PostgreSQL
  import CPostgreSQL

  /// A connection to one database of a server, for one thread at a time; `canceller` is for the others.
  ///
  /// The session uses UTF-8, the search path `searchPath`, and standard literals, in which a backslash has no special
  /// meaning.
  @safe package final class PostgreSQLConnection {
    let handle: OpaquePointer
    /// The first thousand notices and warnings of the server.
    package private(set) var notices: [ServerMessage] = []
    package let canceller: Canceller
    /// Whether the tables are distributed by Citus.
    package var usesCitus = false
    /// During a COPY, no statement can run.
    var isCopying = false

    /// Connects to a server by a libpq connection string, which can refer to service files, TLS files and password
    /// files, as can the environment (<https://www.postgresql.org/docs/current/libpq-connect.html>).
    ///
    /// The default application name is `ingest`.
    ///
    /// - Throws: `PostgreSQLError` with `misuse` if the string is invalid, the server is too old, the database is
    ///   not in UTF-8 or a pooler changes the session, and with `connection` if the server cannot be reached or refuses
    ///   the connection.
    package convenience init(_ string: String) throws(PostgreSQLError) {
      try ConnectionString.validate(string)
      let parameters = [("dbname", string), ("fallback_application_name", "ingest")]
      try self.init(connecting: parameters)
      try checkPooler(parameters)
      try prepareSession()
    }

    /// Connects with keywords and values, without preparing the session; of a repeated keyword the last value counts.
    init(
      connecting parameters: [(keyword: String, value: String)]
    ) throws(PostgreSQLError) {
      let handle = unsafe Self.connect(parameters + [("client_encoding", "UTF8")])
      guard let handle = unsafe handle else { throw .outOfMemory }
      guard unsafe PQstatus(handle) == CONNECTION_OK else {
        defer { unsafe PQfinish(handle) }
        throw PostgreSQLError(.connection, unsafe Self.words(of: handle))
      }
      unsafe self.handle = unsafe handle
      canceller = unsafe Canceller(handle)
      unsafe receiveNotices()
      try Self.check(version: serverVersion)
    }

    func prepareSession() throws(PostgreSQLError) {
      // Overrides the settings of the role: a transaction must see the commits of others, and a table that hides some of
      // its rows must be an error.
      try execute(
        """
        SET standard_conforming_strings = on; SET search_path = \(Self.searchPath);
        SET default_transaction_isolation = 'read committed'; SET row_security = off
        """)
      guard let encoding = unsafe PQparameterStatus(handle, "server_encoding") else { return }
      let name = unsafe String(cString: encoding)
      guard name == "UTF8" else {
        throw PostgreSQLError(
          .misuse, "The database has the encoding \(name), but UTF8 is required",
          hint: "Create a database with ENCODING 'UTF8'.")
      }
    }

    deinit { unsafe PQfinish(handle) }

    private static func connect(_ parameters: [(keyword: String, value: String)]) -> OpaquePointer?
    {
      // Two lists of C strings, each terminated by a null pointer.
      let texts = parameters.flatMap { [$0.keyword, $0.value] }.map { Array($0.utf8CString) }
      return unsafe withCStrings(texts) { pointers in
        let keywords = unsafe stride(from: 0, to: pointers.count, by: 2).map { unsafe pointers[$0] }
        let values = unsafe stride(from: 1, to: pointers.count, by: 2).map { unsafe pointers[$0] }
        return unsafe PQconnectdbParams(keywords + [nil], values + [nil], 1)
      }
    }

    /// Collects the notices that libpq would print; it uses this object as long as the handle exists.
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

    /// Throws if a server is too old; PostgreSQL 12 introduced generated columns, which the search uses.
    static func check(version: Int) throws(PostgreSQLError) {
      guard version < 120_000 else { return }
      let (major, minor) = (version / 10_000, version / 100 % 100)
      let name = major < 10 ? "\(major).\(minor)" : "\(major)"
      throw PostgreSQLError(
        .misuse, "The server is PostgreSQL \(name), but version 12 or later is required")
    }

    /// 150004 is 15.4 (<https://www.postgresql.org/docs/current/libpq-status.html#LIBPQ-PQSERVERVERSION>).
    var serverVersion: Int { Int(unsafe PQserverVersion(handle)) }

    /// Runs statements, separated by semicolons, and ignores their rows; several are one transaction, unless they begin one
    /// themselves (<https://www.postgresql.org/docs/current/libpq-exec.html#LIBPQ-PQEXEC>).
    package func execute(_ sql: String) throws(PostgreSQLError) { _ = try result(of: sql) }

    package func execute(_ statements: [String]) throws(PostgreSQLError) {
      guard !statements.isEmpty else { return }
      guard !usesCitus else {
        // Citus sends the other nodes the whole text that has an index in it, and they refuse several statements.
        for statement in statements { try execute(statement) }
        return
      }
      try execute(statements.joined(separator: ";\n"))
    }

    /// Runs a query for a few rows, with the parameters `$1`, `$2` and so on; all values are text, and NULL is nil.
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

    /// Runs a query with a single column, and skips NULL.
    func texts(_ sql: String, _ parameters: [String?] = []) throws(PostgreSQLError) -> [String] {
      try query(sql, parameters).compactMap { $0[0] }
    }

    /// Runs a query for one row of numbers, such as sums; NULL is 0.
    package func numbers(
      _ sql: String, _ parameters: [String?] = []
    ) throws(PostgreSQLError) -> [Int] {
      try query(sql, parameters)[0].map { $0.flatMap { Int($0) } ?? 0 }
    }

    func result(of sql: String) throws(PostgreSQLError) -> ServerResult {
      try checkIsFree()
      try Self.check(text: sql)
      let result = answer(unsafe PQsendQuery(handle, sql))
      try check(result)
      return result
    }

    /// The first failure, or the result of the last statement.
    ///
    /// When a session is terminated, the server reports the reason, and then libpq that the connection is lost;
    /// `PQexec` would return only the latter.
    private func answer(_ wasSent: Int32) -> ServerResult {
      var answer = unsafe ServerResult(wasSent == 1 ? PQgetResult(handle) : nil)
      while unsafe answer.handle != nil, answer.status != PGRES_COPY_IN {
        let next = unsafe ServerResult(PQgetResult(handle))
        guard unsafe next.handle != nil else { break }
        if !answer.isFailure { answer = next }
      }
      return answer
    }

    /// NUL would end the text in C.
    private static func check(text: String) throws(PostgreSQLError) {
      guard text.utf8.contains(0) else { return }
      throw PostgreSQLError(.misuse, "PostgreSQL does not allow NUL in text")
    }

    private func check(_ result: borrowing ServerResult) throws(PostgreSQLError) {
      guard unsafe result.handle == nil || result.isFailure else { return }
      throw unsafe failure(result.handle)
    }

    /// The error of the last call, with the message of the server if there is a result.
    @unsafe func failure(_ result: OpaquePointer?) -> PostgreSQLError {
      let message = unsafe ServerMessage(result, words: Self.words(of: handle))
      // After a failure to send, libpq does not immediately mark the connection as bad.
      let isLost = unsafe PQstatus(handle) == CONNECTION_BAD || message.sqlState == nil
      return PostgreSQLError(isLost ? .connection : .server, message)
    }

    private static func words(of handle: OpaquePointer) -> String {
      unsafe PQerrorMessage(handle).map { unsafe String(cString: $0).trimmingLineEnds } ?? ""
    }

    private func checkIsFree() throws(PostgreSQLError) {
      guard !isCopying else {
        throw PostgreSQLError(.misuse, "The connection is busy with an unfinished COPY")
      }
    }
  }

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

  /// Cancels the statement of a connection, from any thread.
  ///
  /// It can outlive the connection, and then has no effect.
  @safe package final class Canceller: @unchecked Sendable {
    // Created once and never changed, so it needs no lock
    // (<https://www.postgresql.org/docs/current/libpq-cancel.html>).
    private let handle: OpaquePointer?

    @unsafe init(_ connection: OpaquePointer) { unsafe handle = unsafe PQgetCancel(connection) }

    deinit { unsafe PQfreeCancel(handle) }

    /// Asks the server to cancel the current statement, which then fails with SQLSTATE 57014; without a statement it
    /// has no effect.
    ///
    /// Waits until the server has received the request over a separate connection. That one is not encrypted, but the
    /// request contains only the number and the key of the session.
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

  /// The result of a statement, which libpq keeps until its only owner goes out of scope.
  @safe struct ServerResult: ~Copyable {
    let handle: OpaquePointer?

    @unsafe init(_ handle: OpaquePointer?) { unsafe self.handle = unsafe handle }

    deinit { unsafe PQclear(handle) }

    /// The status; the library returns no result when out of memory or not connected.
    var status: ExecStatusType { unsafe PQresultStatus(handle) }

    var isFailure: Bool {
      [PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE, PGRES_NONFATAL_ERROR].contains(status)
    }

    /// The tag of the completed command, such as `COMMIT` or `COPY 1000`.
    var command: String {
      unsafe PQcmdStatus(handle).map { unsafe String(cString: $0) } ?? ""
    }

    /// The rows that were copied or changed; 0 if the command has none.
    var changedRows: Int {
      unsafe PQcmdTuples(handle).flatMap { unsafe Int(String(cString: $0)) } ?? 0
    }

    var rows: [[String?]] {
      let columns = unsafe PQnfields(handle)
      return (0..<(unsafe PQntuples(handle))).map { row in
        (0..<columns).map { column in
          guard unsafe PQgetisnull(handle, row, column) == 0,
            let value = unsafe PQgetvalue(handle, row, column)
          else { return nil }
          return unsafe String(cString: value)
        }
      }
    }
  }
#endif
