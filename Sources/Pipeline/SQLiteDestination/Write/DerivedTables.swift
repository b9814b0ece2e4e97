import Facts
import SQLiteFormat
import SQLiteSwiftly
import Schema

/// Fills the tables that follow from those that were loaded, and adds up their rows.
struct DerivedTables {
  private let schema: SchemaDescription
  private let connection: Connection
  private let recorder: RunRecorder
  /// For each derived table that is filled, the sum of its rows.
  private(set) var sums: [EntryChecksum] = []

  /// Far more than it takes to fill a table from rows that are what they seem.
  ///
  /// Those of the largest take 100 steps each. Rows that were made for it can lead to others in more ways than
  /// can be counted.
  private let limit: WorkLimit

  private static let batchCells = 8192
  private static let batchTextBytes = 64 << 10

  /// `rows` are those that were loaded, in all.
  init(
    _ schema: SchemaDescription, from rows: Int, _ connection: Connection, _ recorder: RunRecorder
  ) {
    self.schema = schema
    self.connection = connection
    self.recorder = recorder
    limit = WorkLimit(steps: 100_000_000 + 1000 * rows, pages: .max)
  }

  /// Fills those that queries fill.
  mutating func fill() throws(SQLiteError) {
    for table in schema.keyUnions.map(\.derivedTable) + schema.derivedTables { try fill(table) }
  }

  /// Who uses the rows that are added up while the indexes are written, by the places of these.
  func uses(of indexes: [CollectedIndex]) throws(SQLiteError) -> [Int: OwnerUses] {
    var uses: [Int: OwnerUses] = [:]
    for aggregate in schema.aggregates {
      guard let place = schema.place(of: aggregate, among: indexes) else { continue }
      let start = recorder.now
      uses[place] = OwnerUses(
        try connection.query(aggregate.uses, as: (Int64, String, Int64, Int64?).self))
      recorder.record(.derive, table: aggregate.source, from: start)
    }
    return uses
  }

  /// Fills those that hold statistics, which `results` has by the places of indexes, and those that
  /// follow from them.
  mutating func fill(
    _ results: [Int: AggregateResults], of indexes: [CollectedIndex]
  ) throws(SQLiteError) {
    for aggregate in schema.aggregates {
      let place = schema.place(of: aggregate, among: indexes)
      guard let results = place.flatMap({ results[$0] }) else {
        throw SQLiteError(.misuse, "the rows of \(aggregate.source) were not added up")
      }
      for (table, rows) in zip(aggregate.allTables, results.all) {
        try insert(into: table) { batch, insert throws(SQLiteError) in
          var place = 0
          while rows.fill(&batch, from: &place) > 0 { try insert(batch) }
        }
      }
      for table in aggregate.derivedTables { try fill(table) }
    }
  }

  private mutating func fill(_ table: DerivedTableDescription) throws(SQLiteError) {
    let (connection, limit) = (connection, limit)
    do throws(SQLiteError) {
      try insert(into: table.table) { batch, insert throws(SQLiteError) in
        try connection.limitingWork(to: limit) { () throws(SQLiteError) in
          try connection.readBatches(
            of: table.query, into: &batch, textBytes: Self.batchTextBytes
          ) { batch throws(SQLiteError) in try insert(batch) }
        }
      }
    } catch {
      guard error.code == .interrupted else { throw error }
      let sources = schema.tables.map(\.name).filter { name in
        table.query.text.split { !$0.isLetter && $0 != "_" }.contains { $0 == name }
      }
      throw SQLiteError(
        .interrupted,
        "\(table.table.name): the rows that it is filled with have no end in sight, since records of "
          + "\(sources.joined(separator: ", ")) lead to others in ever more ways. Nothing was published. "
          + "Look at these dumps for what is inside itself many times over, and download them again."
      )
    }
  }

  /// Inserts what `body` gives to its closure, and adds it up.
  private mutating func insert(
    into table: TableDescription,
    _ body: (
      inout RowBatch, (borrowing RowBatch) throws(SQLiteError) -> Void
    ) throws(SQLiteError) -> Void
  ) throws(SQLiteError) {
    let start = recorder.now
    var batch = RowBatch(cells: Self.batchCells, textCapacity: 0)
    var statement = try BatchInsertStatement(into: table, on: connection)
    var sum = RowSum(table)
    try connection.beginTransaction()
    try body(&batch) { batch throws(SQLiteError) in
      guard batch.columns == table.columns.count, batch.hasOnlyTextsAndIntegers else {
        throw SQLiteError(
          .mismatch, "what \(table.name) is filled with is not of the types of its columns")
      }
      try statement.insert(batch)
      sum.add(batch)
    }
    try connection.commitTransaction()
    sums.append(sum.checksum)
    recorder.record(.derive, table: table.name, from: start)
  }
}

extension RowBatch {
  /// Whether no cell is of another type; a NULL is of any.
  fileprivate var hasOnlyTextsAndIntegers: Bool {
    let classes = classes
    return (0..<rows * columns).allSatisfy {
      classes[$0] != StorageClass.real && classes[$0] != StorageClass.blob
    }
  }
}
