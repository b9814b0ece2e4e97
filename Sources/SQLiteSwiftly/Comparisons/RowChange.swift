/// What has become of one key between two results that are sorted by it.
package struct RowChange: Equatable, Sendable {
  package enum Kind: String, Sendable {
    case added, removed, changed
  }

  /// A value that is another one now.
  package struct Field: Equatable, Sendable {
    /// Its column's place among those after the key.
    package let column: Int
    package let before: SQLiteValue
    package let after: SQLiteValue

    package init(column: Int, before: SQLiteValue, after: SQLiteValue) {
      self.column = column
      self.before = before
      self.after = after
    }
  }

  package let kind: Kind
  package let key: [SQLiteValue]
  /// Of a key that both have, what has changed, in the order of the columns.
  package let fields: [Field]

  package init(_ kind: Kind, key: [SQLiteValue], fields: [Field] = []) {
    self.kind = kind
    self.key = key
    self.fields = fields
  }
}

/// What differs between the rows of two results that are sorted by the same key.
package struct RowDifferences: Equatable, Sendable {
  package var rowsBefore = 0
  package var rowsAfter = 0
  /// The keys that both have.
  package var commonKeys = 0
  /// Those of them that have other values after them.
  package var changedKeys = 0
  /// For each column after the key, the rows of the old result in which it is NULL.
  package var nullsBefore: [Int]
  /// For each column after the key, the rows of the new result in which it is NULL.
  package var nullsAfter: [Int]

  package init(columns: Int) {
    nullsBefore = [Int](repeating: 0, count: columns)
    nullsAfter = nullsBefore
  }
}
