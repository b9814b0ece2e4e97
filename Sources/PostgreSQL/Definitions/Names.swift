#if PostgreSQL
  import SQLiteSwiftly

  /// The most bytes of a name, unless the server was built for others.
  let longestIdentifier = 63

  /// Throws if PostgreSQL cannot have a name; it would cut off what is too long, and say so in a notice only
  /// (<https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS>).
  func check(identifier name: String) throws(PostgreSQLError) {
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw PostgreSQLError(.misuse, "\(name.debugDescription) is not a name")
    }
    guard name.utf8.count > longestIdentifier else { return }
    throw PostgreSQLError(
      .misuse,
      "The name \(quoted(identifier: name)) has \(name.utf8.count) bytes, and PostgreSQL takes \(longestIdentifier)"
    )
  }

  /// Throws if a description has faults, or PostgreSQL cannot have one of its names.
  func check(_ faults: [String], of thing: String, names: [String]) throws(PostgreSQLError) {
    guard faults.isEmpty else {
      throw PostgreSQLError(
        .misuse, "The description of \(thing) is wrong", detail: faults.joined(separator: "; "))
    }
    for name in names { try check(identifier: name) }
  }

  /// The name of a table or view with that of its schema, in quotes.
  package func qualified(_ name: String, in schema: String) -> String {
    "\(quoted(identifier: schema)).\(quoted(identifier: name))"
  }

  /// A `COMMENT` for a table or a view and for each of its columns that somebody has explained.
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
#endif
