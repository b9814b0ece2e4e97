#if PostgreSQL
  import SQLiteSwiftly

  /// The maximum length of a name in bytes, in a server with the default build options.
  let longestIdentifier = 63

  /// Throws if PostgreSQL does not allow a name; it would truncate a long one, with only a notice
  /// (<https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS>).
  func check(identifier name: String) throws(PostgreSQLError) {
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw PostgreSQLError(.misuse, "\(name.debugDescription) is not a valid name")
    }
    guard name.utf8.count > longestIdentifier else { return }
    throw .nameTooLong(name)
  }

  /// Throws if a description has faults, or PostgreSQL does not allow one of its names.
  func check(_ faults: [String], of thing: String, names: [String]) throws(PostgreSQLError) {
    guard faults.isEmpty else {
      throw PostgreSQLError(
        .misuse, "The description of \(thing) is wrong", detail: faults.joined(separator: "; "))
    }
    for name in names { try check(identifier: name) }
  }

  /// The quoted name of a table or view with that of its schema.
  package func qualified(_ name: String, in schema: String) -> String {
    "\(quoted(identifier: schema)).\(quoted(identifier: name))"
  }

  /// The `COMMENT` statements for a table or a view, and for its columns that have a meaning.
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
