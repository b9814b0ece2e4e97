#if PostgreSQL
  import CPostgreSQL

  /// A connection string of libpq's: a URI, or keywords and values
  /// (<https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING>).
  ///
  /// What libpq and the server say about one that is wrong can have the password in it, or the half of it that
  /// was taken for a host; so it is read here before it is used.
  enum ConnectionString {
    /// Throws what is wrong with a connection string, without any of its values.
    ///
    /// - Throws: `PostgreSQLError` with `misuse`.
    static func validate(_ string: String) throws(PostgreSQLError) {
      guard !string.utf8.contains(0) else {
        throw PostgreSQLError(.misuse, "The connection string has a NUL in it")
      }
      var words: UnsafeMutablePointer<CChar>?
      guard let options = unsafe PQconninfoParse(string, &words) else {
        let message = unsafe words.map { unsafe String(cString: $0) } ?? "there is no memory for it"
        unsafe PQfreemem(words)
        throw PostgreSQLError(
          .misuse, "The connection string cannot be read: \(withoutValues(message))")
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

    private static func validate(_ value: String, of keyword: String) throws(PostgreSQLError) {
      let isSuspicious =
        switch keyword {
        case "host", "hostaddr": value.utf8.contains(UInt8(ascii: "@")) || !areHosts(value)
        // Some servers have users such as ada@server.
        case "user": value.utf8.contains(UInt8(ascii: ":"))
        case "dbname": value.utf8.contains { "@:=".utf8.contains($0) }
        // A list, in which an empty one is the usual.
        case "port": !value.split(separator: ",").allSatisfy { UInt16($0) != nil }
        default: false
        }
      guard isSuspicious else { return }
      throw PostgreSQLError(
        .misuse, "The connection string has no valid \(keyword)",
        hint:
          "In a URI, the characters @ : / ? # % of a user or a password are written as %40, %3A, %2F, %3F, "
          + "%23 and %25.")
    }

    /// Whether only addresses have colons.
    private static func areHosts(_ list: String) -> Bool {
      list.split(separator: ",").allSatisfy { host in
        let address = host.prefix { $0 != "%" }
        return !host.contains(":") || address.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
      }
    }

    /// A message of libpq's about a connection string, without what it quotes from there.
    ///
    /// What is left of a quotation is one character that has a meaning in a URI or is what was expected.
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
          // A value may have quotes of its own.
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
    /// The text without line feeds at its end, with which libpq ends its messages.
    var trimmingLineEnds: String {
      var text = self
      while text.unicodeScalars.last == "\n" { text.unicodeScalars.removeLast() }
      return text
    }
  }
#endif
