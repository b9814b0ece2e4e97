#if PostgreSQL
  import CPostgreSQL

  /// An error or a notice, with the fields sent by the server.
  ///
  /// (<https://www.postgresql.org/docs/current/protocol-error-fields.html>)
  package struct ServerMessage: Equatable, Sendable {
    /// `ERROR`, `FATAL`, `WARNING`, `NOTICE` and so on, in English whatever the language of the server.
    package let severity: String
    /// The five characters of the SQLSTATE
    /// (<https://www.postgresql.org/docs/current/errcodes-appendix.html>); nil for messages of libpq.
    package let sqlState: String?
    /// The primary message, usually one line.
    package let text: String
    /// Details, such as the duplicate key.
    package let detail: String?
    /// A suggestion.
    package let hint: String?
    /// The place, such as `COPY parts, line 3`, where the lines of a COPY are rows.
    package let context: String?

    /// A message of libpq or of this module.
    init(_ text: String, detail: String? = nil, hint: String? = nil) {
      severity = "ERROR"
      sqlState = nil
      self.text = text
      self.detail = detail
      self.hint = hint
      context = nil
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
    }
  }
#endif
