import Facts
import Files
import Glibc
import SQLiteSwiftly

/// Compares a finished candidate with the catalogue that it is to replace, by what both have.
///
/// Neither file is changed, and nothing is left beside them.
struct CatalogComparison {
  /// The path of the new catalogue.
  let candidate: String
  /// The path of the one that it is to replace.
  let catalog: String
  let schema: SchemaDescription
  /// The seconds to wait for a program that has locked the one that is to be replaced.
  let timeout: Double
  /// Tells of such a program.
  var patience = Patience()
  /// The most bytes of a value that is compared, more than any has that a run has written.
  var longestValue = 16 << 20

  /// The older file and its tables, as long as nobody can write to it.
  private struct OldTables {
    let connection: Connection
    let descriptor: Int32
    let stored: StoredTables
  }

  /// Counts what differs.
  ///
  /// A catalogue that is damaged is no reason to keep it: then there is a notice, and nothing else.
  ///
  /// - Parameters:
  ///   - tables: those of the new catalogue, which are looked at meanwhile.
  ///   - recorder: is told of what is noticed.
  /// - Returns: What differs; nil if there is no catalogue, or if it cannot be made sense of.
  /// - Throws: `IngestError` if the new file cannot be read, or if the old one is locked or fails to be
  ///   read.
  /// - Complexity: one pass over both files, and no more is read of the old one than a file of its size
  ///   can hold; memory is that of two rows.
  func changes(
    _ tables: inout FinishedTables, _ recorder: RunRecorder
  ) throws(IngestError) -> CatalogChanges? {
    try telling(recorder) { size, descriptor throws(ComparisonError) in
      try compareTwice(size, descriptor, &tables)
    }
  }

  /// What a comparison finds: nil for what the new catalogue lacks if that is not known.
  typealias Found = (CatalogChanges, MissingObjects?, [Notice])

  /// Compares with a catalogue that is there, and tells what is worth knowing.
  func telling(
    _ recorder: RunRecorder,
    _ compare: (_ size: Int, _ descriptor: Int32) throws(ComparisonError) -> Found
  ) throws(IngestError) -> CatalogChanges? {
    let size: Int
    do throws(FileError) {
      guard let status = try status(of: catalog), status.st_size > 0 else { return nil }
      size = Int(status.st_size)
    } catch {
      throw IngestError(
        .of(error.code, otherwise: .output), "\(catalog): cannot be looked at: \(error.message).")
    }
    // A program's locks end when it closes a file: so this is opened before SQLite has any, and closed
    // after it (<https://www.sqlite.org/howtocorrupt.html>, 2.2).
    let descriptor = openFile(catalog, O_RDONLY)
    defer { if descriptor >= 0 { close(descriptor) } }
    do throws(ComparisonError) {
      let (changes, lost, notices) = try compare(size, descriptor)
      for notice in notices { recorder.record(.notice(notice)) }
      for notice in lost?.notices(of: catalog) ?? [] { recorder.record(.notice(notice)) }
      for notice in changes.nullIncreases(of: catalog) { recorder.record(.notice(notice)) }
      return changes
    } catch {
      switch error {
      case .new(let error): throw IngestError(error, writing: candidate)
      case .old(let error):
        recorder.record(.notice(try unreadable(error)))
        return nil
      }
    }
  }

  /// Compares, and once more if the catalogue seems to be damaged: SQLite says so, too, of a disk that
  /// has failed to read.
  private func compareTwice(
    _ size: Int, _ descriptor: Int32, _ tables: inout FinishedTables
  ) throws(ComparisonError) -> Found {
    do throws(ComparisonError) {
      return try compare(size, descriptor, &tables)
    } catch {
      guard case .old(let damage) = error, damage.code == .corrupt else { throw error }
      return try compare(size, descriptor, &tables)
    }
  }

  /// The notice of a catalogue that cannot be made sense of.
  ///
  /// - Throws: what is no fault of its contents.
  private func unreadable(_ error: SQLiteError) throws(IngestError) -> Notice {
    switch error.code {
    case .corrupt, .notADatabase, .error:
      try checkCanBeRead()
      return Notice(
        file: catalog, code: .catalogUnreadable,
        "the catalogue that is replaced cannot be read, so nothing is compared with it: "
          + "\(error.message) (\(error.extendedCode.name))")
    case .interrupted:
      return Notice(
        file: catalog, code: .catalogUnreadable,
        "the catalogue that is replaced cannot be read, so nothing is compared with it: there seems to "
          + "be more in it than a file of its size can hold")
    case .busy, .locked:
      throw IngestError(
        .locked,
        "\(catalog): another program has locked it, so nothing can be compared with it. Nothing was "
          + "published; try again when it is done, or wait for it with --wait SECONDS.")
    default:
      throw IngestError(
        .inputOutput,
        "\(catalog): the catalogue that is to be replaced cannot be read: \(error.message) "
          + "(\(error.extendedCode.name)). Nothing was published; check the disk.")
    }
  }

  /// Makes sure that the disk gives the bytes of the catalogue, whatever they are.
  private func checkCanBeRead() throws(IngestError) {
    do throws(FileError) {
      var file = try FileReader(path: catalog)
      var block = [UInt8](repeating: 0, count: 1 << 20)
      while true {
        var room = block.mutableSpan
        guard try file.read(into: &room) > 0 else { return }
      }
    } catch {
      throw IngestError(
        .of(error.code, otherwise: .output),
        "\(catalog): the catalogue that is to be replaced cannot be read: \(error.message). Nothing was "
          + "published; check the disk.")
    }
  }

  /// Opens the catalogue, to which nobody can write until the transaction ends that this begins, and waits for
  /// a program that has locked it.
  func openOld() throws(SQLiteError) -> Connection {
    var busy: SQLiteError?
    let opened = try patience.wait(
      for: timeout, { "\(catalog): waiting for another program that has locked it" }
    ) { () throws(SQLiteError) -> Connection? in
      do throws(SQLiteError) {
        let old = try Connection(catalog, opening: .readOnly, busyTimeout: .zero)
        try old.limitLength(to: longestValue)
        try old.beginTransaction()
        // The lock is taken with the first reading.
        _ = try old.value(of: "SELECT count(*) FROM main.sqlite_schema")
        return old
      } catch {
        guard [.busy, .locked].contains(error.code) else { throw error }
        busy = error
        return nil
      }
    }
    if let opened { return opened }
    throw busy ?? SQLiteError(.busy, "the catalogue is locked")
  }

  private func compare(
    _ size: Int, _ descriptor: Int32, _ tables: inout FinishedTables
  ) throws(ComparisonError) -> Found {
    let old = try asking(ComparisonError.old) { () throws(SQLiteError) in
      let old = try openOld()
      // Another file may have been put there before SQLite opened it; then SQLite alone reads.
      let isSame = (try? isStillThere(descriptor, at: catalog)) ?? false
      return OldTables(
        connection: old, descriptor: isSame ? descriptor : -1, stored: try StoredTables(of: old))
    }
    let new = try asking(ComparisonError.new) { () throws(SQLiteError) in
      try Connection(candidate, opening: .readOnly)
    }
    return try old.connection.limitingWork(to: WorkLimit(forFileOf: size)) {
      () throws(ComparisonError) in
      try compare(old.connection, new) { table, before, isCounted throws(ComparisonError) in
        try isCounted
          ? compareCounts(table, of: new, old.connection)
          : compare(table, of: new, before, of: old, &tables)
      }
    }
  }

  /// Compares what two databases have.
  ///
  /// - Parameters:
  ///   - old: the older one.
  ///   - new: the newer one.
  ///   - compareTable: compares a table of the newer one with the older one's, if that has it; the last
  ///     argument says that no values can be read of that.
  /// - Returns: what is found.
  /// - Throws: `ComparisonError` of the database that cannot be read.
  func compare(
    _ old: Connection, _ new: Connection,
    _ compareTable: (ComparedTable, ComparedTable?, _ isCounted: Bool) throws(ComparisonError)
      -> CatalogChanges.Table
  ) throws(ComparisonError) -> Found {
    let oldMade = try asking(ComparisonError.old) { () throws(SQLiteError) in
      try Provenance.objects(in: old)
    }
    let newMade = try asking(ComparisonError.new) { () throws(SQLiteError) in
      try Provenance.objects(in: new)
    }
    let made = (oldMade + newMade).map(\.object)
    let oldTables = try asking(ComparisonError.old) { () throws(SQLiteError) in
      try old.comparedTables(of: schema, besides: made)
    }
    let newTables = try asking(ComparisonError.new) { () throws(SQLiteError) in
      try new.comparedTables(of: schema, besides: made)
    }
    let oldObjects = try asking(ComparisonError.old) { () throws(SQLiteError) in
      try MissingObjects.objects(of: old, besides: search(of: old))
    }
    let newObjects = try asking(ComparisonError.new) { () throws(SQLiteError) in
      try MissingObjects.objects(of: new, besides: search(of: new))
    }
    let lost = MissingObjects(
      old: oldObjects, oldTables, new: newObjects, newTables, made: oldMade)
    var changes = CatalogChanges()
    var notices: [Notice] = []
    for table in newTables {
      let before = oldTables.first { haveSameBytes($0.name, table.name) }
      do throws(ComparisonError) {
        changes.tables.append(try compareTable(table, before, false))
      } catch {
        guard case .old(let failure) = error, failure.code == .tooBig else { throw error }
        changes.tables.append(try compareTable(table, before, true))
        notices.append(
          Notice(
            file: catalog, code: .catalogUnreadable,
            "\(table.name) has a value of more than \(longestValue.grouped) bytes in the catalogue that is "
              + "replaced, so only its rows are counted"))
      }
    }
    for table in oldTables
    where !newTables.contains(where: { haveSameBytes($0.name, table.name) }) {
      var change = CatalogChanges.Table(name: table.name)
      change.rowsBefore = try counts(of: table, [], on: old, ComparisonError.old)[0]
      changes.tables.append(change)
    }
    return (changes, lost, notices)
  }

  /// Compares no more than the numbers of rows, for which no value is read.
  private func compareCounts(
    _ table: ComparedTable, of new: Connection, _ old: Connection
  ) throws(ComparisonError) -> CatalogChanges.Table {
    var change = CatalogChanges.Table(name: table.name)
    change.rowsBefore = try counts(of: table, [], on: old, ComparisonError.old)[0]
    change.rowsAfter = try counts(of: table, [], on: new, ComparisonError.new)[0]
    return change
  }

  private func compare(
    _ table: ComparedTable, of new: Connection, _ oldTable: ComparedTable?, of old: OldTables,
    _ tables: inout FinishedTables
  ) throws(ComparisonError) -> CatalogChanges.Table {
    var change = CatalogChanges.Table(name: table.name)
    guard let oldTable else {
      change.rowsAfter = try counts(of: table, [], on: new, ComparisonError.new)[0]
      return change
    }
    let nullable = table.nullableColumns(with: oldTable)
    guard !table.key.isEmpty, table.hasSameKey(as: oldTable) else {
      let after = try counts(of: table, nullable, on: new, ComparisonError.new)
      let before = try counts(
        of: oldTable, nullable, on: old.connection, ComparisonError.old)
      (change.rowsBefore, change.rowsAfter) = (before[0], after[0])
      for (index, column) in nullable.enumerated() {
        change.nulls.append(
          .init(column: column, before: before[index + 1], after: after[index + 1]))
      }
      return change
    }
    let others = table.otherColumns(with: oldTable)
    let found: RowDifferences
    if let differences = tables.differences(
      of: table.name, from: old.stored, in: old.descriptor)
    {
      found = differences
    } else {
      found = try new.rowDifferences(
        of: rowsInOrder(of: table.name, key: table.key, others), keyColumns: table.key.count,
        from: old.connection)
    }
    (change.rowsBefore, change.rowsAfter) = (found.rowsBefore, found.rowsAfter)
    change.keys = .init(
      added: found.rowsAfter - found.commonKeys, removed: found.rowsBefore - found.commonKeys,
      changed: found.changedKeys)
    for (index, column) in others.enumerated() where nullable.contains(column) {
      change.nulls.append(
        .init(column: column, before: found.nullsBefore[index], after: found.nullsAfter[index]))
    }
    return change
  }

  /// The rows of a table, and those in which each of `columns` is NULL.
  func counts(
    of table: ComparedTable, _ columns: [String], on connection: Connection,
    _ failure: (SQLiteError) -> ComparisonError
  ) throws(ComparisonError) -> [Int] {
    let names = columns.map(quoted(identifier:))
    let counts = ["count(*)"] + names.map { "count(*) - count(\($0))" }
    // An index may have lost some of the rows. For the limit to work to be kept, each row must be a step
    // of its own: SQLite does not merge a query that has a limit, be it none, with the one around it.
    let rows =
      "SELECT \((["1"] + names).joined(separator: ", ")) FROM main.\(quoted(identifier: table.name)) "
      + "NOT INDEXED LIMIT -1"
    let query = SQL(generated: "SELECT \(counts.joined(separator: ", ")) FROM (\(rows))")
    return try asking(failure) { () throws(SQLiteError) in
      try connection.query(query)[0].map { Int($0.integerValue ?? 0) }
    }
  }

  func asking<Result: ~Copyable>(
    _ failure: (SQLiteError) -> ComparisonError, _ body: () throws(SQLiteError) -> Result
  ) throws(ComparisonError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      throw failure(error)
    }
  }

  /// The search of the schema if a catalogue has it: a run without is asked for by those who need none.
  private func search(of connection: Connection) throws(SQLiteError) -> SearchDescription? {
    guard let search = schema.search, try connection.hasSearch(search) else { return nil }
    return search
  }
}

extension WorkLimit {
  /// More than it takes to read a sound database of that many bytes.
  ///
  /// A row takes 6 bytes of a page at least, with the pointer to it
  /// (<https://www.sqlite.org/fileformat.html#b_tree_pages>), and a byte more for each value. To read and
  /// sort one takes some 30 steps and four for each value, and to find it by a key's index a page for each
  /// level of the tree. The first numbers are for the schema of a file that has no more than that.
  init(forFileOf bytes: Int) {
    self.init(steps: 1_000_000 + 10 * bytes, pages: 10_000 + bytes / 2)
  }
}
