#if PostgreSQL
  import CPostgreSQL
  import SQLiteSwiftly

  /// A failure reported by the server or libpq, or a misuse of this module.
  ///
  /// It contains no password, nor any part of one.
  package struct PostgreSQLError: Error, Equatable, Sendable {
    package enum Kind: Sendable {
      /// The server refused a statement; the connection is still usable.
      case server
      /// The connection failed or was lost, or libpq cannot use it.
      case connection
      /// The connection was lost during a commit, so the transaction may have been committed.
      case uncertain
      /// Another run holds the lock of the schema.
      case locked
      /// The schema to be replaced was not made by this tool.
      case foreign
      /// Other objects depend on the schema to be replaced.
      case inUse
      /// The call, the description or the database is unsuitable.
      case misuse
      /// Custom SQL failed, or changes what it must not.
      case script
    }

    package let kind: Kind
    package let message: ServerMessage

    init(_ kind: Kind, _ message: ServerMessage) {
      self.kind = kind
      self.message = message
    }

    init(_ kind: Kind, _ text: String, detail: String? = nil, hint: String? = nil) {
      self.init(kind, ServerMessage(text, detail: detail, hint: hint))
    }

    static let outOfMemory = PostgreSQLError(.connection, "Out of memory for a connection")

    static func foreign(_ schema: String, hint: String? = nil) -> PostgreSQLError {
      PostgreSQLError(
        .foreign,
        "The schema \(quoted(identifier: schema)) was not made by ingest, so it is not replaced",
        hint: hint)
    }

    /// Whether the connection was lost, and with it the open transaction and the locks.
    package var isConnectionLost: Bool { kind == .connection || kind == .uncertain }
  }

  /// An error or a notice, with its fields (<https://www.postgresql.org/docs/current/protocol-error-fields.html>).
  package struct ServerMessage: Equatable, Sendable {
    /// `ERROR`, `FATAL`, `WARNING`, `NOTICE` and so on, in English whatever the language of the server.
    package private(set) var severity = "ERROR"
    /// The five characters of the SQLSTATE
    /// (<https://www.postgresql.org/docs/current/errcodes-appendix.html>); nil for messages of libpq.
    package private(set) var sqlState: String?
    package private(set) var text: String
    package let detail: String?
    package internal(set) var hint: String?
    /// The place, such as `COPY parts, line 3`, where the lines of a COPY are rows.
    package private(set) var context: String?
    /// Whether a function has failed in a statement of its own, as code of others can.
    package private(set) var isOfFunction = false
    /// The place of the error in the statement: a character, from 1.
    private(set) var position: Int?

    init(_ text: String, detail: String? = nil, hint: String? = nil) {
      (self.text, self.detail, self.hint) = (text, detail, hint)
    }

    /// The message of a result; `words` is used if the server sent none.
    @unsafe init(_ result: OpaquePointer?, words: String) {
      func field(_ code: Int) -> String? {
        unsafe PQresultErrorField(result, Int32(code)).map { unsafe String(cString: $0) }
      }
      severity = field(CPOSTGRESQL_SEVERITY) ?? "ERROR"
      sqlState = field(CPOSTGRESQL_SQLSTATE)
      text = field(CPOSTGRESQL_MESSAGE) ?? words
      detail = field(CPOSTGRESQL_DETAIL)
      hint = field(CPOSTGRESQL_HINT)
      context = field(CPOSTGRESQL_CONTEXT)
      isOfFunction = field(CPOSTGRESQL_INTERNAL_QUERY) != nil
      position = field(CPOSTGRESQL_POSITION).flatMap { Int($0) }
    }

    func prefixed(by place: String) -> ServerMessage {
      var message = self
      message.text = place + text
      return message
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
    var command: String { unsafe PQcmdStatus(handle).map { unsafe String(cString: $0) } ?? "" }

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
