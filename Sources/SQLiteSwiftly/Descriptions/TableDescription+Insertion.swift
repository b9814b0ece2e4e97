extension TableDescription {
  /// The insert of every column, with one parameter each, or from the columns `c0`, `c1`, … of
  /// `source`.
  func insertion(
    from source: String?, onConflict resolution: ConflictResolution = .fail
  ) throws(SQLiteError) -> SQL {
    // Otherwise `excluded`, SQL's name for the new values, would mean the old ones of that table.
    let alias = areSameName(name, "excluded") ? " AS target" : ""
    let target = "INSERT INTO \(quoted(identifier: name))\(alias) (\(list(columns.map(\.name))))"
    let conflict = try conflictClause(resolution)
    guard let source else {
      let parameters = columns.map { Self.parameter(named: $0.name) }.joined(separator: ", ")
      return SQL(generated: "\(target) VALUES (\(parameters))\(conflict)")
    }
    let fields = columns.indices.map { "c\($0)" }.joined(separator: ", ")
    // Without a WHERE, an ON after a FROM belongs to a join.
    return SQL(
      generated: "\(target) SELECT \(fields) FROM \(quoted(identifier: source))"
        + (conflict.isEmpty ? "" : " WHERE true" + conflict))
  }

  private func conflictClause(_ resolution: ConflictResolution) throws(SQLiteError) -> String {
    guard resolution != .fail else { return "" }
    guard !primaryKey.isEmpty else {
      throw SQLiteError(.misuse, "\(name) has no primary key to detect existing rows with")
    }
    let others = columns.filter { !primaryKey.hasName($0.name) }.map { quoted(identifier: $0.name) }
    let action =
      resolution == .keep || others.isEmpty
      ? "NOTHING" : "UPDATE SET " + others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
    return " ON CONFLICT (\(list(primaryKey))) DO \(action)"
  }

  /// The parameter for a column, named after it if SQL allows: parameters cannot be quoted.
  private static func parameter(named name: String) -> String {
    !name.isEmpty && name.utf8.allSatisfy(\.isNameByte) ? ":" + name : "?"
  }
}
