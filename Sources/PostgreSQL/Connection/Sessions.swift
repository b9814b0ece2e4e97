#if PostgreSQL
  import CPostgreSQL
  import Glibc
  import Text

  /// A libpq connection string: a URI, or keywords and values
  /// (<https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING>).
  ///
  /// It is validated before it is used, since the messages of libpq and the server about an invalid string can contain the
  /// password, or a part of it that was parsed as the host.
  enum ConnectionString {
    /// Throws `misuse` if a connection string is invalid; the message contains none of its values.
    static func validate(_ string: String) throws(PostgreSQLError) {
      guard !string.utf8.contains(0) else { throw invalid("it contains a NUL") }
      var words: UnsafeMutablePointer<CChar>?
      guard let options = unsafe PQconninfoParse(string, &words) else {
        let message = unsafe words.map { unsafe String(cString: $0) } ?? "out of memory"
        unsafe PQfreemem(words)
        throw invalid(withoutValues(message))
      }
      defer { unsafe PQconninfoFree(options) }
      var option = unsafe options
      while let keyword = unsafe option.pointee.keyword {
        if let value = unsafe option.pointee.val {
          try unsafe validate(String(cString: value), of: String(cString: keyword))
        }
        unsafe option += 1
      }
    }

    private static func invalid(_ reason: String) -> PostgreSQLError {
      PostgreSQLError(.misuse, "The connection string cannot be read: \(reason)")
    }

    private static func validate(_ value: String, of keyword: String) throws(PostgreSQLError) {
      let isSuspicious =
        switch keyword {
        case "host", "hostaddr":
          value.split(separator: ",").contains { host in
            let isAddress = host.prefix { $0 != "%" }.allSatisfy {
              $0.isHexDigit || ":.".contains($0)
            }
            return host.contains("@") || host.contains(":") && !isAddress
          }
        // Some servers use names such as ada@server.
        case "user": value.utf8.contains(UInt8(ascii: ":"))
        case "dbname": value.utf8.contains { "@:=".utf8.contains($0) }
        // A list, in which an empty port is the default.
        case "port": !value.split(separator: ",").allSatisfy { UInt16($0) != nil }
        default: false
        }
      guard isSuspicious else { return }
      throw PostgreSQLError(
        .misuse, "The connection string has no valid \(keyword)",
        hint:
          "In a URI, write the characters @ : / ? # % of a user or a password as %40, %3A, %2F, %3F, %23 and %25."
      )
    }

    /// A message of libpq about a connection string, without its quotations.
    ///
    /// A quotation of a single character that has a meaning in a URI, or that was expected, is kept.
    static func withoutValues(_ message: String) -> String {
      let trimmed = message.trimmingLineEnds
      let scalars = Array(trimmed.unicodeScalars)
      var place = 0
      while let quote = scalars[place...].firstIndex(of: "\"") {
        let end = quote + 2
        let isHarmless =
          end < scalars.count && scalars[end] == "\""
          && "=:/]".unicodeScalars.contains(scalars[quote + 1])
        guard isHarmless else {
          // A value may contain quotes.
          let last = scalars.lastIndex(of: "\"") ?? quote
          var text = String.UnicodeScalarView(scalars[..<quote])
          text.append(contentsOf: "…".unicodeScalars)
          text.append(contentsOf: scalars[(last + 1)...])
          return String(text)
        }
        place = end + 1
      }
      return trimmed
    }
  }

  extension String {
    var trimmingLineEnds: String {
      var text = self
      while text.unicodeScalars.last == "\n" { text.unicodeScalars.removeLast() }
      return text
    }
  }

  extension PostgreSQLConnection {
    /// Throws `misuse` if a pooler changes the session between transactions: the lock and the settings belong to one
    /// session, and the settings would remain for other clients.
    ///
    /// Any pooler has process numbers of its own. One that pools sessions keeps that of this connection, even while the
    /// connection with the same `parameters` has a transaction.
    func checkPooler(
      _ parameters: [(keyword: String, value: String)]
    ) throws(PostgreSQLError) {
      let process = try serverProcess()
      guard process != Int(unsafe PQbackendPID(handle)) else { return }
      let other = try PostgreSQLConnection(connecting: parameters)
      try other.checkSession()
      try other.beginTransaction()
      defer { other.rollbackTransaction() }
      // If the pool has only one session, a statement on this connection would wait.
      var isSame = try other.serverProcess() != process
      // While other clients use the pool, the session may be the same by chance.
      for _ in 0..<20 where isSame { isSame = try serverProcess() == process }
      guard isSame else {
        throw PostgreSQLError(
          .misuse,
          "A connection pooler changes the session after each transaction, but a run needs one session",
          hint: "Connect to the server directly, or to a pool with pool_mode = session.")
      }
    }

    /// Throws `misuse` if this connection waits 10 seconds for a session of a pool.
    private func checkSession() throws(PostgreSQLError) {
      let wasSent = unsafe PQsendQuery(handle, "SELECT")
      var socket = pollfd(fd: unsafe PQsocket(handle), events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&socket, 1, 10_000) != 0 else {
        throw PostgreSQLError(
          .misuse, "The connection pooler has no session left",
          hint: "Allow more, in PgBouncer by pool_size or default_pool_size.")
      }
      _ = try answer(wasSent)
    }

    private func serverProcess() throws(PostgreSQLError) -> Int {
      // The session may still have the search path of the role.
      try numbers("SELECT pg_catalog.pg_backend_pid()")[0]
    }

    /// Connects again, with the same parameters.
    ///
    /// - Parameters:
    ///   - need: the start of the message about a failure.
    ///   - missing: the number of connections that the run still needs.
    /// - Returns: The connection.
    /// - Throws: `PostgreSQLError`, with the limit of connections that is the cause.
    package func another(
      _ need: String, missing: Int = 1
    ) throws(PostgreSQLError) -> PostgreSQLConnection {
      try mapError(as: { error in
        var message = error.message.prefixed(by: "\(need): ")
        if error.kind == .connection { message.hint = try? connectionLimit(exceededBy: missing) }
        return PostgreSQLError(error.kind, message)
      }) { () throws(PostgreSQLError) in
        let other = try another()
        other.usesCitus = usesCitus
        return other
      }
    }

    /// Describes the limit that allows no other connection of this role, if a limit is the cause.
    private func connectionLimit(exceededBy missing: Int) throws(PostgreSQLError) -> String {
      try texts(
        """
        WITH used AS (SELECT * FROM pg_stat_activity WHERE usesysid IS NOT NULL AND datid IS NOT NULL)
        SELECT CASE
          WHEN rolconnlimit BETWEEN 0 AND (SELECT count(*) FROM used WHERE usesysid = r.oid)
          THEN format('The limit of the role is %s: ALTER ROLE %I CONNECTION LIMIT %s', rolconnlimit, rolname,
            rolconnlimit + $1::int)
          WHEN datconnlimit BETWEEN 0 AND (SELECT count(*) FROM used WHERE datid = d.oid)
          THEN format('The limit of the database is %s: ALTER DATABASE %I CONNECTION LIMIT %s', datconnlimit, datname,
            datconnlimit + $1::int)
          ELSE format('max_connections is %s, of which %s are reserved and %s in use',
            current_setting('max_connections'), current_setting('superuser_reserved_connections'),
            (SELECT count(*) FROM used)) END
        FROM pg_roles AS r, pg_database AS d WHERE rolname = session_user AND datname = current_database()
        """, ["\(missing)"])[0]
    }

    func another() throws(PostgreSQLError) -> PostgreSQLConnection {
      guard let options = unsafe PQconninfo(handle) else { throw .outOfMemory }
      defer { unsafe PQconninfoFree(options) }
      var parameters: [(keyword: String, value: String)] = []
      var option = unsafe options
      while let keyword = unsafe option.pointee.keyword {
        let name = unsafe String(cString: keyword)
        // Of several hosts, only the one that answered.
        let value: UnsafeMutablePointer<CChar>? =
          switch name {
          case "host": unsafe PQhost(handle)
          case "port": unsafe PQport(handle)
          case "hostaddr": unsafe option.pointee.val.flatMap { _ in unsafe PQhostaddr(handle) }
          default: unsafe option.pointee.val
          }
        if let value = unsafe value { parameters.append((name, unsafe String(cString: value))) }
        unsafe option += 1
      }
      let other = try PostgreSQLConnection(connecting: parameters)
      if try serverProcess() != Int(unsafe PQbackendPID(handle)) {
        try other.checkSession()
      }
      try other.prepareSession()
      return other
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

    /// Asks the server to cancel the current statement, if there is one, which then fails with SQLSTATE 57014.
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
#endif
