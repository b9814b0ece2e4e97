#if PostgreSQL
  package import SQLiteSwiftly
  import Text

  /// The maximum length of a name in bytes, in a server with the default build options.
  let longestIdentifier = 63

  /// Throws if PostgreSQL does not allow a name; it would truncate a long one, with only a notice
  /// (<https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS>).
  func check(identifier name: String) throws(PostgreSQLError) {
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw PostgreSQLError(.misuse, "\(name.debugDescription) is not a valid name")
    }
    guard name.utf8.count > longestIdentifier else { return }
    throw PostgreSQLError(
      .misuse,
      "The name \(quoted(identifier: name)) has \(name.utf8.count) bytes, but PostgreSQL allows at most "
        + "\(longestIdentifier)")
  }

  func check(_ faults: [String], of thing: String, names: [String]) throws(PostgreSQLError) {
    guard faults.isEmpty else {
      throw PostgreSQLError(
        .misuse, "The description of \(thing) is wrong", detail: faults.joined(separator: "; "))
    }
    for name in names { try check(identifier: name) }
  }

  package func qualified(_ name: String, in schema: String) -> String {
    "\(quoted(identifier: schema)).\(quoted(identifier: name))"
  }

  /// The statement by which publications identify the rows of a table without a primary key, so that they can be
  /// changed; otherwise the server would refuse that.
  func identification(ofRowsIn table: String) -> String {
    "ALTER TABLE \(table) REPLICA IDENTITY FULL"
  }

  func areNotNull(_ columns: [String], of table: String = "") -> String {
    columns.map { "\(table)\(quoted(identifier: $0)) IS NOT NULL" }.joined(separator: " AND ")
  }

  func array(of texts: [String]) -> String {
    "ARRAY[\(texts.map { quoted(text: $0) }.joined(separator: ", "))]::text[]"
  }

  func explanations(
    of kind: String, _ qualifiedName: String, _ meaning: String?,
    columns: [(name: String, meaning: String?)]
  ) -> [String] {
    let whole = meaning.map { "COMMENT ON \(kind) \(qualifiedName) IS \(quoted(text: $0))" }
    return [whole].compactMap(\.self)
      + columns.compactMap { column in
        column.meaning.map {
          "COMMENT ON COLUMN \(qualifiedName).\(quoted(identifier: column.name)) IS \(quoted(text: $0))"
        }
      }
  }

  extension SQLiteValue {
    /// Nil for NULL.
    func postgreSQL(as type: ColumnDescription.DataType) -> String? {
      switch self {
      case .null: nil
      case .integer(let value) where type == .boolean: value == 0 ? "false" : "true"
      case .integer(let value) where type == .real: Double(value).postgreSQL
      case .integer(let value): value.postgreSQL
      case .real(let value): value.postgreSQL
      case .text(let value): quoted(text: value)
      case .blob(let bytes): "'\\x\(bytes.map(\.hexadecimal).joined().uppercased())'::bytea"
      }
    }
  }

  extension Int64 {
    /// The number as a literal; the minimum would be read as the negative of a number that is too large.
    var postgreSQL: String { self == .min ? "'\(self)'::bigint" : "\(self)" }
  }

  extension Double {
    /// The number as a literal that is read exactly: its shortest decimal, or `inf`, `-inf` or `nan`.
    var postgreSQL: String { "'\(self)'::double precision" }
  }

  extension SQL {
    /// The text of a query in the SQL of both: it uses `instr(`, since SQLite lacks the standard `POSITION`.
    package var postgreSQL: String { text.replacing("instr(", with: "strpos(") }
  }
#endif
