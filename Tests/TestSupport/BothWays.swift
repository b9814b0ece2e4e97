package import SQLiteFormat
import Platform
import Glibc
package import SQLiteSwiftly

/// One table in two files: its indexes loaded in one of them, and created by SQLite in the other.
package struct BothWays {
  package let table: TableDescription
  package var pageBytes: Int
  /// The bytes that may be spilled to the first file.
  package var memory: Int
  /// Rows of a batch.
  package var batchRows: Int
  /// The bytes of each page that nothing is in.
  package var reservedBytes: UInt8
  /// Where the first file ends before its indexes; at its last page if it is nil.
  package var lastPage: Int?
  /// The tables to which the table refers, with their rows, which are in neither file.
  package var parents: [(table: TableDescription, rows: [[SQLiteValue]])] = []
  /// Whether SQLite fills another table while the indexes are written.
  package var grows = false

  package init(
    table: TableDescription, pageBytes: Int = 4096, memory: Int = 1 << 20, batchRows: Int = 1000,
    reservedBytes: UInt8 = 0, lastPage: Int? = nil
  ) {
    self.table = table
    self.pageBytes = pageBytes
    self.memory = memory
    self.batchRows = batchRows
    self.reservedBytes = reservedBytes
    self.lastPage = lastPage
  }

  /// Makes the two files with the rows.
  ///
  /// - Returns: The indexes that were loaded, and the entries of each that an observer sees.
  @discardableResult
  package func fill(
    _ workplace: Workplace, _ rows: [[SQLiteValue]]
  ) throws -> (indexes: [CollectedIndex], observed: [[[SQLiteValue]]]) {
    try create(workplace.path + "/created", rows)
    let loaded = try load(workplace, rows)
    return (loaded.indexes, loaded.observed)
  }

  /// Makes a file with the rows, in which SQLite creates the indexes.
  package func create(_ path: String, _ rows: [[SQLiteValue]]) throws {
    let created = try createFile(path)
    try insert(rows, created)
    try created.createIndexes(describedBy: table)
    if grows { try created.execute(Self.otherTable) }
    try created.close()
  }

  /// Makes the first file with the rows.
  ///
  /// - Returns: The sum of the rows, the indexes that were loaded, and the entries of each that an observer sees.
  package func load(
    _ workplace: Workplace, _ rows: [[SQLiteValue]]
  ) throws -> (rows: EntryChecksum, indexes: [CollectedIndex], observed: [[[SQLiteValue]]]) {
    let path = workplace.path + "/loaded"
    let loaded = try createFile(path)
    let descriptor = try open(path)
    defer { close(descriptor) }
    try insert(rows, loaded)
    try loaded.close()
    let indexes = try collect(rows, descriptor, folder: workplace.path)
    if let lastPage { try addFreePages(to: descriptor, upTo: lastPage) }
    let pages = try IndexPages(for: indexes, in: descriptor, restsIn: workplace.path)
    // The last one first: whichever is done first, the file is the same.
    var trees: [IndexPages.Tree] = []
    var observed: [[[SQLiteValue]]] = []
    for place in indexes.indexes.indices.reversed() {
      var entries: [[SQLiteValue]] = []
      trees.insert(
        try pages.write(place, of: indexes) { batch in entries += batch.valuesOfRows }, at: 0)
      observed.insert(entries, at: 0)
    }
    if grows { try changeDatabase(path, [Self.otherTable]) }
    let roots = try pages.append(trees)
    try changeDatabase(path) {
      try $0.register(
        zip(indexes.indexes, roots).map { (table: table, place: $0.place, root: $1) })
    }
    return (sum(of: rows), indexes.indexes, observed)
  }

  private static let otherTable: SQL = """
    CREATE TABLE other AS
    WITH RECURSIVE numbers (number) AS (
      SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 200
    )
    SELECT number, zeroblob(number * 20) AS bytes FROM numbers
    """

  private func sum(of rows: [[SQLiteValue]]) -> EntryChecksum {
    var sum = RowSum(table)
    var batch = RowBatch(cells: batchRows * table.columns.count, textCapacity: 0)
    for rows in batches(of: rows) {
      fill(&batch, rows, columns: table.columns.count)
      sum.add(batch)
    }
    return sum.checksum
  }

  package func open(_ path: String) throws -> Int32 { try openFile(path, O_RDWR) }

  /// Creates a file with the table, without its indexes.
  private func createFile(_ path: String) throws -> Connection {
    let new = try Connection(path, opening: .createNew)
    try new.set(.pageSize, to: pageBytes)
    try new.set(.journalMode, to: .off)
    try new.execute("PRAGMA user_version = 1")
    try new.close()
    if reservedBytes > 0 {
      let descriptor = try open(path)
      defer { close(descriptor) }
      // The schema's page is empty, so that its content begins at its end.
      try write([reservedBytes], to: descriptor, at: 20)
      try write(Array(bigEndian([pageBytes - Int(reservedBytes)])[2...]), to: descriptor, at: 105)
    }
    let connection = try Connection(path, opening: .openExisting)
    try connection.set(.journalMode, to: .off)
    if !parents.isEmpty { try connection.execute("PRAGMA foreign_keys = OFF") }
    try connection.createTable(describedBy: table, withIndexes: false)
    return connection
  }

  private func write(
    _ bytes: [UInt8], to descriptor: Int32, at offset: Int
  ) throws(FileError) {
    try descriptor.writeAll(bytes.span, at: offset)
  }

  private func bigEndian(_ numbers: [Int]) -> [UInt8] {
    let words = numbers.map { UInt32($0).bigEndian }
    return unsafe words.withUnsafeBytes { unsafe Array($0) }
  }

  /// Lets a file have free pages as if a table had been dropped
  /// (<https://www.sqlite.org/fileformat2.html#the_freelist>); none of them is written but those that name others.
  private func addFreePages(to descriptor: Int32, upTo last: Int) throws {
    let pages = try descriptor.bytes(4, at: 28).reduce(0) { $0 << 8 | Int($1) }
    let first = pages + 1
    let most = pageBytes / 4 - 8
    for trunk in stride(from: first, through: last, by: most + 1) {
      let others = min(most, last - trunk)
      let next = trunk + most < last ? trunk + most + 1 : 0
      let page = [next, others] + Array(trunk + 1..<trunk + 1 + others)
      try write(bigEndian(page), to: descriptor, at: (trunk - 1) * pageBytes)
    }
    try write(bigEndian([last, first, last - pages]), to: descriptor, at: 28)
    guard ftruncate(descriptor, off_t(last * pageBytes)) == 0 else { throw FileError(code: errno) }
  }

  /// The rows, in pieces that fit into a batch.
  private func batches(of rows: [[SQLiteValue]]) -> [ArraySlice<[SQLiteValue]>] {
    stride(from: 0, to: rows.count, by: batchRows).map {
      rows[$0..<min($0 + batchRows, rows.count)]
    }
  }

  private func insert(_ rows: [[SQLiteValue]], _ connection: Connection) throws {
    var statement = try BatchInsertStatement(into: table, on: connection)
    var batch = RowBatch(cells: batchRows * table.columns.count, textCapacity: 0)
    for rows in batches(of: rows) {
      fill(&batch, rows, columns: table.columns.count)
      try statement.insert(batch)
    }
  }

  private func collect(
    _ rows: [[SQLiteValue]], _ descriptor: Int32, folder: String
  ) throws(FileError) -> CollectedIndexes {
    var collector = try IndexCollector(
      of: parents.map(\.table) + [table], for: descriptor,
      spillingTo: SpillFile(memory: (folder, memory), disk: folder))
    for (place, (table, rows)) in (parents + [(table, rows)]).enumerated() {
      collector.begin(table: place)
      var batch = RowBatch(cells: batchRows * table.columns.count, textCapacity: 0)
      for rows in batches(of: rows) {
        fill(&batch, rows, columns: table.columns.count)
        try collector.add(batch)
      }
      try collector.finishTable()
    }
    return try collector.result()
  }

  private func fill(_ batch: inout RowBatch, _ rows: ArraySlice<[SQLiteValue]>, columns: Int) {
    batch.restart(columns: columns)
    batch.text = []
    for row in rows { batch.append(row) }
  }
}
