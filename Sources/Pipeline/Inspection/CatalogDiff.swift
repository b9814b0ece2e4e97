package import Facts
import DatabaseFile
package import SQLiteSwiftly

/// Compares two catalogues that are there, row by row.
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
  package let tables: [Table]
  /// What else only one of them has.
  package let objects: [OneSidedObject]
  private let schema: SchemaDescription
  private let oldStored: StoredTables
  private let newStored: StoredTables
  /// The most bytes of a value that is compared.
  private static let longestValue = 1 << 30

  /// A table of either catalogue.
  package struct Table: Equatable, Sendable {
    package let name: String
    /// The columns of the key; empty if the two do not have the same one, and rows cannot be told apart.
    package var key: [String] = []
    /// The columns after the key that both have.
    package var columns: [String] = []
    /// The columns that the new table does not have any more.
    package var removedColumns: [String] = []
    /// The columns that the old table does not have.
    package var addedColumns: [String] = []
    package var isInOld = false
    package var isInNew = false

    /// Whether anything differs: the table or one of its columns is in one catalogue alone, or rows are.
    package func isDifferent(_ found: Differences) -> Bool {
      guard isInOld, isInNew, removedColumns.isEmpty, addedColumns.isEmpty else { return true }
      return found.keys.map { $0 != CatalogChanges.Keys() } ?? (found.rowsBefore != found.rowsAfter)
    }
  }

  /// A view, an index, a trigger, or a table that is not compared, that only one catalogue has.
  package struct OneSidedObject: Equatable, Sendable {
    package let type: String
    package let name: String
    package let isInNew: Bool
  }

  /// What differs in a table.
  package struct Differences: Equatable, Sendable {
    /// The rows in the old catalogue; nil if it does not have the table.
    package var rowsBefore: Int?
    /// The rows in the new catalogue; nil if it does not have the table.
    package var rowsAfter: Int?
    /// The keys, new, gone, and there before and after with other values beside them; nil if they were not
    /// compared.
    package var keys: CatalogChanges.Keys?
    /// For each column after the key, the common keys that have another value there.
    package var changes: [Int] = []
  }

  /// Opens both catalogues.
  ///
  /// - Throws: `IngestError` if one is missing, cannot be read, or is no catalogue.
  package init(
    _ oldPath: String, _ newPath: String, schema: SchemaDescription
  ) throws(IngestError) {
    let old = try CatalogFile(oldPath, applicationID: schema.applicationID)
    let new = try CatalogFile(newPath, applicationID: schema.applicationID)
    let oldTables = try old.reading { connection throws(SQLiteError) in
      (try connection.comparedTables(of: schema, besides: []), try StoredTables(of: connection))
    }
    let newTables = try new.reading { connection throws(SQLiteError) in
      (try connection.comparedTables(of: schema, besides: []), try StoredTables(of: connection))
    }
    let tables = Self.pairs(oldTables.0, newTables.0)
    // Of two versions, one has what the other did not have yet.
    let isMadeOnly = old.version != new.version
    let objects = (
      try old.objects(besides: tables, of: schema, isMadeOnly: isMadeOnly),
      try new.objects(besides: tables, of: schema, isMadeOnly: isMadeOnly)
    )
    self.objects = Self.oneSided(objects.0, objects.1)
    self.tables = tables
    (oldStored, newStored) = (oldTables.1, newTables.1)
    self.old = old
    self.new = new
    self.schema = schema
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

  private static func pairs(_ old: [ComparedTable], _ new: [ComparedTable]) -> [Table] {
    let kept = new.map { table in
      let before = old.first { haveSameBytes($0.name, table.name) }
      var pair = Table(name: table.name, isInOld: before != nil, isInNew: true)
      guard let before else { return pair }
      pair.key = table.hasSameKey(as: before) ? table.key : []
      pair.columns = table.otherColumns(with: before)
      pair.removedColumns = before.columns(missingIn: table)
      pair.addedColumns = table.columns(missingIn: before)
      return pair
    }
    let gone = old.filter { table in !new.contains { haveSameBytes($0.name, table.name) } }
    return kept + gone.map { Table(name: $0.name, isInOld: true) }
  }

  private static func oneSided(
    _ old: [SchemaObject], _ new: [SchemaObject]
  ) -> [OneSidedObject] {
    func missing(_ objects: [SchemaObject], in others: [SchemaObject]) -> [SchemaObject] {
      objects.filter { object in
        !others.contains { haveSameBytes([$0.type, $0.name], [object.type, object.name]) }
      }
    }
    return missing(new, in: old).map { OneSidedObject(type: $0.type, name: $0.name, isInNew: true) }
      + missing(old, in: new).map { OneSidedObject(type: $0.type, name: $0.name, isInNew: false) }
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
    _ table: Table, _ report: @escaping (RowChange) -> Void
  ) throws(IngestError) -> Differences {
    guard table.isInOld, table.isInNew, !table.key.isEmpty else {
      return Differences(
        rowsBefore: table.isInOld ? try old.rows(of: table.name) : nil,
        rowsAfter: table.isInNew ? try new.rows(of: table.name) : nil)
    }
    var reported = 0
    var changes = [Int](repeating: 0, count: table.columns.count)
    let counting = { (change: RowChange) in
      reported += 1
      for field in change.fields { changes[field.column] += 1 }
      report(change)
    }
    let found: RowDifferences
    if let differences = pageDifferences(of: table, counting) {
      found = differences
    } else {
      guard reported == 0 else { throw damaged(table) }
      found = try rowDifferences(of: table, counting)
    }
    return Differences(
      rowsBefore: found.rowsBefore, rowsAfter: found.rowsAfter,
      keys: CatalogChanges.Keys(
        added: found.rowsAfter - found.commonKeys, removed: found.rowsBefore - found.commonKeys,
        changed: found.changedKeys),
      changes: changes)
  }

  /// Compares two tables page by page, without SQLite; nil if they are not for this way, or are damaged.
  private func pageDifferences(
    of table: Table, _ report: @escaping (RowChange) -> Void
  ) -> RowDifferences? {
    guard let description = schema.tables.first(where: { haveSameBytes($0.name, table.name) }),
      let definition = try? description.creation.text,
      let (oldRoot, newRoot) = oldStored.root(
        of: table.name, createdBy: definition
      ).flatMap({ old in
        newStored.root(of: table.name, createdBy: definition).map { (old, $0) }
      })
    else { return nil }
    let look = try? TableLook(
      at: description, StoredTable(in: new.descriptor, root: newRoot),
      beside: StoredTable(in: old.descriptor, root: oldRoot), longestRow: Self.longestValue,
      report: report)
    return look?.differences
  }

  /// Compares two tables as SQLite reads them.
  private func rowDifferences(
    of table: Table, _ report: @escaping (RowChange) -> Void
  ) throws(IngestError) -> RowDifferences {
    let query = table.rows
    do throws(ComparisonError) {
      return try old.limitingWork { () throws(ComparisonError) in
        try new.limitingWork { () throws(ComparisonError) in
          try new.connection.rowDifferences(
            of: query, keyColumns: table.key.count, from: old.connection, report: report)
        }
      }
    } catch {
      switch error {
      case .old(let error): throw IngestError(error, reading: old.path)
      case .new(let error): throw IngestError(error, reading: new.path)
      }
    }
  }

  private func damaged(_ table: Table) -> IngestError {
    IngestError(
      .data,
      "\(old.path) or \(new.path): the table \(table.name) is damaged: it has rows that are no records, "
        + "or in no order. 'ingest check' says more.")
  }
}

extension CatalogDiff.Table {
  /// The query for the key and the other columns of all rows, in the order of the key.
  fileprivate var rows: SQL { rowsInOrder(of: name, key: key, columns) }
}

extension CatalogFile {
  /// The tables, views, indexes and triggers of the catalogue, but for tables that are compared, its search, and
  /// what says where it came from.
  ///
  /// - Parameters:
  ///   - tables: those that are compared.
  ///   - schema: says what is the search.
  ///   - isMadeOnly: whether only what an operator's own SQL made is looked at.
  /// - Returns: Them, by type and name.
  /// - Throws: `IngestError` if the file cannot be read.
  fileprivate func objects(
    besides tables: [CatalogDiff.Table], of schema: SchemaDescription, isMadeOnly: Bool
  ) throws(IngestError) -> [SchemaObject] {
    let all = try reading { connection throws(SQLiteError) in
      try isMadeOnly
        ? Provenance.objects(in: connection).map(\.object)
        : MissingObjects.objects(of: connection, besides: schema.search)
    }
    let compared = tables.map(\.name)
    return all.filter { object in
      !object.name.hasPrefix(Provenance.prefix)
        && !(object.type == "table" && compared.hasName(object.name))
    }
  }
}
