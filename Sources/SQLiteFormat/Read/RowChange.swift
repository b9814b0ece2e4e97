package import SQLiteSwiftly

/// The change of one key between two results that are sorted by it.
package struct RowChange: Equatable, Sendable {
  package enum Kind: String, Sendable {
    case added, removed, changed
  }

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
  package var commonKeys = 0
  package var changedKeys = 0
  /// The number of NULLs of each column after the key.
  package var nullsBefore: [Int]
  package var nullsAfter: [Int]

  package init(columns: Int) {
    nullsBefore = [Int](repeating: 0, count: columns)
    nullsAfter = nullsBefore
  }
}
