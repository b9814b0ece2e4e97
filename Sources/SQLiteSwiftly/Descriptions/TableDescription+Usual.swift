extension TableDescription {
  /// Whether the primary key of a table whose columns somebody else has ordered can order the table itself; nil for
  /// the usual.
  ///
  /// When it checks a file, SQLite 3.40 takes columns of such a table for NULL that come before one of the key.
  package static func storage(of columns: [ColumnDescription], primaryKey: [String]) -> Bool? {
    columns.prefix(primaryKey.count).allSatisfy { primaryKey.hasName($0.name) } ? nil : false
  }

  /// The indexes that a table gets if nobody says which: one for each foreign key that no key begins with.
  package static func usualIndexes(
    primaryKey: [String], uniqueKeys: [[String]], foreignKeys: [[String]]
  ) -> [[String]] {
    foreignKeys.reduce(into: []) { indexes, columns in
      let keys = [primaryKey] + uniqueKeys + indexes
      let isThere = keys.contains { haveSameBytes(Array($0.prefix(columns.count)), columns) }
      if !isThere { indexes.append(columns) }
    }
  }
}
