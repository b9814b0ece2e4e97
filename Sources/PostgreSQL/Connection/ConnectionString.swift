#if PostgreSQL
  import CPostgreSQL

  /// A libpq connection string: a URI, or keywords and values
  /// (<https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING>).
  ///
  /// It is validated before it is used, since the messages of libpq and the server about an invalid string can contain the
  /// password, or a part of it that was parsed as the host.
  enum ConnectionString {
    /// Throws `misuse` if a connection string is invalid; the message contains none of its values.
    static func validate(_ string: String) throws(PostgreSQLError) {
      guard !string.utf8.contains(0) else {
        throw invalid("it contains a NUL")
      }
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
        case "host", "hostaddr": value.utf8.contains(UInt8(ascii: "@")) || !areHosts(value)
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

    private static func areHosts(_ list: String) -> Bool {
      list.split(separator: ",").allSatisfy { host in
        let address = host.prefix { $0 != "%" }
        return !host.contains(":") || address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
      }
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
    /// Without the line feeds at the end of libpq's messages.
    var trimmingLineEnds: String {
      var text = self
      while text.unicodeScalars.last == "\n" { text.unicodeScalars.removeLast() }
      return text
    }
  }
#endif
