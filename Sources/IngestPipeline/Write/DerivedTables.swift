import DatabaseFile
import SQLiteSwiftly

/// Fills the tables that follow from those that were loaded.
struct DerivedTables {
  let schema: SchemaDescription
  let connection: Connection
  let recorder: RunRecorder

  /// The bytes of the batches in which statistics are inserted.
  private static let batchTextBytes = 64 << 10
  private static let batchCells = 8192

  /// Fills those that queries fill.
  func fill() throws(SQLiteError) {
    for union in schema.keyUnions { try fill(union.name, by: union.filling) }
    for table in schema.derivedTables { try fill(table.table.name, by: table.filling) }
  }

  /// Who uses the rows that are added up while the indexes are written.
  ///
  /// - Parameter indexes: those that are written.
  /// - Returns: The uses, by the places of indexes.
  /// - Throws: `SQLiteError` if the query fails.
  func uses(of indexes: [CollectedIndex]) throws(SQLiteError) -> [Int: OwnerUses] {
    var uses: [Int: OwnerUses] = [:]
    for aggregate in schema.aggregates {
      guard let place = place(of: aggregate, among: indexes) else { continue }
      let start = recorder.now
      uses[place] = OwnerUses(
        try connection.query(aggregate.uses, as: (Int64, String, Int64, Int64?).self))
      recorder.record(.derive, table: aggregate.source, from: start)
    }
    return uses
  }

  /// Fills those that hold statistics, and those that follow from them.
  ///
  /// - Parameters:
  ///   - results: the statistics, by the places of indexes.
  ///   - indexes: those that were written.
  /// - Throws: `SQLiteError`, after which the file is of no use.
  func fill(
    _ results: [Int: AggregateResults], of indexes: [CollectedIndex]
  ) throws(SQLiteError) {
    for aggregate in schema.aggregates {
      guard let results = place(of: aggregate, among: indexes).flatMap({ results[$0] }) else {
        throw SQLiteError(.misuse, "the rows of \(aggregate.source) were not added up")
      }
      for (table, rows) in zip(aggregate.allTables, results.all) {
        try recorder.time(.derive, table: table.name) { () throws(SQLiteError) in
          try insert(rows, into: table)
        }
      }
      for table in aggregate.derivedTables { try fill(table.table.name, by: table.filling) }
    }
  }

  private func fill(_ name: String, by filling: SQL) throws(SQLiteError) {
    try recorder.time(.derive, table: name) { () throws(SQLiteError) in
      try connection.execute(filling)
    }
  }

  private func insert(
    _ rows: AggregateRows, into table: TableDescription
  ) throws(SQLiteError) {
    var batch = RowBatch(cells: Self.batchCells, textCapacity: Self.batchTextBytes)
    var statement = try BatchInsertStatement(into: table, on: connection)
    try connection.beginTransaction()
    var inserted = 0
    while inserted < rows.count {
      let count = rows.fill(&batch, from: inserted)
      try statement.insert(batch, after: inserted)
      inserted += count
    }
    try connection.commitTransaction()
  }

  /// Which of the indexes has the entries that an aggregate adds up.
  private func place(of aggregate: AggregateDescription, among indexes: [CollectedIndex]) -> Int? {
    indexes.firstIndex { index in
      let table = schema.tables[index.table]
      return haveSameBytes(table.name, aggregate.source)
        && haveSameBytes((table.uniqueKeys + table.indexes)[index.place], aggregate.index)
    }
  }
}
