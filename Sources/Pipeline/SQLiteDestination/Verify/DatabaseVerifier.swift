import Vocabulary
import Platform
import SQLiteFormat
import SQLiteSwiftly
import Schema
import Text

/// Verifies a finished file as a reader would see it, before it is published.
struct DatabaseVerifier: Sendable {
  let path: String
  let descriptor: Int32
  let schema: SchemaDescription
  let sums: InsertedSums
  let helper: Helper
  var search: SearchDescription?
  /// The maximum size of a row in bytes.
  let longestRow: Int

  private struct Piece: Sendable {
    /// Roughly the time that it takes beside others, in hundredths of a second for today's catalog; 0 for little.
    var share = 0
    let check: @Sendable () throws(IngestError) -> Void
  }

  private static let maximumDomainPieces = 16

  private var tables: [TableDescription] { schema.tables + schema.allDerivedTables }
  private var rowCount: Int { sums.rows.reduce(0) { $0 + $1.entries } }

  /// Whether the domains of columns are checked apart from the structure: with many in a row, one thread would take longer
  /// for both than the other for everything else.
  private var checksDomainsApart: Bool {
    let checks = zip(tables, sums.rows).reduce(0) { checks, table in
      checks + table.1.entries * table.0.columns.count { $0.checkExpression != nil }
    }
    return checks > 4 * rowCount
  }

  private var domains: [Piece] {
    guard checksDomainsApart else { return [] }
    let places = tables.indices.sorted { sums.rows[$0].entries > sums.rows[$1].entries }
    let rows = places.map { place in
      CheckedRows(of: tables[place], besidesColumns: sums.emptyColumns(at: place))
    }
    guard let longest = places.first else { return [] }
    let parts = rows[0].parts(ofRows: sums.rows[longest].entries)
    // SQLite reads the whole schema for each connection, so many tables share a few.
    let count = min(rows.count - 1, Self.maximumDomainPieces)
    let others = (0..<count).map { first in
      stride(from: 1 + first, to: rows.count, by: count).map { rows[$0] }
    }
    return parts.map { part in
      Piece(share: 100 / parts.count) { () throws(IngestError) in try checkDomains(of: [part]) }
    } + others.map { some in Piece { () throws(IngestError) in try checkDomains(of: some) } }
  }

  /// All pieces but the structure, the domains and the rows.
  private func otherPieces(_ roots: [[UInt8]: Int]) -> [Piece] {
    let indexes = sums.reading == nil ? sums.indexes : []
    let loaded = indexes.sorted { $0.bytes > $1.bytes }.map { index in
      Piece { () throws(IngestError) in
        try check(
          index,
          Result { () throws(DatabaseError) in
            try index.storedChecksum(in: descriptor, root: root(of: index, roots))
          })
      }
    }
    return [Piece(share: 22, check: checkSearch)] + loaded + [
      Piece { () throws(IngestError) in try checkKeys(roots) },
      Piece(share: 7, check: checkDerivedIndexes), Piece(check: checkCreatedIndexes),
      Piece(share: 20, check: checkForeignKeys),
    ]
  }

  /// Verifies everything, on this thread and that of the helper.
  ///
  /// - Parameter compare: compares the tables with others; each table is read once for both.
  /// - Returns: The contents of each table, and the result of the comparison.
  /// - Throws: `IngestError` for the first fault.
  func check<Compared: Sendable>(
    comparing compare: @escaping @Sendable (FinishedTables) -> Compared
  ) throws(IngestError) -> (scans: [TableScan], compared: Compared) {
    let result = Monitor<(scans: [TableScan], compared: Compared)?>(nil)
    let rows = Piece(share: 30) { () throws(IngestError) in
      let tables = try FinishedTables(
        path, descriptor: descriptor, schema: schema, longestRow: longestRow)
      let compared = compare(tables)
      let scans = try checkRows(tables)
      result.with { $0 = (scans, compared) }
    }
    let roots = try rootPages()
    // Faults are reported in this order.
    let pieces =
      [Piece(share: 44, check: checkStructure)] + domains + [rows] + otherPieces(roots)
    // The longest begin first, so that both threads end at the same time.
    let order = pieces.indices.sorted { (pieces[$0].share, $1) > (pieces[$1].share, $0) }
    let results = helper.results(of: pieces.count) { turn in
      (
        piece: order[turn],
        result: Result { () throws(IngestError) in try pieces[order[turn]].check() }
      )
    }
    for (_, result) in results.sorted(by: { $0.piece < $1.piece }) { try result.get() }
    if let reading = sums.reading { try check(reading, roots) }
    guard let result = result.with({ $0 }) else { preconditionFailure("the tables were checked") }
    return result
  }

  private func checkRows(_ finished: FinishedTables) throws(IngestError) -> [TableScan] {
    var scans: [TableScan] = []
    for (place, (table, sum)) in zip(tables, sums.rows).enumerated() {
      let scan = try mapError(
        finished.scan(at: place), as: { unreadable("the table", table.name, $0) })
      guard scan.rows.entries == sum.entries else {
        throw .rowCountWrong(
          path, table: table.name, found: scan.rows.entries, inserted: sum.entries)
      }
      let areEmpty = sums.emptyColumns(at: place).allSatisfy { scan.nulls[$0] == sum.entries }
      guard scan.rows == sum, areEmpty else {
        throw damaged("the table \(table.name) has rows other than those inserted")
      }
      scans.append(scan)
    }
    return scans
  }

  /// Checks that each index created by SQLite has as many entries as its table has rows.
  ///
  /// `PRAGMA quick_check` reads the indexes, but does not compare them with their tables.
  private func checkCreatedIndexes() throws(IngestError) {
    let created = try reading { connection throws(SQLiteError) in
      try tables.enumerated().map { place, table throws(SQLiteError) in
        let loaded = sums.indexes.filter { $0.table == place }.map { table.indexName($0.place) }
        return try connection.entriesOfIndexes(on: table.name, besides: loaded)
      }
    }
    for ((table, sum), created) in zip(zip(tables, sums.rows), created) {
      for index in created where index.entries != sum.entries {
        throw damaged(
          "the index \(index.name) has \(index.entries.grouped) entries for the \(sum.entries.grouped) rows of "
            + table.name)
      }
    }
  }

  /// Checks that the indexes of derived tables match their rows, which SQLite looks up one by one.
  private func checkDerivedIndexes() throws(IngestError) {
    for table in schema.allDerivedTables where !table.indexes.isEmpty {
      let faults = try reading { connection throws(SQLiteError) in
        try connection.set(
          .cacheSize, to: .kibibytes(Tuning.derivingCacheKibibytes(rows: rowCount)))
        return try connection.faults(.full, ofTable: table.name)
      }
      if let fault = faults.first { throw damaged("\(table.name) is damaged: \(fault)") }
    }
  }

  /// Checks that each key index matches the rows of its table, as below.
  private func checkKeys(_ roots: [[UInt8]: Int]) throws(IngestError) {
    for (table, sum) in zip(schema.tables, sums.keys) {
      guard let sum, let index = KeyIndex(of: table) else { continue }
      let root = roots[Array(index.name.utf8)] ?? 0
      let found = try mapError(
        index.storedChecksum(in: descriptor, root: root, longestRow: longestRow),
        as: { unreadable("the key", "of \(table.name)", $0) })
      guard found == sum else {
        throw damaged("the key of \(table.name) has entries that do not match its rows")
      }
    }
  }

  /// Checks that a loaded index matches the rows of its table.
  ///
  /// It was read back entry by entry, and must have the checksum of the rows when they were inserted.
  private func check(
    _ index: CollectedIndex, _ stored: IndexReading.Found
  ) throws(IngestError) {
    let table = tables[index.table]
    let name = table.indexName(index.place)
    let found = try mapError(
      stored.get(), as: { unreadable("the index", "\(name) of \(table.name)", $0) })
    let entries = sums.rows[index.table].entries
    guard found.entries == entries else {
      throw damaged(
        "the index \(name) has \(found.entries.grouped) entries for the \(entries.grouped) rows of \(table.name)"
      )
    }
    guard found == index.checksum else {
      throw damaged("the index \(name) has entries that do not match the rows of \(table.name)")
    }
  }

  private func check(_ reading: IndexReading, _ roots: [[UInt8]: Int]) throws(IngestError) {
    for ((index, root), stored) in zip(zip(sums.indexes, reading.roots), reading.found()) {
      try check(index, root == self.root(of: index, roots) ? stored : .failure(.damaged))
    }
  }

  private func root(of index: CollectedIndex, _ roots: [[UInt8]: Int]) -> Int {
    roots[Array(tables[index.table].indexName(index.place).utf8)] ?? 0
  }

  private func unreadable(_ kind: String, _ name: String, _ error: DatabaseError) -> IngestError {
    guard case .file(let error) = error else {
      return damaged("\(kind) \(name) has invalid or unsorted entries")
    }
    return damaged("\(kind) \(name) cannot be read: \(error.message)")
  }

  private func damaged(_ fault: String) -> IngestError { .damaged(path, fault) }

  /// The root pages of all indexes, by their names.
  ///
  /// Read once, since SQLite reads the whole schema for each connection.
  private func rootPages() throws(IngestError) -> [[UInt8]: Int] {
    let rows = try reading { connection throws(SQLiteError) in
      try connection.query("SELECT name, rootpage FROM main.sqlite_schema WHERE type = 'index'")
    }
    let roots = rows.map { (Array(($0[0].textValue ?? "").utf8), Int($0[1].integerValue ?? 0)) }
    return Dictionary(roots, uniquingKeysWith: { first, _ in first })
  }

  /// Checks that every foreign key has a parent.
  ///
  /// Looks up each distinct value once, far fewer than `PRAGMA foreign_key_check` for the same answer. The foreign keys of
  /// derived tables hold by the joins that fill them.
  private func checkForeignKeys() throws(IngestError) {
    let keys = schema.tables.enumerated().flatMap { place, table in
      sums.foreignKeys(of: table, at: place).map { (table.name, $0) }
    }
    let orphans = try reading { connection throws(SQLiteError) in
      try keys.map { table, key throws(SQLiteError) in
        try connection.orphan(of: key, in: table, schema)
      }
    }
    for ((table, key), orphan) in zip(keys, orphans) {
      guard let orphan else { continue }
      let columns = key.columns.joined(separator: ", ")
      let values = orphan.map(\.literal).joined(separator: ", ")
      throw .parentMissing(
        path,
        orphan.count == 1
          ? "\(table).\(columns) has the value \(values), which is not in \(key.table)"
          : "\(table) (\(columns)) has the values (\(values)), which are not in any row of \(key.table)"
      )
    }
  }

  private func checkSearch() throws(IngestError) {
    guard let search else { return }
    try mapError(as: { error in
      error.code == .corrupt
        ? damaged("the index of \(search.name) is damaged: it does not match the words of its rows")
        : IngestError(error, writing: path)
    }) { () throws(SQLiteError) in
      // To FTS5 a check is an insert, although it writes nothing.
      try asWriter { connection throws(SQLiteError) in try connection.checkSearch(search) }
    }
  }

  /// Checks the structure of the file, the types of all values, and the domains of columns, unless that is done apart.
  private func checkStructure() throws(IngestError) {
    let faults = try mapError(as: { IngestError($0, writing: path) }) { () throws(SQLiteError) in
      // Over a connection that only reads, SQLite ignores the checks of columns.
      try asWriter { connection throws(SQLiteError) in
        try connection.set(.ignoreCheckConstraints, to: checksDomainsApart)
        return try connection.faults(.structure)
      }
    }
    guard let fault = faults.first else { return }
    // SQLite does not name the row.
    if fault.hasPrefix("CHECK constraint failed") {
      try checkDomains(of: tables.map { CheckedRows(of: $0) })
    }
    throw damaged("the new file is damaged: \(fault)")
  }

  private func checkDomains(of tables: [CheckedRows]) throws(IngestError) {
    let fault = try reading { connection throws(SQLiteError) -> String? in
      for rows in tables {
        if let fault = try connection.valueFaults(in: rows, atMost: 1).first { return fault }
      }
      return nil
    }
    if let fault { throw damaged(fault) }
  }

  /// Reads the file over a connection that could write; with a lock, it would keep all others out.
  private func asWriter<Result>(
    _ body: (Connection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let connection = try Connection(withoutLocks: path)
    let result = try body(connection)
    try connection.close()
    return result
  }

  private func reading<Result>(
    _ body: (Connection) throws(SQLiteError) -> Result
  ) throws(IngestError) -> Result {
    try mapError(Connection.reading(path, body), as: { IngestError($0, writing: path) })
  }
}
