/// The differences between a new database and the previous one.
package struct DatabaseChanges: Sendable {
  package struct Table: Sendable {
    package let name: String
    /// The rows in the previous database; nil if it lacks the table.
    package var rowsBefore: Int?
    /// The rows in the new database; nil if it lacks the table.
    package var rowsAfter: Int?
    /// The keys that were added, removed, or have other values; nil if the tables have different keys.
    package var keys: Keys?
    /// Whether rows were added, removed or changed, or may have been.
    fileprivate var isChanged: Bool { isResized || keys != Keys() }
    fileprivate var isResized: Bool { rowsBefore != rowsAfter }
    /// The columns of both databases that are nullable in either.
    package var nulls: [Nulls] = []
    /// The columns after the key with changed values, and the number of keys with another value.
    package var columns: [(name: String, keys: Int)] = []

    /// The rows of the last accepted night, and the share of its keys that are changed or removed, in percent; nil if it
    /// is unknown.
    package var sinceAccepted: (rows: Int, lostPercent: Double)?

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

  /// The rows in which a column is NULL.
  package typealias Nulls = (column: String, before: Int, after: Int)

  /// The tables of either database, except those with its provenance.
  package var tables: [Table] = []
  /// Whether the new database was not built, so that keys are unknown.
  package var isForeseen = false

  package init() {}

  package var changed: [Table] { tables.filter { isForeseen ? $0.isResized : $0.isChanged } }
}

extension [DatabaseChanges.Keys] {
  /// The sum of each count; nil without any.
  package var sum: DatabaseChanges.Keys? {
    isEmpty
      ? nil
      : reduce(into: .init()) { sum, keys in
        sum.added += keys.added
        sum.removed += keys.removed
        sum.changed += keys.changed
      }
  }
}
