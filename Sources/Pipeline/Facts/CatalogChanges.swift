/// What differs between a catalog and the one that it is to replace.
package struct CatalogChanges: Equatable, Sendable {
  package struct Table: Equatable, Sendable {
    package let name: String
    /// The rows in the old catalog; nil if it does not have the table.
    package var rowsBefore: Int?
    /// The rows in the new catalog; nil if it does not have the table.
    package var rowsAfter: Int?
    /// The keys, new, gone, and there before and after with other values beside them; nil if the tables
    /// do not have the same key.
    package var keys: Keys?
    /// Whether rows were added, removed or changed, or may have been.
    fileprivate var isChanged: Bool { isResized || keys != Keys() }
    fileprivate var isResized: Bool { rowsBefore != rowsAfter }
    /// The columns that may be NULL in either catalog, and that both have.
    package var nulls: [Nulls] = []
    /// For each column after the key, the keys that have another value there; empty if that is not asked for.
    package var changes: [Int] = []

    package init(name: String) { self.name = name }
  }

  package struct Keys: Equatable, Sendable {
    package var added = 0
    package var removed = 0
    package var changed = 0

    package init(added: Int = 0, removed: Int = 0, changed: Int = 0) {
      self.added = added
      self.removed = removed
      self.changed = changed
    }
  }

  /// In how many rows a column is NULL.
  package struct Nulls: Equatable, Sendable {
    package let column: String
    package var before: Int
    package var after: Int

    package init(column: String, before: Int, after: Int) {
      self.column = column
      self.before = before
      self.after = after
    }
  }

  /// The tables of either catalog, but for those that say where it came from.
  package var tables: [Table] = []
  /// Whether the new catalog was not built, so that of keys nothing is known.
  package var isForeseen = false

  package init() {}

  package var changed: [Table] { tables.filter { isForeseen ? $0.isResized : $0.isChanged } }
}
