import Vocabulary
import SQLiteFormat
import SQLiteSwiftly
import Schema

/// Fills the tables that are derived from the loaded ones, and sums their rows.
struct DerivedTables {
  private let schema: SchemaDescription
  private let connection: Connection
  private let recorder: RunRecorder
  private let tables: [TableDescription]
  /// The number of rows of the loaded tables.
  private let rows: Int
  /// The checksum of each derived table, in the order of their description; nil until it is filled.
  private var sums: [EntryChecksum?]

  /// Far more than it takes to fill a table from genuine rows.
  ///
  /// In the largest table, each row takes 100 steps. Malicious rows can refer to one another in so many ways that the
  /// query never ends.
  private let limit: WorkLimit

  private static let batchCells = 8192
  private static let batchTextBytes = 64 << 10

  init(
    _ schema: SchemaDescription, from rows: Int, _ connection: Connection, _ recorder: RunRecorder
  ) {
    self.schema = schema
    self.connection = connection
    self.recorder = recorder
    tables = schema.allDerivedTables
    self.rows = rows
    sums = tables.map { _ in nil }
    limit = WorkLimit(steps: 100_000_000 + 1000 * rows, pages: .max)
  }

  /// The checksum of each table, in the order of their description.
  func checksums() throws(SQLiteError) -> [EntryChecksum] {
    let filled = sums.compactMap(\.self)
    guard filled.count == sums.count else {
      throw SQLiteError(.misuse, "a derived table was not filled")
    }
    return filled
  }

  /// Fills all tables but those of statistics; passes on what these need as early as possible.
  mutating func fillAll(computeStatistics: ([FilledBatch]) -> Void) throws(SQLiteError) {
    try connection.set(.cacheSize, to: .kibibytes(Tuning.derivingCacheKibibytes(rows: rows)))
    let unions = schema.keyUnions.map(\.derivedTable)
    let readsUnions = schema.readsUnions
    if readsUnions { try fill(unions) }
    try fill(schema.derivedTables)
    try connection.set(.cacheSize, to: .kibibytes(Tuning.indexCacheKibibytes))
    if let statistics = schema.statistics { computeStatistics(try contents(of: statistics)) }
    // The statistics take longest, so unions come later if possible.
    if !readsUnions { try fill(unions) }
  }

  /// Reads what the computation of statistics needs besides the index.
  private func contents(of statistics: StatisticsDescription) throws(SQLiteError) -> [FilledBatch] {
    let start = recorder.now
    defer { recorder.record(.derive, table: statistics.source.name, from: start) }
    let (columns, source) = statistics.contents
    let names = columns.map { quoted(identifier: $0.name) }.joined(separator: ", ")
    var batch = RowBatch(cells: Self.batchCells, textCapacity: 0)
    var contents: [FilledBatch] = []
    try connection.readBatches(
      of: SQL(generated: "SELECT \(names) FROM \(source.text)"), into: &batch
    ) { batch throws(SQLiteError) in contents.append(FilledBatch(batch)) }
    return contents
  }

  /// Fills tables, the first ones with computed rows, the others by their queries.
  mutating func fill(
    _ tables: [DerivedTableDescription], computed: [[FilledBatch]] = []
  ) throws(SQLiteError) {
    for (table, batches) in zip(tables, computed) {
      try insert(into: table.table) { _, insert throws(SQLiteError) in
        for batch in batches { try insert(batch.rows) }
      }
    }
    for table in tables.dropFirst(computed.count) { try fill(table) }
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
      let read = try connection.tablesRead(by: table.query)
      let sources = schema.tables.map(\.name).filter { read.hasName($0) }
      throw SQLiteError(
        .interrupted,
        "\(table.table.name): its rows grow without bound, because the records of "
          + "\(sources.joined(separator: ", ")) refer to one another in too many ways. Nothing was published. "
          + "Check these source files for records nested many times over, and download them again."
      )
    }
  }

  /// Inserts the batches that `body` passes to its closure, and sums their rows.
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
          .mismatch, "the rows of \(table.name) do not have the types of its columns")
      }
      try statement.insert(batch)
      sum.add(batch)
    }
    try connection.commitTransaction()
    guard let place = tables.firstIndex(where: { haveSameBytes($0.name, table.name) }) else {
      preconditionFailure("\(table.name) is not described")
    }
    sums[place] = sum.checksum
    recorder.record(.derive, table: table.name, from: start)
  }
}

extension RowBatch {
  /// Whether every cell is a text, an integer or NULL.
  fileprivate var hasOnlyTextsAndIntegers: Bool {
    let classes = classes
    return (0..<rows * columns).allSatisfy {
      classes[$0] != StorageClass.real && classes[$0] != StorageClass.blob
    }
  }
}

extension Connection {
  /// The tables that a query reads, also through views.
  fileprivate func tablesRead(by query: SQL) throws(SQLiteError) -> [String] {
    var tables: [String] = []
    authorizer = { action in
      if case .read(let table, _) = action.operation { tables.append(table) }
      return .allow
    }
    defer { authorizer = nil }
    _ = try prepare(query)
    return tables
  }
}
