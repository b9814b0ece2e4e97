import Text

/// Removes passwords from connection URIs, for messages and reports.
///
/// The result is built from parts known to be harmless. In any other URI, a part of the password could be parsed
/// as the host; then only the scheme is shown.
enum ServerAddress {
  static let schemes = ["postgresql://", "postgres://"]

  static func isAddress(_ text: String) -> Bool { schemes.contains(where: text.hasBytePrefix) }

  private static let harmless = [
    "host", "hostaddr", "port", "dbname", "user", "service", "sslmode", "connect_timeout",
    "target_session_attrs", "application_name",
  ]

  static func redacted(_ uri: String) -> String {
    guard let scheme = schemes.first(where: uri.hasBytePrefix) else { return "…" }
    return scheme + (redacted(afterScheme: uri.dropping(prefix: scheme)[...]) ?? "…")
  }

  /// Whether a word is a URI, or resembles one.
  static func resembles(_ word: String) -> Bool { start(of: word) == word.startIndex }

  /// The message without the passwords in its URIs; a quoted URI ends at the last quotation mark.
  static func withoutPasswords(_ text: String) -> String {
    guard let start = start(of: text) else { return text }
    let isQuoted = text[..<start].hasByteSuffix("'")
    let rest = text[start...]
    let end = (isQuoted ? rest.lastIndex(of: "'") : rest.firstIndex(of: " ")) ?? rest.endIndex
    return text[..<start] + redacted(String(rest[..<end])) + withoutPasswords(String(rest[end...]))
  }

  /// The position of a scheme name with text after its colon.
  private static func start(of text: String) -> String.Index? {
    let bytes = text.utf8
    return bytes.indices.first { index in
      let rest = bytes[index...].prefix(12).map { $0 | 0x20 }
      return schemes.contains { scheme in
        let name = scheme.utf8.dropLast(2)
        return rest.starts(with: name) && rest.count > name.count && rest[name.count] != 0x20
      }
    }
  }

  private static func redacted(afterScheme rest: Substring) -> String? {
    var rest = rest
    var shown = ""
    // Like libpq: a password may contain a question mark, but no slash.
    if let stop = rest.firstIndex(where: { $0 == "@" || $0 == "/" }), rest[stop] == "@" {
      let user = rest[..<stop].prefix { $0 != ":" }
      guard isHarmless(user) else { return nil }
      shown = user + "@"
      rest = rest[stop...].dropFirst()
    }
    guard !rest.utf8.contains(UInt8(ascii: "@")) else { return nil }
    let address = rest.prefix { $0 != "?" }
    let hosts = address.prefix { $0 != "/" }
    guard hosts.split(separator: ",", omittingEmptySubsequences: false).allSatisfy(isHost),
      isHarmless(address.dropFirst(hosts.count + 1))
    else { return nil }
    let parameters = rest.dropFirst(address.count + 1).split(separator: "&").filter(
      isHarmlessParameter)
    return shown + address + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
  }

  private static func isHost(_ text: Substring) -> Bool {
    var name = text.prefix { $0 != ":" }
    if text.first == "[" {
      guard let end = text.firstIndex(of: "]") else { return false }
      name = text[...end]
      guard name.dropFirst().dropLast().allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." })
      else { return false }
    } else {
      // The folder of a socket.
      guard isHarmless(name.replacing("%2F", with: "")[...]) else { return false }
    }
    let port = text[name.endIndex...]
    return port.isEmpty || port == ":" || UInt16(port.dropFirst()) != nil
  }

  /// Whether the last part of a URI cannot be a password: it is a path or a harmless parameter.
  static func endsHarmlessly(_ uri: Substring) -> Bool {
    let parts = uri.split(separator: "?", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return true }
    return parts[1].split(separator: "&").last.map(isHarmlessParameter) ?? true
  }

  private static func isHarmlessParameter(_ text: Substring) -> Bool {
    let key = text.prefix { $0 != "=" }
    let value = text.dropFirst(key.count + 1)
    return harmless.contains(String(key))
      && isHarmless(value.replacing("%2F", with: "").filter { !"/,".contains($0) }[...])
  }

  private static let unreserved = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-~".utf8)

  /// Whether a text has no special characters of URIs, encoded or not.
  private static func isHarmless(_ text: Substring) -> Bool {
    text.utf8.allSatisfy(unreserved.contains)
  }
}
