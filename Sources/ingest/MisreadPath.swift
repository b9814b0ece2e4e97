/// The value of an option that was meant as something else than the path that it would be taken for, such as
/// `json:report.json` or `host=localhost dbname=lego`: without a word, a file of that name would be made.
///
/// A path that begins with `./` or `/` is always what it says.
enum MisreadPath: Equatable {
  /// A path behind a word that is no part of it: `json:report.json`.
  case prefixed(by: String)
  /// An address: `mysql://host/lego`.
  case address(scheme: String)
  /// What libpq takes besides URIs.
  case connectionString
  /// SQLite's name for a database that is never written.
  case memory

  /// Looks at a value; nil if it can be a path.
  init?(_ value: String) {
    let colon = value.firstIndex(of: ":") ?? value.endIndex
    let word = String(value[..<colon])
    let isAddress = value[colon...].hasPrefix("://") && word.utf8.count > 1 && Self.isScheme(word)
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

  /// What other programs write before the path of a file.
  private static let prefixes = ["json", "html", "prom", "sqlite", "sqlite3", "file"]
  /// What begins the address of a database also without slashes.
  private static let databases = [
    "postgresql", "postgres", "mysql", "mariadb", "jdbc", "odbc", "duckdb",
  ]
  /// The first keys of a connection string, those that say enough alone first
  /// (<https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-PARAMKEYWORDS>).
  private static let keys =
    (
      alone: ["host", "hostaddr", "dbname", "service"],
      others: [
        "port", "user", "password", "passfile", "sslmode", "options", "application_name",
        "connect_timeout", "client_encoding", "target_session_attrs",
      ]
    )

  /// Whether it can be a scheme (RFC 3986, 3.1).
  private static func isScheme(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.-]*/) != nil
  }

  private static func isConnectionString(_ value: String) -> Bool {
    guard let pair = value.wholeMatch(of: /\s*(\w+)\s*=\s*('[^']*'|[^\s']*)(.*)/) else {
      return false
    }
    // A folder may be called so: user=7/catalog.sqlite.
    guard !pair.2.dropFirst().contains("/") || pair.2.hasPrefix("/") else { return false }
    let (key, rest) = (String(pair.1), String(pair.3))
    if rest.allSatisfy(\.isWhitespace) { return keys.alone.contains(key) }
    return (keys.alone + keys.others).contains(key)
      && rest.prefixMatch(of: /\s+\w+\s*=/) != nil
  }
}

extension MisreadPath {
  /// What is wrong, without what may be a password in the value.
  func message(of value: String, for option: String) -> String {
    let own = "'./\(value)' is a file of that name"
    switch self {
    case .prefixed(let word):
      let reason =
        ["--report", "--metrics"].contains(option)
        ? ", since the ending of the name decides the format" : ""
      return
        "'\(value)' is not a valid path for \(option): leave out '\(word):'\(reason); \(own)"
    case .address(let scheme):
      let expected = option == "--out" ? "a path, or postgresql://HOST/DATABASE" : "a path"
      return "\(option) does not take an address of '\(scheme)': expected \(expected)"
    case .connectionString:
      return
        "\(option) does not read a connection string of key=value pairs: give a PostgreSQL database "
        + "as postgresql://HOST/DATABASE (a file of that name begins with './')"
    case .memory:
      return "'\(value)' is not a valid path for \(option): a catalog is a file; \(own)"
    }
  }
}

extension Option {
  func path(_ rest: inout ArraySlice<String>) throws(UsageError) -> String {
    let value = try value(&rest)
    let isTaken =
      name == "--out" && ServerAddress.isAddress(value)
      || name == "--report" && value.hasSuffix(":-")
    guard !isTaken, let mistake = MisreadPath(value) else { return value }
    // Elsewhere these mean nothing else.
    guard name == "--out" || ![.connectionString, .memory].contains(mistake) else { return value }
    throw UsageError(message: mistake.message(of: value, for: name))
  }
}
