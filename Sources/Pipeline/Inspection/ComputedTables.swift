import SQLiteSwiftly

/// The tables of a database whose check would compute expressions of its schema, which are untrusted and can take any
/// time.
struct ComputedTables: Sendable {
  /// Those with generated columns, or with long defaults.
  let tables: [String]
  /// Those with partial indexes, or with indexes on expressions.
  private let indexed: [String]
  /// The other ones, unless none of either kind exists.
  private let others: [String]

  init(in connection: Connection) throws(SQLiteError) {
    let all = try connection.ordinaryTables()
    let computed = Set(all.filter { !$0.isStored }.map { foldedName($0.name) })
    let ofIndexes = Set(try connection.tablesWithComputedIndexes().map(foldedName))
    tables = all.map(\.name).filter { computed.contains(foldedName($0)) }
    indexed = all.map(\.name).filter {
      ofIndexes.contains(foldedName($0)) && !computed.contains(foldedName($0))
    }
    others = all.map(\.name).filter {
      !ofIndexes.contains(foldedName($0)) && !computed.contains(foldedName($0))
    }
  }

  var words: [String] { tables.map { "table \($0)" } + indexed.map { "indexes of \($0)" } }

  /// The faults of the file, without those of these tables and indexes.
  func structureFaults(on connection: Connection) throws(SQLiteError) -> [String] {
    guard !words.isEmpty else { return try connection.faults(.full) }
    var faults: [String] = []
    // SQLite cannot check a single table with such a name.
    for table in others where !readsAsNumber(table) {
      faults += try connection.faults(.full, ofTable: table)
    }
    for table in indexed where !readsAsNumber(table) {
      faults += try connection.faults(.structure, ofTable: table)
    }
    return Array(faults.prefix(CatalogCheck.maximumFaults))
  }
}
