package import Vocabulary
import SQLiteFormat
import Platform
import Glibc
package import SQLiteSwiftly
import Schema
import Provenance
import Text

/// Compares a new database with the previous one, by the tables and columns that both have.
///
/// Neither file is changed, and no file is left beside them.
package struct DatabaseComparison {
  let candidate: String
  let catalog: String
  let schema: SchemaDescription
  /// The seconds to wait for a program that has locked the previous database.
  let timeout: Double
  var patience = Patience()
  /// The maximum size of a compared value in bytes, more than that of any value written by a run.
  var longestValue = 16 << 20

  /// The definitions of tables and views are read even if the limit of records is smaller.
  private static let longestDefinition = 1 << 20

  /// Counts the differences, and reports warnings to `recorder`.
  ///
  /// A damaged previous database is replaced nevertheless: a warning reports it, and nothing is compared.
  ///
  /// - Complexity: one pass over both files, which reads no more of the previous one than a file of its size can hold;
  ///   memory for two rows.
  package func changes(
    _ tables: FinishedTables, _ recorder: RunRecorder
  ) throws(IngestError) -> DatabaseChanges? {
    try changes(of: .finished(tables), recorder)
  }

  enum NewDatabase {
    /// The database is built, and its tables are verified during the comparison.
    case finished(FinishedTables)
    /// In a dry run, rows were read for each table of the schema, and no database is built.
    case foreseen([ReadRows], IngestOptions)
  }

  /// The result of a comparison; `lost` is nil if it cannot be determined.
  private typealias Comparison = (
    changes: DatabaseChanges, lost: MissingObjects?, warnings: [Warning]
  )

  /// The differences; nil if there is no previous database, or if it cannot be read.
  func changes(
    of newDatabase: NewDatabase, _ recorder: RunRecorder
  ) throws(IngestError) -> DatabaseChanges? {
    guard let size = try previousSize() else { return nil }
    // Closing a file releases all locks of the process on it: so it is opened before SQLite locks it, and closed
    // afterwards (<https://www.sqlite.org/howtocorrupt.html>, 2.2).
    let descriptor = (try? openFile(catalog, O_RDONLY)) ?? -1
    defer { if descriptor >= 0 { close(descriptor) } }
    do throws(ComparisonError) {
      let comparison: Comparison
      do throws(ComparisonError) {
        comparison = try compare(size, descriptor, newDatabase)
      } catch {
        guard case .old(let failure) = error, Self.mayPass(failure) else { throw error }
        comparison = try compare(size, descriptor, newDatabase)
      }
      let lost = comparison.lost?.warnings(of: catalog) ?? []
      for warning in comparison.warnings + lost { recorder.record(.warning(warning)) }
      return comparison.changes
    } catch {
      switch error {
      case .new(let error): throw IngestError(error, writing: candidate)
      case .old(let error):
        recorder.record(.warning(try unreadable(error)))
        return nil
      }
    }
  }

  /// The size of the previous database in bytes; nil if there is none, or an empty file.
  private func previousSize() throws(IngestError) -> Int? {
    let status = try mapError(
      status(of: catalog), as: { .failed("cannot be checked:", catalog, $0, otherwise: .output) })
    return status.flatMap { $0.st_size > 0 ? Int($0.st_size) : nil }
  }

  /// The run that wrote the previous database; nil if there is none, or if it records no run.
  package func previousRun() throws(IngestError) -> PreviousRun? {
    guard let size = try previousSize() else { return nil }
    do throws(SQLiteError) {
      do throws(SQLiteError) {
        return try previousRun(ofFileOf: size)
      } catch {
        guard Self.mayPass(error) else { throw error }
        return try previousRun(ofFileOf: size)
      }
    } catch {
      return PreviousRun(unreadable: try unreadable(error))
    }
  }

  /// Whether an error that means damage may also have another cause: SQLite reports damage when the disk fails to read,
  /// and a lack of memory for some damaged pages.
  private static func mayPass(_ error: SQLiteError) -> Bool {
    [.corrupt, .outOfMemory].contains(error.code)
  }

  private func previousRun(ofFileOf size: Int) throws(SQLiteError) -> PreviousRun? {
    let old = try openOld()
    return try old.limitingWork(to: WorkLimit(forFileOf: size)) { () throws(SQLiteError) in
      // An older version of ingest had fewer columns.
      guard try Provenance.has(Provenance.sources, PreviousRun.columns, in: old) else { return nil }
      return PreviousRun(
        rows: try Provenance.texts(
          SQL(
            generated:
              "SELECT \(PreviousRun.columns.joined(separator: ", ")) FROM main.ingest_sources "
              + "WHERE NOT is_repaired"), in: old),
        history: try Provenance.history(in: old))
    }
  }

  /// The tables of the previous database that have most of these keys; empty if it cannot be read.
  package func previousTables(having keys: [ParentKey]) -> Set<String> {
    guard !keys.isEmpty, let size = try? previousSize(), size > 0, let old = try? openOld() else {
      return []
    }
    return keys.tables { key in
      let query: SQL = """
        SELECT count(*) FROM main.\(identifier: key.table)
        WHERE CAST(\(identifier: key.column) AS TEXT) = \(key.value)
        """
      let rows = try? old.limitingWork(to: WorkLimit(forFileOf: size)) {
        () throws(SQLiteError) -> SQLiteValue? in
        let table = try old.ordinaryTables(named: key.table).first
        guard let table, table.isStored else { return nil }
        return try old.value(of: query)
      }
      return (rows?.integerValue ?? 0) > 0
    }
  }

  /// The warning for an unreadable previous database; throws if its contents are not to blame.
  private func unreadable(_ error: SQLiteError) throws(IngestError) -> Warning {
    let reason: String
    switch error.code {
    case .corrupt, .notADatabase, .error, .outOfMemory, .tooBig:
      try checkCanBeRead()
      reason = "\(error.message) (\(error.extendedCode.name))"
    case .interrupted: reason = "it seems to contain more than a file of its size can hold"
    case .busy, .locked: throw .lockedForComparison(catalog)
    default:
      throw .previousUnreadable(catalog, "\(error.message) (\(error.extendedCode.name))")
    }
    return .previousUnreadable(catalog, reason)
  }

  private func checkCanBeRead() throws(IngestError) {
    guard let error = readFailure(ofFileAt: catalog) else { return }
    throw .previousUnreadable(catalog, error.message, kind: .of(error.code, otherwise: .output))
  }

  /// Opens the previous database in a transaction that locks out writers until it ends; waits for a program that has
  /// locked it.
  func openOld() throws(SQLiteError) -> Connection {
    var busy: SQLiteError?
    let opened = try patience.wait(
      for: timeout, { "\(catalog): waiting for another program to unlock it" }
    ) { () throws(SQLiteError) -> Connection? in
      do throws(SQLiteError) {
        try checkSchema()
        let old = try Connection(catalog, opening: .readOnly, busyTimeout: .zero)
        try old.distrustSchema(longestValue: max(longestValue, Self.longestDefinition))
        try old.lockOutWriters()
        return old
      } catch {
        guard [.busy, .locked].contains(error.code) else { throw error }
        busy = error
        return nil
      }
    }
    if let opened { return opened }
    throw busy ?? SQLiteError(.busy, "the database is locked")
  }

  private func checkSchema() throws(SQLiteError) {
    // SQLite reports why it cannot be opened.
    guard let descriptor = try? openFile(catalog, O_RDONLY) else { return }
    defer { close(descriptor) }
    // The log may have another schema than the file; a run does not replace such a database.
    if let log = try? status(of: catalog + "-wal"), log.st_size > 0 { throw .logBesideFile }
    try SchemaScan.check(descriptor)
  }

  private func compare(
    _ size: Int, _ descriptor: Int32, _ newDatabase: NewDatabase
  ) throws(ComparisonError) -> Comparison {
    let old = try mapError(openOld(), as: ComparisonError.old)
    // If the file was replaced before SQLite opened it, SQLite alone reads.
    let isSame = (try? isStillThere(descriptor, at: catalog)) ?? false
    let new = try mapError(as: ComparisonError.new) { () throws(SQLiteError) in
      switch newDatabase {
      case .finished: try Connection(candidate, opening: .readOnly)
      case .foreseen(_, let options): try emptyDatabase(withSearch: options.hasSearch)
      }
    }
    var comparison = try old.limitingWork(to: WorkLimit(forFileOf: size)) {
      () throws(ComparisonError) in
      try compare(old, new) { table, stored, onlyRows throws(ComparisonError) in
        switch newDatabase {
        case .finished(let tables):
          let pages =
            onlyRows || table.key.isEmpty
            ? nil
            : tables.differences(of: table.name, from: stored, in: isSame ? descriptor : -1)
          return try table.change(from: old, to: new, onlyRows: onlyRows, foundInPages: pages)
        case .foreseen(let read, _):
          return try foreseenChange(of: table, from: old, to: new, read, onlyRows: onlyRows)
        }
      }
    }
    if case .foreseen(_, let options) = newDatabase {
      comparison.changes.isForeseen = true
      // Custom SQL may make the missing objects.
      if !options.sqlFiles.isEmpty {
        comparison.changes.tables.removeAll { $0.rowsAfter == nil }
        comparison.lost = nil
      }
    }
    return comparison
  }

  /// Compares two databases; `change` compares a table, or only counts its rows if its values cannot be read.
  private func compare(
    _ old: Connection, _ new: Connection,
    _ change: (TablePair, StoredTables, _ onlyRows: Bool) throws(ComparisonError) ->
      DatabaseChanges.Table
  ) throws(ComparisonError) -> Comparison {
    let before = try mapError(as: ComparisonError.old) { () throws(SQLiteError) in
      let contents = try DatabaseContents(of: old, schema)
      try old.limitLength(to: longestValue)
      return contents
    }
    let after = try mapError(DatabaseContents(of: new, schema), as: ComparisonError.new)
    let made = (before.made + after.made).map(\.object)
    let tables = TablePair.all(
      of: before.tables(of: schema, besides: made), after.tables(of: schema, besides: made))
    let lost = MissingObjects(before.objects.besides(after.objects), made: before.made, tables)
    var changes = DatabaseChanges()
    var warnings: [Warning] = []
    for table in tables {
      do throws(ComparisonError) {
        changes.tables.append(try change(table, before.stored, false))
      } catch {
        guard table.isInNew, case .old(let failure) = error, failure.code == .tooBig else {
          throw error
        }
        changes.tables.append(try change(table, before.stored, true))
        warnings.append(.valueTooLong(catalog, table: table.name, limit: longestValue))
      }
    }
    return (changes, lost, warnings)
  }
}

extension WorkLimit {
  /// More work than it takes to read a sound database of that size.
  ///
  /// A row takes at least 6 bytes of a page, including the pointer to it
  /// (<https://www.sqlite.org/fileformat.html#b_tree_pages>), and one byte more for each value. To read and sort it takes
  /// some 30 steps and four for each value, and to find it by a key, one page for each level of the index. The constants
  /// are for the schema of an empty file.
  package init(forFileOf bytes: Int) {
    self.init(steps: 1_000_000 + 10 * bytes, pages: 10_000 + bytes / 2)
  }
}

extension DatabaseComparison {
  /// Counts the differences if the rows read for each table were loaded; keys can only be compared after a load.
  package func foreseenChanges(
    _ read: [ReadRows], in run: RunContext
  ) throws(IngestError) -> DatabaseChanges? {
    try changes(of: .foreseen(read, run.options), run.recorder)
  }

  func foreseenChange(
    of table: TablePair, from old: Connection, to new: Connection, _ read: [ReadRows],
    onlyRows: Bool
  ) throws(ComparisonError) -> DatabaseChanges.Table {
    var table = table
    table.key = []
    var change = try table.change(from: old, to: new, onlyRows: onlyRows)
    guard let place = schema.tables.firstIndex(where: { haveSameBytes($0.name, table.name) }),
      change.rowsAfter != nil
    else { return change }
    change.rowsAfter = read[place].rows
    for index in change.nulls.indices {
      let column = schema.tables[place].columnIndex(change.nulls[index].column)
      change.nulls[index].after = column.map { read[place].nulls[$0] } ?? 0
    }
    return change
  }

  /// A database with all objects of the schema, but without rows.
  func emptyDatabase(withSearch hasSearch: Bool) throws(SQLiteError) -> Connection {
    let connection = try Connection.inMemory()
    for table in schema.tables + schema.allDerivedTables + Provenance.tables {
      try connection.createTable(describedBy: table)
    }
    for view in schema.views { try connection.execute(view.creation) }
    if hasSearch, let search = schema.search, try connection.canSearch(search) {
      _ = try connection.createSearch(search)
    }
    return connection
  }
}

extension DatabaseComparison {
  package func sampled(_ tables: [TableDescription], asOf run: Int) -> [Baseline] {
    guard !tables.isEmpty, let size = try? previousSize(), size > 0, let old = try? openOld() else {
      return []
    }
    return tables.compactMap { table in
      try? old.limitingWork(to: WorkLimit(forFileOf: size)) { () throws(SQLiteError) -> Baseline? in
        let stored = try old.ordinaryTables(named: table.name).first { $0.isStored }
        let names = stored?.columns.map(\.name) ?? []
        let columns = table.columns.filter { names.hasName($0.name) }
        guard !columns.isEmpty, table.primaryKey.allSatisfy(names.hasName) else { return nil }
        var sampler = RowSampler(
          TableDescription(table.name, columns: columns, primaryKey: table.primaryKey))
        var counts = ReadRows(columns: columns.count)
        var batch = RowBatch(cells: 4096 + columns.count, textCapacity: 0)
        let list = columns.map { quoted(identifier: $0.name) }.joined(separator: ", ")
        try old.readBatches(
          of: SQL(generated: "SELECT \(list) FROM main.\(quoted(identifier: table.name))"),
          into: &batch
        ) { rows throws(SQLiteError) in
          sampler.add(rows)
          counts.add(rows)
        }
        return Baseline(
          table: table.name, run: run, dataTime: nil, rows: counts.rows, nulls: counts.nulls,
          sample: sampler.sample())
      }
    }
  }
}
