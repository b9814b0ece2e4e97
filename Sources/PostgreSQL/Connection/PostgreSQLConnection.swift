#if PostgreSQL
  import CPostgreSQL
  import SQLiteSwiftly
  import Text

  /// A connection to one database of a server, for one thread at a time; `canceller` is for the others.
  ///
  /// The session uses UTF-8, the search path `searchPath`, and standard literals, without escapes.
  @safe package final class PostgreSQLConnection {
    let handle: OpaquePointer
    /// The first thousand notices and warnings of the server.
    package private(set) var notices: [ServerMessage] = []
    package let canceller: Canceller
    /// Whether the tables are distributed by Citus.
    package var usesCitus = false
    /// The schema that an administrator has made for merges: a run empties it, and never drops or renames it.
    var staging: String?
    /// During a COPY, no statement can run.
    var isCopying = false

    /// Connects to a server by a libpq connection string, which can refer to service files, TLS files and password
    /// files, as can the environment (<https://www.postgresql.org/docs/current/libpq-connect.html>).
    ///
    /// The default application name is `ingest`.
    ///
    /// - Throws: `PostgreSQLError` with `misuse` if the string is invalid, the server is too old, the database is not
    ///   in UTF-8 or a pooler changes the session, and with `connection` if the server does not accept the connection.
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
      // Two lists of C strings, each terminated by a null pointer.
      let texts = (parameters + [("client_encoding", "UTF8")]).flatMap { [$0.keyword, $0.value] }
        .map { Array($0.utf8CString) }
      let handle = unsafe withCStrings(texts) { pointers in
        let keywords = unsafe stride(from: 0, to: pointers.count, by: 2).map { unsafe pointers[$0] }
        let values = unsafe stride(from: 1, to: pointers.count, by: 2).map { unsafe pointers[$0] }
        return unsafe PQconnectdbParams(keywords + [nil], values + [nil], 1)
      }
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
      // It may be idle for as long as other sessions or the client work. PostgreSQL 13 and older have only one of these.
      _ = try query(
        """
        SELECT set_config(name, '0', false) FROM pg_settings
        WHERE name IN ('idle_session_timeout', 'idle_in_transaction_session_timeout')
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
      try check([sql] + parameters.compactMap(\.self))
      let texts = parameters.map { $0.map { Array($0.utf8CString) } }
      let wasSent = unsafe withCStrings(texts) { values in
        unsafe PQsendQueryParams(handle, sql, Int32(values.count), nil, values, nil, nil, 0)
      }
      return try answer(wasSent).rows
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
      try check([sql])
      return try answer(unsafe PQsendQuery(handle, sql))
    }

    /// The result of the last statement; throws the first failure.
    ///
    /// When a session is terminated, the server reports the reason, and then libpq that the connection is lost;
    /// `PQexec` would return only the latter.
    func answer(_ wasSent: Int32) throws(PostgreSQLError) -> ServerResult {
      var answer = unsafe ServerResult(wasSent == 1 ? PQgetResult(handle) : nil)
      while unsafe answer.handle != nil, ![PGRES_COPY_IN, PGRES_COPY_OUT].contains(answer.status) {
        let next = unsafe ServerResult(PQgetResult(handle))
        guard unsafe next.handle != nil else { break }
        if !answer.isFailure { answer = next }
      }
      guard unsafe answer.handle != nil, !answer.isFailure else {
        throw unsafe failure(answer.handle)
      }
      return answer
    }

    private func check(_ texts: [String]) throws(PostgreSQLError) {
      guard !isCopying else {
        throw PostgreSQLError(.misuse, "The connection is busy with an unfinished COPY")
      }
      // It would end the text in C.
      guard !texts.contains(where: { $0.utf8.contains(0) }) else {
        throw PostgreSQLError(.misuse, "PostgreSQL does not allow NUL in text")
      }
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

    func transaction<Result>(
      _ body: () throws(PostgreSQLError) -> Result
    ) throws(PostgreSQLError) -> Result {
      try beginTransaction()
      do throws(PostgreSQLError) {
        let value = try body()
        try commitTransaction()
        return value
      } catch {
        rollbackTransaction()
        throw error
      }
    }

    /// - Throws: `PostgreSQLError`, with `misuse` inside another transaction.
    package func beginTransaction() throws(PostgreSQLError) {
      guard !isInTransaction else {
        throw PostgreSQLError(.misuse, "A transaction is already open")
      }
      // Without the setting, a change of a reference table fails after one of a distributed table.
      try execute(
        usesCitus ? "BEGIN; SET LOCAL citus.multi_shard_modify_mode = 'sequential'" : "BEGIN")
    }

    /// - Throws: `PostgreSQLError`, with `misuse` if the server rolled back because a statement had failed, and with
    ///   `uncertain` if the connection was lost meanwhile.
    package func commitTransaction() throws(PostgreSQLError) {
      let command = try mapError(
        result(of: "COMMIT").command,
        as: { (error: PostgreSQLError) in
          error.isConnectionLost ? PostgreSQLError(.uncertain, error.message) : error
        })
      guard command == "COMMIT" else {
        throw PostgreSQLError(
          .misuse, "The transaction was rolled back, because a statement in it had failed")
      }
    }

    package func rollbackTransaction() {
      // The original error matters more than that of a rollback, and a lost connection has no transaction.
      guard isInTransaction else { return }
      try? execute("ROLLBACK")
    }

    /// Whether a transaction is open, including one in which a statement has failed.
    package var isInTransaction: Bool { unsafe PQtransactionStatus(handle) != PQTRANS_IDLE }

    /// The search path of all statements, except those that build a schema of this run.
    ///
    /// A function of another role that fits a call better than one of `pg_catalog` is called wherever its schema is in
    /// the path, with the privileges of this role.
    package static let searchPath = "pg_catalog, pg_temp"

    /// Runs statements whose tables are found in a schema that is being built.
    ///
    /// The names of `pg_catalog` come first, and new objects are created in the schema.
    ///
    /// - Throws: `PostgreSQLError`, with `foreign` if another role can create anything in the schema.
    package func building<Result>(
      in schema: String, _ body: () throws(PostgreSQLError) -> Result
    ) throws(PostgreSQLError) -> Result {
      try checkIsPrivate(schema)
      let setting = isInTransaction ? "SET LOCAL search_path =" : "SET search_path ="
      let name = quoted(identifier: schema)
      try execute("\(setting) \(name), pg_temp")
      let result: Result
      do throws(PostgreSQLError) {
        result = try body()
      } catch {
        // In a transaction that has failed, the rollback resets it.
        try? execute("\(setting) \(Self.searchPath)")
        throw error
      }
      try execute("\(setting) \(Self.searchPath)")
      return result
    }

    private func checkIsPrivate(_ schema: String) throws(PostgreSQLError) {
      let others = try texts(
        """
        SELECT CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END
        FROM pg_namespace CROSS JOIN aclexplode(nspacl)
        WHERE nspname = $1 AND privilege_type = 'CREATE' AND grantee <> nspowner
        UNION ALL
        SELECT quote_ident(pg_get_userbyid(nspowner)) FROM pg_namespace
        WHERE nspname = $1 AND NOT pg_has_role(session_user, nspowner, 'MEMBER')
        """, [schema])
      guard !others.isEmpty else { return }
      throw PostgreSQLError(
        .foreign,
        "Other roles can create objects in the schema \(quoted(identifier: schema)), which the run is building: "
          + others.joined(separator: ", "),
        hint: "Check which event trigger or program grants CREATE on new schemas.")
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
#endif
