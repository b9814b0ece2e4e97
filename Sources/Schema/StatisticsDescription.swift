package import SQLiteSwiftly

/// Statistics of a table that are too expensive to query each time, in derived tables.
///
/// The queries define the rows: they fill the tables of a server and check those of a file. While a
/// file is written, a computation finds the same rows in a fraction of the time, since it follows
/// the entries of an index as they are written.
package struct StatisticsDescription: Sendable {
  /// A query that those of several tables read, as a temporary table.
  package typealias Shared = (name: String, query: SQL)
  /// Computes the rows of each of `tables` from the entries of the index, in batches and in order up to nil.
  package typealias Computation = @Sendable (_ next: () -> RowBatch?) -> [[FilledBatch]]

  package let source: String
  /// The columns of the index of `source` whose entries the computation follows.
  package let index: [String]
  /// What the queries of `tables` share, in the order in which it is queried.
  package let shared: [Shared]
  package let tables: [DerivedTableDescription]
  /// Further tables, filled by their queries after `tables`.
  package let derivedTables: [DerivedTableDescription]
  /// Reads from the other tables what the computation needs besides the index.
  package let prepare: @Sendable (Connection) throws(SQLiteError) -> Computation

  package init(
    of source: String, index: [String], sharing shared: [Shared],
    tables: [DerivedTableDescription], derivedTables: [DerivedTableDescription],
    prepare: @escaping @Sendable (Connection) throws(SQLiteError) -> Computation
  ) {
    self.source = source
    self.index = index
    self.shared = shared
    self.tables = tables
    self.derivedTables = derivedTables
    self.prepare = prepare
  }

  /// The tables, in the order in which they are filled.
  package var allTables: [DerivedTableDescription] { tables + derivedTables }

  func faults(among tables: [TableDescription]) -> [String] {
    guard let table = tables.first(where: { haveSameBytes($0.name, source) }) else {
      return ["no table \(written(identifier: source))"]
    }
    guard !table.indexes.contains(where: { haveSameBytes($0, index) }) else { return [] }
    return ["\(written(identifier: source)) has no index of \(index.joined(separator: ", "))"]
  }
}
