package import Facts
import SQLiteFormat
import Files
import Glibc
package import SQLiteSwiftly
package import Schema

/// Compares a finished candidate with the catalog that it is to replace, by what both have.
///
/// Neither file is changed, and nothing is left beside them.
package struct CatalogComparison {
  /// The path of the new catalog.
  let candidate: String
  /// The path of the one that it is to replace.
  let catalog: String
  let schema: SchemaDescription
  /// The seconds to wait for a program that has locked the one that is to be replaced.
  let timeout: Double
  let patience: Patience
  /// The most bytes of a value that is compared, more than any has that a run has written.
  let longestValue: Int

  /// Definitions of tables and views are read in any case, however short records are.
  private static let longestDefinition = 1 << 20

  package init(
    candidate: String, catalog: String, schema: SchemaDescription, timeout: Double,
    patience: Patience = Patience(), longestValue: Int = 16 << 20
  ) {
    self.candidate = candidate
    self.catalog = catalog
    self.schema = schema
    self.timeout = timeout
    self.patience = patience
    self.longestValue = longestValue
  }

  /// Counts what differs in a new catalog; `recorder` is told of what is noticed.
  ///
  /// A damaged old catalog is replaced all the same: a warning reports it, and nothing is compared.
  ///
  /// - Complexity: one pass over both files, and no more is read of the old one than a file of its size
  ///   can hold; memory is that of two rows.
  package func changes(
    _ tables: FinishedTables, _ recorder: RunRecorder
  ) throws(IngestError) -> CatalogChanges? {
    try changes(of: .finished(tables), recorder)
  }

  enum NewCatalog {
    /// It is built, and its tables are looked at meanwhile.
    case finished(FinishedTables)
    /// Rows were read for each table of the schema, and it is not built.
    case foreseen([ReadRows], IngestOptions)
  }

  /// What a comparison finds: nil for what the new catalog lacks if that is not known.
  private typealias Found = (changes: CatalogChanges, lost: MissingObjects?, warnings: [Warning])

  /// What differs; nil if there is no catalog, or if it cannot be made sense of.
  func changes(
    of newCatalog: NewCatalog, _ recorder: RunRecorder
  ) throws(IngestError) -> CatalogChanges? {
    guard let size = try previousSize() else { return nil }
    // A program's locks end when it closes a file: so this is opened before SQLite has any, and closed
    // after it (<https://www.sqlite.org/howtocorrupt.html>, 2.2).
    let descriptor = openFile(catalog, O_RDONLY)
    defer { if descriptor >= 0 { close(descriptor) } }
    do throws(ComparisonError) {
      let found: Found
      do throws(ComparisonError) {
        found = try compare(size, descriptor, newCatalog)
      } catch {
        // SQLite says so, too, of a disk that has failed to read.
        guard case .old(let damage) = error, damage.code == .corrupt else { throw error }
        found = try compare(size, descriptor, newCatalog)
      }
      let others =
        (found.lost?.warnings(of: catalog) ?? []) + found.changes.nullIncreases(of: catalog)
      for warning in found.warnings + others { recorder.record(.warning(warning)) }
      return found.changes
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
    do throws(FileError) {
      guard let status = try status(of: catalog), status.st_size > 0 else { return nil }
      return Int(status.st_size)
    } catch {
      throw IngestError(
        .of(error.code, otherwise: .output), "\(catalog): cannot be looked at: \(error.message).")
    }
  }

  /// What the previous database records of its run; nil if it cannot be read, of which `changes` warns.
  func previousRun() throws(IngestError) -> PreviousRun? {
    guard let size = try previousSize() else { return nil }
    do throws(SQLiteError) {
      let old = try openOld()
      return try old.limitingWork(to: WorkLimit(forFileOf: size)) { () throws(SQLiteError) in
        try Provenance.previousRun(in: old)
      }
    } catch {
      _ = try unreadable(error)
      return nil
    }
  }

  /// The warning of a catalog that cannot be made sense of; throws what is no fault of its contents.
  private func unreadable(_ error: SQLiteError) throws(IngestError) -> Warning {
    let reason: String
    switch error.code {
    case .corrupt, .notADatabase, .error:
      try checkCanBeRead()
      reason = "\(error.message) (\(error.extendedCode.name))"
    case .interrupted: reason = "there seems to be more in it than a file of its size can hold"
    case .busy, .locked:
      throw IngestError(
        .locked,
        "\(catalog): another program has locked it, so nothing can be compared with it. Nothing was "
          + "published; try again when it is done, or wait for it with --wait SECONDS.")
    default:
      throw IngestError(
        .inputOutput,
        "\(catalog): the catalog that is to be replaced cannot be read: \(error.message) "
          + "(\(error.extendedCode.name)). Nothing was published; check the disk.")
    }
    return Warning(
      file: catalog, code: .catalogUnreadable,
      "the catalog that is replaced cannot be read, so nothing is compared with it: \(reason)")
  }

  /// Makes sure that the disk gives the bytes of the catalog, whatever they are.
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
        "\(catalog): the catalog that is to be replaced cannot be read: \(error.message). Nothing was "
          + "published; check the disk.")
    }
  }

  /// Opens the catalog, to which nobody can write until the transaction ends that this begins, and waits for
  /// a program that has locked it.
  func openOld() throws(SQLiteError) -> Connection {
    var busy: SQLiteError?
    let opened = try patience.wait(
      for: timeout, { "\(catalog): waiting for another program that has locked it" }
    ) { () throws(SQLiteError) -> Connection? in
      do throws(SQLiteError) {
        let old = try Connection(catalog, opening: .readOnly, busyTimeout: .zero)
        try old.limitLength(to: max(longestValue, Self.longestDefinition))
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
    throw busy ?? SQLiteError(.busy, "the catalog is locked")
  }

  private func compare(
    _ size: Int, _ descriptor: Int32, _ newCatalog: NewCatalog
  ) throws(ComparisonError) -> Found {
    let old = try reading(ComparisonError.old) { () throws(SQLiteError) in try openOld() }
    // Another file may have been put there before SQLite opened it; then SQLite alone reads.
    let isSame = (try? isStillThere(descriptor, at: catalog)) ?? false
    let new = try reading(ComparisonError.new) { () throws(SQLiteError) in
      switch newCatalog {
      case .finished: try Connection(candidate, opening: .readOnly)
      case .foreseen(_, let options): try emptyCatalog(withSearch: options.hasSearch)
      }
    }
    var found = try old.limitingWork(to: WorkLimit(forFileOf: size)) { () throws(ComparisonError) in
      try compare(old, new) { table, stored, onlyRows throws(ComparisonError) in
        switch newCatalog {
        case .finished(let tables):
          let pages =
            onlyRows || table.key.isEmpty
            ? nil : tables.differences(of: table.name, from: stored, in: isSame ? descriptor : -1)
          return try table.change(from: old, to: new, onlyRows: onlyRows, foundInPages: pages)
        case .foreseen(let read, _):
          return try foreseenChange(of: table, from: old, to: new, read, onlyRows: onlyRows)
        }
      }
    }
    if case .foreseen(_, let options) = newCatalog {
      found.changes.isForeseen = true
      // The operator's own SQL may make what is not there yet.
      if !options.sqlFiles.isEmpty {
        found.changes.tables.removeAll { $0.rowsAfter == nil }
        found.lost = nil
      }
    }
    return found
  }

  /// Compares what two databases have; `change` compares a table, or only the rows of one whose values cannot
  /// be read.
  private func compare(
    _ old: Connection, _ new: Connection,
    _ change: (TablePair, StoredTables, _ onlyRows: Bool) throws(ComparisonError) ->
      CatalogChanges.Table
  ) throws(ComparisonError) -> Found {
    let before = try reading(ComparisonError.old) { () throws(SQLiteError) in
      let contents = try CatalogContents(of: old, schema)
      try old.limitLength(to: longestValue)
      return contents
    }
    let after = try reading(ComparisonError.new) { () throws(SQLiteError) in
      try CatalogContents(of: new, schema)
    }
    let made = (before.made + after.made).map(\.object)
    let tables = TablePair.all(
      of: before.tables(of: schema, besides: made), after.tables(of: schema, besides: made))
    let lost = MissingObjects(before.objects.besides(after.objects), made: before.made, tables)
    var changes = CatalogChanges()
    var warnings: [Warning] = []
    for table in tables {
      do throws(ComparisonError) {
        changes.tables.append(try change(table, before.stored, false))
      } catch {
        guard table.isInNew, case .old(let failure) = error, failure.code == .tooBig else {
          throw error
        }
        changes.tables.append(try change(table, before.stored, true))
        warnings.append(
          Warning(
            file: catalog, code: .catalogUnreadable,
            "\(table.name) has a value of more than \(longestValue.grouped) bytes in the catalog that is "
              + "replaced, so only its rows are counted"))
      }
    }
    return (changes, lost, warnings)
  }
}

extension WorkLimit {
  /// More than it takes to read a sound database of that many bytes.
  ///
  /// A row takes 6 bytes of a page at least, with the pointer to it
  /// (<https://www.sqlite.org/fileformat.html#b_tree_pages>), and a byte more for each value. To read and
  /// sort one takes some 30 steps and four for each value, and to find it by a key's index a page for each
  /// level of the tree. The first numbers are for the schema of a file that has no more than that.
  package init(forFileOf bytes: Int) {
    self.init(steps: 1_000_000 + 10 * bytes, pages: 10_000 + bytes / 2)
  }
}
