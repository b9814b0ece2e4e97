#if PostgreSQL
  import CPostgreSQL

  /// An error or a notice, in the parts in which the server sends it.
  ///
  /// (<https://www.postgresql.org/docs/current/protocol-error-fields.html>)
  package struct ServerMessage: Equatable, Sendable {
    /// `ERROR`, `FATAL`, `WARNING`, `NOTICE` and so on, in English whatever the server's language is.
    package let severity: String
    /// The five characters of the SQLSTATE
    /// (<https://www.postgresql.org/docs/current/errcodes-appendix.html>); nil for what libpq says itself.
    package let sqlState: String?
    /// What happened, usually in one line.
    package let text: String
    /// More about it, such as the key that is there twice.
    package let detail: String?
    /// What to do about it.
    package let hint: String?
    /// Where it happened, such as `COPY parts, line 3`; the lines of a COPY are rows.
    package let context: String?

    /// Makes a message of libpq's or of this module's.
    init(_ text: String, detail: String? = nil, hint: String? = nil) {
      severity = "ERROR"
      sqlState = nil
      self.text = text
      self.detail = detail
      self.hint = hint
      context = nil
    }

    /// Reads the message of a result; `words` is for one in which the server had no part.
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
