/// The change of one key between two results that are sorted by it.
package struct RowChange: Equatable, Sendable {
  package enum Kind: String, Sendable {
    case added, removed, changed
  }

  /// A value that has changed.
  package struct Field: Equatable, Sendable {
    /// The index of its column among those after the key.
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
  /// The changed values of a key in both results, in the order of the columns.
  package let fields: [Field]

  package init(_ kind: Kind, key: [SQLiteValue], fields: [Field] = []) {
    self.kind = kind
    self.key = key
    self.fields = fields
  }
}

/// The differences between two results that are sorted by the same key.
package struct RowDifferences: Equatable, Sendable {
  package var rowsBefore = 0
  package var rowsAfter = 0
  /// The number of keys in both results.
  package var commonKeys = 0
  /// The number of those keys with different values.
  package var changedKeys = 0
  /// For each column after the key, the number of NULLs in the old result.
  package var nullsBefore: [Int]
  /// For each column after the key, the number of NULLs in the new result.
  package var nullsAfter: [Int]

  package init(columns: Int) {
    nullsBefore = [Int](repeating: 0, count: columns)
    nullsAfter = nullsBefore
  }
}
