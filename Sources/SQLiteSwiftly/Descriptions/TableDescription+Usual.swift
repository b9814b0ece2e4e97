extension TableDescription {
  /// Whether the primary key can order the table itself if the column order is not our own; nil for
  /// the default.
  ///
  /// When checking a file, SQLite 3.40 reads columns of such a table as NULL if they precede a key
  /// column.
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
