import Schema
import SQLiteFormat
import Platform
import Glibc
import RebrickableCatalog
import SQLiteSwiftly

/// The indexes of inventory_parts, loaded as the pipeline does it, beside `CREATE INDEX`.
struct IndexLoading {
  private let workbench: Workbench
  private let parts = schema(of: RebrickableCatalog.inventoryParts).tables[0]
  /// All tables, of which the others have no indexes: their keys are ranked for entries.
  private let tables = RebrickableCatalog.schema.tables.enumerated().map { index, table in
    index == RebrickableCatalog.inventoryPartsIndex
      ? table
      : TableDescription(table.name, columns: table.columns, primaryKey: table.primaryKey)
  }

  init(_ workbench: Workbench) { self.workbench = workbench }

  func measurements() throws -> [Measurement] {
    let reading = try ReadingStage(RebrickableCatalog.schema, source: workbench.dumps(.plain))
    let sides = [
      Side(name: "CREATE INDEX") { try create(reading) },
      Side(name: "indexes loaded") { try load(reading) },
    ]
    let rows = Int(try workbench.contents.partSums.rows)
    let entries = Double(rows * parts.indexes.count)
    let samples = zip(sides, try inTurn(sides, rounds: workbench.rounds))
    let rates = samples.map { side, seconds in
      Series(
        name: side.name, unit: .millionEntriesPerSecond, figures: seconds.map { entries / $0 / 1e6 }
      )
    }
    let seconds = samples.map { Series(name: $0.name, unit: .seconds, figures: $1) }
    return [
      rates[0].measurement(of: .indexes),
      rates[1].measurement(of: .indexes, against: rates[0], bar: .atLeast(2.5)),
    ] + seconds.map { $0.measurement(of: .indexes) }
  }

  /// Lets SQLite create the indexes.
  ///
  /// - Returns: The processor time, that of its sorting threads included.
  private func create(_ reading: ReadingStage) throws -> Double {
    let path = workbench.freshPath("created.sqlite")
    defer { removeFile(path) }
    try insert(reading, at: path) { _, _ in }
    let connection = try Connection(path, opening: .openExisting)
    try connection.set(.journalMode, to: .off)
    try connection.set(.synchronous, to: .off)
    // As small as sorts fastest.
    try connection.set(.cacheSize, to: .kibibytes(2000))
    let seconds = try processSeconds { try connection.createIndexes(describedBy: parts) }
    try checkIndexes(connection)
    return seconds
  }

  /// Takes up the entries while the rows are inserted, and writes the indexes.
  ///
  /// - Returns: The processor time.
  private func load(_ reading: ReadingStage) throws -> Double {
    let path = workbench.freshPath("loaded.sqlite")
    defer { removeFile(path) }
    var collector: IndexCollector?
    var current = -1
    var seconds = 0.0
    try insert(reading, at: path) { batch, table throws(FileError) in
      try seconds += processorSeconds { () throws(FileError) in
        if collector == nil {
          let descriptor = try openFile(path, O_RDONLY)
          defer { close(descriptor) }
          collector = try IndexCollector(
            of: tables, for: descriptor,
            spillingTo: SpillFile(memory: nil, disk: workbench.folder))
        }
        if table != current {
          if current >= 0 { try collector?.finishTable() }
          collector?.begin(table: table)
          current = table
        }
        try collector?.add(batch)
      }
    }
    seconds += try processSeconds {
      try collector?.finishTable()
      guard let indexes = try collector.take()?.result() else { return }
      let descriptor = try openFile(path, O_RDWR)
      defer { close(descriptor) }
      let pages = try IndexPages(for: indexes, in: descriptor, restsIn: workbench.folder)
      let roots = try pages.append(
        indexes.indexes.indices.map { try pages.write($0, of: indexes) })
      let connection = try Connection(path, opening: .openExisting)
      try connection.register(
        zip(indexes.indexes, roots).map { (table: parts, place: $0.place, root: $1) })
      try connection.close()
    }
    try checkIndexes(Connection(path, opening: .readOnly))
    return seconds
  }

  /// Inserts the rows of `inventory_parts` into a new file; `take` gets those of all tables.
  private func insert(
    _ reading: ReadingStage, at path: String,
    _ take: (borrowing RowBatch, _ table: Int) throws(FileError) -> Void
  ) throws {
    try makeEmptyFile(path)
    var writing = try WritingStage(path, schema: schema(of: RebrickableCatalog.inventoryParts))
    var failure: FileError?
    _ = try reading.run { batch, table throws(SQLiteError) in
      if table == RebrickableCatalog.inventoryPartsIndex { try writing.insert(batch, table: 0) }
      do throws(FileError) { try take(batch, table) } catch { failure = error }
    }
    if let failure { throw failure }
    try writing.end(table: 0)
  }

  private func checkIndexes(_ connection: Connection) throws {
    try check(connection.sums(Sums.ofParts), is: workbench.contents.partSums, in: "indexes")
    for place in parts.indexes.indices {
      let count = try connection.query(
        SQL(
          generated:
            "SELECT count(*) FROM \(parts.name) INDEXED BY \(parts.indexName(place)) WHERE true"),
        as: Int.self)
      try check(count, is: [Int(workbench.contents.partSums.rows)], in: "the entries of an index")
    }
  }
}
