import Text

/// An option value that is probably not meant as a path, such as `json:report.json` or
/// `host=localhost dbname=lego`.
///
/// Without this check, a file of that name would be created. A value that begins with `./` or `/` is always a path.
enum MisreadPath: Equatable {
  /// A path with a prefix: `json:report.json`.
  case prefixed(by: String)
  /// A URI: `mysql://host/lego`.
  case address(scheme: String)
  /// A libpq connection string of key=value pairs.
  case connectionString
  /// SQLite's name for an in-memory database.
  case memory

  /// Classifies a value; nil if it can be a path.
  init?(_ value: String) {
    let colon = value.firstIndex(of: ":") ?? value.endIndex
    let word = String(value[..<colon])
    let isAddress =
      value[colon...].hasBytePrefix("://") && word.utf8.count > 1 && Self.isScheme(word)
    if value == ":memory:" {
      self = .memory
    } else if colon < value.endIndex, isAddress || Self.databases.contains(word.lowercased()) {
      self = .address(scheme: word)
    } else if colon < value.endIndex, Self.prefixes.contains(word.lowercased()) {
      self = .prefixed(by: word)
    } else if Self.isConnectionString(value) {
      self = .connectionString
    } else {
      return nil
    }
  }

  private static let prefixes = ["json", "html", "prom", "sqlite", "sqlite3", "file"]
  /// Schemes of database addresses, also without slashes.
  private static let databases = [
    "postgresql", "postgres", "mysql", "mariadb", "jdbc", "odbc", "duckdb",
  ]
  /// The keys of a connection string; those in `alone` are recognized without other keys
  /// (<https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS>).
  private static let keys =
    (
      alone: ["host", "hostaddr", "dbname", "service"],
      others: [
        "port", "user", "password", "passfile", "sslmode", "options", "application_name",
        "connect_timeout", "client_encoding", "target_session_attrs",
      ]
    )

  /// Whether the text is a valid scheme (RFC 3986, 3.1).
  private static func isScheme(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.-]*/) != nil
  }

  private static func isConnectionString(_ value: String) -> Bool {
    guard let pair = value.wholeMatch(of: /\s*(\w+)\s*=\s*('[^']*'|[^\s']*)(.*)/) else {
      return false
    }
    // A folder may have such a name: user=7/catalog.sqlite.
    guard !pair.2.dropFirst().contains("/") || pair.2.hasBytePrefix("/") else { return false }
    let (key, rest) = (String(pair.1), String(pair.3))
    if rest.allSatisfy(\.isWhitespace) { return keys.alone.contains(key) }
    return (keys.alone + keys.others).contains(key)
      && rest.prefixMatch(of: /\s+\w+\s*=/) != nil
  }
}

extension MisreadPath {
  /// The message, without parts of the value that may be a password.
  func message(of value: String, for option: String) -> String {
    let hint = "'./\(value)' is a file of that name"
    switch self {
    case .prefixed(let word):
      let reason =
        ["--report", "--metrics"].contains(option)
        ? ", because the file extension selects the format" : ""
      return "'\(value)' is not a valid path for \(option): remove '\(word):'\(reason); \(hint)"
    case .address(let scheme):
      let expected = option == "--out" ? "a path, or postgresql://HOST/DATABASE" : "a path"
      return "\(option) does not support '\(scheme)' addresses: expected \(expected)"
    case .connectionString:
      return
        "\(option) does not accept a connection string of key=value pairs: expected "
        + "postgresql://HOST/DATABASE (for a file of that name, begin with './')"
    case .memory:
      return "'\(value)' is not a valid path for \(option): a database must be a file; \(hint)"
    }
  }
}

extension MisreadPath {
  /// Checks the value of an option that takes a path.
  static func check(_ value: String, for option: String) throws(UsageError) {
    let isAllowed =
      option == "--out" && ServerAddress.isAddress(value)
      || option == "--report" && value.hasByteSuffix(":-")
    guard !isAllowed, let mistake = MisreadPath(value) else { return }
    // For other options these are ordinary paths.
    guard option == "--out" || ![.connectionString, .memory].contains(mistake) else { return }
    throw UsageError(message: mistake.message(of: value, for: option))
  }
}
