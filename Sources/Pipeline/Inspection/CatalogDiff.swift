package import SQLiteDestination
package import Facts
import DatabaseFile
package import SQLiteSwiftly
package import Schema

/// Compares two existing catalogues, row by row.
///
/// What follows from other tables, and what says where a catalogue came from, is left out. Two versions of the
/// schema are compared by the tables and columns that both have.
///
/// ```swift
/// let diff = try CatalogDiff("old.sqlite", "new.sqlite", schema: RebrickableCatalog.schema)
/// for table in diff.tables {
///   let differences = try diff.compare(table) { change in print(change.kind, change.key) }
/// }
/// ```
package struct CatalogDiff: ~Copyable {
  package let old: CatalogFile
  package let new: CatalogFile
  /// The tables of either, those of the new one first.
  package let tables: [TablePair]
  /// The views, the indexes, the triggers, and the tables that are not compared, that only one of them has.
  package let objects: [(object: SchemaObject, isInNew: Bool)]
  private let oldStored: StoredTables
  private let finished: FinishedTables
  /// The most bytes of a value that is compared.
  private static let longestValue = 1 << 30

  /// Opens both catalogues.
  ///
  /// - Throws: `IngestError` if one is missing, cannot be read, or is not a catalogue.
  package init(
    _ oldPath: String, _ newPath: String, schema: SchemaDescription
  ) throws(IngestError) {
    let old = try CatalogFile(oldPath, applicationID: schema.applicationID)
    let new = try CatalogFile(newPath, applicationID: schema.applicationID)
    // Of two versions, one has what the other did not have yet.
    let isMadeOnly = old.version != new.version
    let before = try old.contents(of: schema, isMadeOnly: isMadeOnly)
    let after = try new.contents(of: schema, isMadeOnly: isMadeOnly)
    let tables = TablePair.all(of: before.tables, after.tables)
    let compared = tables.map(\.name)
    objects = [(after, before, true), (before, after, false)].flatMap { own, others, isInNew in
      own.objects.besides(others.objects)
        .filter { $0.type != "table" || !compared.hasName($0.name) }
        .map { (object: $0, isInNew: isInNew) }
    }
    finished = FinishedTables(
      after.stored, in: new.descriptor, schema: schema, longestRow: Self.longestValue)
    oldStored = before.stored
    self.tables = tables
    self.old = old
    self.new = new
  }

  /// What must be known of the comparison, in sentences.
  package var notes: [String] {
    let versions =
      old.version == new.version
      ? []
      : [
        "the catalogues are of schema versions \(old.version) and \(new.version), and compared by the "
          + "tables and columns that both have"
      ]
    let unknown = tables.filter { $0.isInOld && $0.isInNew && $0.key.isEmpty }
    return versions
      + unknown.map {
        "\($0.name) does not have the same primary key in both, so only its rows are counted"
      }
  }

  /// Compares a table.
  ///
  /// - Parameters:
  ///   - table: one of `tables`.
  ///   - report: is told of every key that only one catalogue has, or that has other values in the other, in
  ///     the order of the key.
  /// - Returns: How much differs.
  /// - Throws: `IngestError` if a catalogue cannot be read.
  /// - Complexity: one pass over both tables; memory does not grow with them.
  package func compare(
    _ table: TablePair, _ report: @escaping (RowChange) -> Void
  ) throws(IngestError) -> CatalogChanges.Table {
    var reported = 0
    var changes = [Int](repeating: 0, count: table.columns.count)
    let counting = { (change: RowChange) in
      reported += 1
      for field in change.fields { changes[field.column] += 1 }
      report(change)
    }
    var finished = finished
    let pages =
      table.key.isEmpty
      ? nil
      : finished.differences(
        of: table.name, from: oldStored, in: old.descriptor, report: counting)
    guard pages != nil || reported == 0 else {
      throw IngestError(
        .data,
        "\(old.path) or \(new.path): the table \(table.name) is damaged: it has rows that are no records, "
          + "or in no order. 'ingest check' says more.")
    }
    let pair = DatabasePair(old: old.connection, new: new.connection)
    do throws(ComparisonError) {
      var change = try old.limitingWork { () throws(ComparisonError) in
        try new.limitingWork { () throws(ComparisonError) in
          try pair.change(
            of: table, onlyRows: table.key.isEmpty, foundInPages: pages, report: counting)
        }
      }
      change.changes = change.keys == nil ? [] : changes
      return change
    } catch {
      switch error {
      case .old(let error): throw IngestError(error, reading: old.path)
      case .new(let error): throw IngestError(error, reading: new.path)
      }
    }
  }
}

extension CatalogFile {
  /// What is compared of a catalogue: its tables, and its objects but for its search and what says where it came
  /// from.
  ///
  /// - Parameters:
  ///   - schema: says what is the search.
  ///   - isMadeOnly: whether only the objects that an operator's own SQL made are looked at.
  /// - Returns: Them, by type and name.
  /// - Throws: `IngestError` if the file cannot be read.
  fileprivate func contents(
    of schema: SchemaDescription, isMadeOnly: Bool
  ) throws(IngestError) -> (
    tables: [StoredColumns], stored: StoredTables, objects: [SchemaObject]
  ) {
    try reading { connection throws(SQLiteError) in
      let objects =
        try isMadeOnly
        ? Provenance.objects(in: connection).map(\.object)
        : connection.objects(besides: schema.search)
      return (
        try connection.comparedTables(of: schema), try StoredTables(of: connection),
        objects.filter { !$0.name.hasPrefix(Provenance.prefix) }
      )
    }
  }
}
