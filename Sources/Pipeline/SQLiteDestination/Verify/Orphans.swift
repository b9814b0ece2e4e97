package import SQLiteSwiftly
package import Schema

extension Connection {
  /// The first values of a foreign key that its parent lacks; nil if there are none.
  package func orphan(
    of key: ForeignKeyDescription, in table: String, _ schema: SchemaDescription
  ) throws(SQLiteError) -> [SQLiteValue]? {
    // Each distinct value is looked up once. Keys that can be NULL or are not indexed are sorted instead.
    let isPrimary =
      schema.tables.contains {
        haveSameBytes($0.name, key.table) && haveSameBytes($0.primaryKey, key.keyColumns)
      } || schema.keyUnions.contains { haveSameBytes($0.name, key.table) }
    let query =
      isPrimary && key.columns.count == 1
      ? key.orphansByLookup(in: table) : key.orphans(in: table)
    return try self.query(SQL(generated: query.text + " LIMIT 1")).first
  }
}

extension ForeignKeyDescription {
  /// The query for the distinct values of its columns that its parent lacks.
  ///
  /// A key with a NULL column needs no parent.
  package func orphans(in table: String) -> SQL {
    let conditions = columns.map { "\(quoted(identifier: $0)) IS NOT NULL" }
    return SQL(
      generated: "SELECT \(list(columns)) FROM main.\(quoted(identifier: table)) "
        + "WHERE \(conditions.joined(separator: " AND ")) "
        + "EXCEPT SELECT \(list(keyColumns)) FROM main.\(quoted(identifier: self.table))")
  }

  /// The same for one column that refers to a primary key.
  fileprivate func orphansByLookup(in table: String) -> SQL {
    SQL(
      generated: "SELECT value FROM (SELECT DISTINCT \(list(columns)) AS value "
        + "FROM \(quoted(identifier: table))) WHERE value IS NOT NULL "
        + "AND value NOT IN (SELECT \(list(keyColumns)) FROM \(quoted(identifier: self.table)))")
  }

  private func list(_ columns: [String]) -> String {
    columns.map(quoted(identifier:)).joined(separator: ", ")
  }
}
