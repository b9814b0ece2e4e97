extension TableDescription {
  /// The insert of every column, with one parameter each, or from the columns `c0`, `c1`, … of `source`; the `omitted` ones
  /// become NULL.
  func insertion(
    from source: String?, omitting omitted: [Int] = [],
    onConflict resolution: ConflictResolution = .fail
  ) throws(SQLiteError) -> SQL {
    // Otherwise `excluded`, SQL's name for the new values, would mean the old ones of that table.
    let alias = areSameName(name, "excluded") ? " AS target" : ""
    let target = "INSERT INTO \(quoted(identifier: name))\(alias) (\(list(columns.map(\.name))))"
    let conflict = try conflictClause(resolution)
    guard let source else {
      let parameters = columns.map { column in
        // A parameter cannot be quoted, so it is not named after every column.
        let isPlain = !column.name.isEmpty && column.name.utf8.allSatisfy(\.isNameByte)
        return isPlain ? ":" + column.name : "?"
      }
      return SQL(generated: "\(target) VALUES (\(parameters.joined(separator: ", ")))\(conflict)")
    }
    let fields = columns.indices.map { omitted.contains($0) ? "NULL" : "c\($0)" }
      .joined(separator: ", ")
    // Without a WHERE, an ON after a FROM belongs to a join.
    return SQL(
      generated: "\(target) SELECT \(fields) FROM \(quoted(identifier: source))"
        + (conflict.isEmpty ? "" : " WHERE true" + conflict))
  }

  /// The description without the named columns, for an insert that leaves them out.
  func leavingOut(_ names: [String]) throws(SQLiteError) -> TableDescription {
    for name in names {
      guard let column = columns.first(where: { areSameName($0.name, name) }) else {
        throw SQLiteError(.misuse, "\(self.name) has no column \(name) to leave out")
      }
      let isRowid = rowidColumn.map { areSameName(columns[$0].name, name) } ?? false
      guard isRowid || column.isNullable || column.defaultValue != nil else {
        throw SQLiteError(
          .misuse,
          "column \(column.name) of \(self.name) cannot be left out: it has no default, and cannot be "
            + "NULL")
      }
    }
    let rest = columns.filter { column in !names.contains { areSameName($0, column.name) } }
    guard !rest.isEmpty else {
      throw SQLiteError(.misuse, "an insert into \(name) cannot leave out all of its columns")
    }
    return TableDescription(name, columns: rest, primaryKey: primaryKey)
  }

  package var columnList: String { "(columns: \(columns.map(\.name).joined(separator: ", ")))" }

  /// The column, or the table if it has fewer columns.
  package func location(ofColumn column: Int) -> String {
    (columns.indices.contains(column) ? "column \(columns[column].name) of " : "") + name
  }

  package func lackOfColumns(_ names: [String]) -> String {
    "\(name) has no column \(names.map(written(identifier:)).joined(separator: ", ")) \(columnList)"
  }

  func lackOfValue(of column: Int) -> String {
    "\(location(ofColumn: column)) has no value; to leave it out, list it in leavingOut"
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

  /// Whether the primary key can order a table in the order of its source; nil for the default.
  ///
  /// When checking a file, SQLite 3.40 reads columns of such a table as NULL if they precede a key column.
  package static func storage(of columns: [ColumnDescription], primaryKey: [String]) -> Bool? {
    columns.prefix(primaryKey.count).allSatisfy { primaryKey.hasName($0.name) } ? nil : false
  }

  /// The default indexes of a table: one for each foreign key that is not the beginning of a key.
  package static func defaultIndexes(
    primaryKey: [String], uniqueKeys: [[String]], foreignKeys: [[String]]
  ) -> [[String]] {
    foreignKeys.reduce(into: []) { indexes, columns in
      let keys = [primaryKey] + uniqueKeys + indexes
      let isThere = keys.contains { haveSameBytes(Array($0.prefix(columns.count)), columns) }
      if !isThere { indexes.append(columns) }
    }
  }
}
