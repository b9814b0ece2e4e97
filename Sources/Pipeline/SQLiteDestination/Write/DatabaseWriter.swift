import Platform
package import Vocabulary
import SQLiteFormat
package import SQLiteSwiftly
package import Schema
import Provenance

/// Writes the tables of a schema into a new file, one after another.
package struct DatabaseWriter: ~Copyable {
  package let connection: Connection
  private let path: String
  /// The time to wait for a program that reads the file, such as a backup.
  package static let busyTimeout = Duration.seconds(5)

  private let schema: SchemaDescription
  /// The insert into the current table; nil if it is complete.
  private var insertion: TableInsertion? = nil
  private var uncommittedRows = 0
  private var cacheKibibytes = Tuning.insertCacheKibibytes
  /// The cache misses when they were last counted, and the rows inserted since.
  private var cacheMisses = 0
  private var uncountedRows = 0
  private let recorder: RunRecorder
  package private(set) var rows: [Int]
  /// The columns of each table that are NULL in all rows, as far as known.
  private var emptyColumns: [[Int]]

  private struct TableInsertion: ~Copyable {
    var statement: BatchInsertStatement
    let table: Int
    let start: Double
  }

  /// Opens the empty file at `path` and creates the tables; calls `checkIsOwn` before writing to the file.
  package init(
    _ path: String, schema: SchemaDescription, recorder: RunRecorder,
    checkIsOwn: () throws(SQLiteError) -> Void = { () throws(SQLiteError) in }
  ) throws(SQLiteError) {
    let connection = try Connection(path, opening: .openExisting, busyTimeout: Self.busyTimeout)
    try checkIsOwn()
    // The file is not used by others before it is published, and a failed run discards it: so it needs no journal
    // and, until the end, no sync.
    try connection.set(.pageSize, to: Tuning.pageBytes)
    // SQLite may be built with auto-vacuum on; its pointer maps would lack the index pages that ingest appends itself.
    try connection.set(.autoVacuum, to: .none)
    try connection.set(.journalMode, to: .off)
    try connection.set(.synchronous, to: .off)
    try connection.set(.lockingMode, to: .exclusive)
    try connection.set(.cacheSize, to: .kibibytes(Tuning.insertCacheKibibytes))
    try connection.set(.foreignKeys, to: false)
    // The validator has checked the values, and the finished file is checked again. Here the checks would take
    // 2.6 % of a run's processor time.
    try connection.set(.ignoreCheckConstraints, to: true)
    // Sorting in memory takes twice as long, since a run is then as large as the index.
    try connection.set(.temporaryStore, to: .file)
    // A library without threads ignores it.
    _ = try connection.query(SQL(generated: "PRAGMA threads = \(Tuning.sorterThreads)"))
    try connection.set(.applicationID, to: schema.applicationID)
    try connection.set(.userVersion, to: schema.version)
    for (table, loadsKey) in zip(schema.tables, schema.loadedKeys) {
      try connection.execute(table.creation(withKeyIndex: !loadsKey))
    }
    for table in schema.allDerivedTables { try connection.execute(table.creation) }
    self.connection = connection
    self.path = path
    self.schema = schema
    self.recorder = recorder
    rows = [Int](repeating: 0, count: schema.tables.count)
    emptyColumns = [[Int]](repeating: [], count: schema.tables.count)
  }

  /// Inserts rows of a table, in transactions of many batches.
  package mutating func insert(_ batch: borrowing RowBatch, table: Int) throws(SQLiteError) {
    guard batch.rows > 0 else { return }
    var insertion = try takeInsertion(into: table)
    if uncommittedRows == 0 { try connection.beginTransaction() }
    try insertion.statement.insert(batch)
    self.insertion = consume insertion
    rows[table] += batch.rows
    uncommittedRows += batch.rows
    uncountedRows += batch.rows
    if uncountedRows >= Tuning.rowsPerMissCount { try adjustCache() }
    if uncommittedRows >= Tuning.rowsPerTransaction { try commit() }
  }

  /// The current insert, or a new one; the caller must put it back.
  private mutating func takeInsertion(into table: Int) throws(SQLiteError) -> TableInsertion {
    if let insertion = insertion.take(), insertion.table == table { return insertion }
    let statement = try BatchInsertStatement(into: schema.tables[table], on: connection)
    return TableInsertion(statement: statement, table: table, start: recorder.now)
  }

  package mutating func end(table: Int) throws(SQLiteError) {
    try commit()
    try setCache(kibibytes: Tuning.insertCacheKibibytes)
    guard let insertion = insertion.take(), insertion.table == table else { return }
    emptyColumns[table] = insertion.statement.emptyColumns
    recorder.record(.insert, table: schema.tables[table].name, from: insertion.start)
  }

  private mutating func commit() throws(SQLiteError) {
    guard uncommittedRows > 0 else { return }
    try connection.commitTransaction()
    uncommittedRows = 0
  }

  /// Enlarges the cache if pages were read again, as with unordered keys.
  private mutating func adjustCache() throws(SQLiteError) {
    let misses = try connection.cacheMisses
    if (misses - cacheMisses) * Tuning.rowsForMiss > uncountedRows {
      try setCache(kibibytes: min(2 * cacheKibibytes, Tuning.mostInsertCacheKibibytes))
    }
    cacheMisses = misses
    uncountedRows = 0
  }

  private mutating func setCache(kibibytes: Int) throws(SQLiteError) {
    guard kibibytes != cacheKibibytes else { return }
    try connection.set(.cacheSize, to: .kibibytes(kibibytes))
    cacheKibibytes = kibibytes
  }

  struct Finished {
    /// The number of rows inserted into each table.
    let rows: [Int]
    /// The columns of each table that are NULL in all rows, as far as known.
    let emptyColumns: [[Int]]
    /// The checksum of each derived table.
    let derived: [EntryChecksum]
    let search: SearchResult?
    let reading: IndexReading?
  }

  /// Adds the derived tables, the provenance and the indexes, and closes the file.
  ///
  /// SQLite creates the indexes whose entries were not collected while the rows were inserted. After an error the file
  /// is unusable.
  consuming func complete(
    _ counts: [TableCounts], indexes: CollectedIndexes, descriptor: Int32,
    search: SearchDescription?, _ helper: Helper
  ) throws(SQLiteError) -> Finished {
    recorder.progress.begin(.derive)
    try setLocking(.normal)
    let writing = try IndexWriting(
      indexes, of: schema, descriptor: descriptor, recorder: recorder)
    var derived = DerivedTables(schema, from: rows.reduce(0, +), connection, recorder)
    var searching: SearchBuilding?
    do throws(SQLiteError) {
      let search = try usable(search)
      if let search, schema.readsOnlySources(search) {
        searching = try build(search, from: descriptor, on: helper)
      }
      writing.start(on: helper)
      try setLocking(.exclusive)
      try derived.fillAll { writing.computeStatistics(from: $0, on: helper) }
      for view in schema.views { try connection.execute(view.creation) }
      try Provenance.write(counts, of: schema, on: connection)
      recorder.progress.begin(search == nil ? .index : .search)
      if let search {
        try describe(search)
        if searching == nil { searching = try build(search, from: descriptor, on: helper) }
      }
      try createIndexes(besides: indexes)
      try setLocking(.normal)
    } catch {
      searching?.cancel()
      writing.cancel()
      helper.finish()
      throw error
    }
    searching?.copy(on: helper)
    writing.finish()
    let searchResult = try searching?.result(from: helper)
    recorder.progress.begin(.index)
    let (roots, statistics) = try writing.addToFile()
    let reading = IndexReading(indexes.indexes, roots: roots, in: descriptor, by: helper)
    try setLocking(.exclusive)
    try connection.register(
      zip(indexes.indexes, roots).map { index, root in
        (table: schema.tables[index.table], place: index.place, root: root)
      })
    try derived.fill(schema.statistics?.allTables ?? [], computed: statistics)
    try connection.close()
    return Finished(
      rows: rows, emptyColumns: emptyColumns, derived: try derived.checksums(),
      search: searchResult, reading: reading)
  }

  /// Unlocks the file for other connections, or locks it.
  ///
  /// SQLite reads the file again if it changed while it was unlocked.
  private func setLocking(_ mode: Connection.LockingMode) throws(SQLiteError) {
    try connection.set(.lockingMode, to: mode)
    if mode == .normal { _ = try connection.query("SELECT count(*) FROM sqlite_schema") }
  }

  /// The search, if there is one and the library supports it.
  private func usable(_ search: SearchDescription?) throws(SQLiteError) -> SearchDescription? {
    guard let search, try !connection.canSearch(search) else { return search }
    recorder.record(.warning(.searchAbsent(search)))
    return nil
  }

  private func build(
    _ search: SearchDescription, from descriptor: Int32, on helper: Helper
  ) throws(SQLiteError) -> SearchBuilding {
    try SearchBuilding(
      search, of: path, descriptor: descriptor, recorder: recorder, on: helper)
  }

  private func describe(_ search: SearchDescription) throws(SQLiteError) {
    let words = Provenance.words(for: [DescribedTable(search.view)])
    try Provenance.insert(words.tables, into: Provenance.describedTables, on: connection)
    try Provenance.insert(words.columns, into: Provenance.describedColumns, on: connection)
  }

  private func createIndexes(besides indexes: CollectedIndexes) throws(SQLiteError) {
    for table in schema.allDerivedTables {
      for creation in table.indexCreations { try connection.execute(creation) }
    }
    for (place, table) in schema.tables.enumerated() {
      let loaded = Set(indexes.indexes.filter { $0.table == place }.map(\.place))
      for (index, creation) in table.indexCreations.enumerated() where !loaded.contains(index) {
        let start = recorder.now
        try connection.execute(creation)
        recorder.record(.index, table: table.name, from: start)
      }
    }
  }
}
