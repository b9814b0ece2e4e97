package import SQLiteFormat
package import Vocabulary
import SQLiteSwiftly
package import Schema
import Provenance

/// Compares two existing databases, row by row, by the tables and columns that both have.
///
/// Derived tables and provenance are skipped.
package struct DatabaseDiff {
  package let old: DatabaseFile
  package let new: DatabaseFile
  /// The tables of both, those of the new one first.
  package let tables: [TablePair]
  /// The views, indexes, triggers and other tables that only one database has.
  package let objects: [(object: SchemaObject, isInNew: Bool)]
  private let oldStored: StoredTables
  private let finished: FinishedTables

  package init(
    _ old: DatabaseFile, _ new: DatabaseFile, schema: SchemaDescription
  ) throws(IngestError) {
    let hasCopy = old.isCopy || new.isCopy
    // Different schema versions have different objects.
    let isMadeOnly = old.version != new.version
    let before = try old.reading { connection throws(SQLiteError) in
      try DatabaseContents(of: connection, schema, besides: schema.search)
    }
    let after = try new.reading { connection throws(SQLiteError) in
      try DatabaseContents(of: connection, schema, besides: schema.search)
    }
    let tables = TablePair.all(of: before.tables(of: schema), after.tables(of: schema))
    let compared = tables.map(\.name)
    objects = (hasCopy ? [] : [(after, before, true), (before, after, false)]).flatMap {
      own, others, isInNew in
      (isMadeOnly ? own.made.map(\.object) : own.objects)
        .besides(isMadeOnly ? others.made.map(\.object) : others.objects)
        .filter { !$0.name.hasNamePrefix(provenancePrefix) }
        .filter { $0.type != "table" || !compared.hasName($0.name) }
        .map { (object: $0, isInNew: isInNew) }
    }
    finished = FinishedTables(
      after.stored, in: new.descriptor, schema: schema, longestRow: DatabaseFile.longestValue)
    oldStored = before.stored
    self.tables = tables
    self.old = old
    self.new = new
  }

  package var notes: [String] {
    let versions =
      old.version == new.version
      ? []
      : [
        "the databases have schema versions \(old.version) and \(new.version), so only the tables and columns "
          + "in both are compared"
      ]
    let unknown = tables.filter { $0.isInOld && $0.isInNew && $0.key.isEmpty }
    let objects =
      old.isCopy || new.isCopy
      ? ["views, indexes and other objects are not compared with those of a server"] : []
    return versions + objects
      + unknown.map { "\($0.name) has different primary keys, so only its rows are counted" }
  }

  /// Calls `report`, in key order, for each key that is in one database only or has other values in the other.
  ///
  /// Takes one pass over both tables; memory does not grow with them.
  package func compare(
    _ table: TablePair, _ report: @escaping (RowChange) -> Void
  ) throws(IngestError) -> DatabaseChanges.Table {
    var reported = 0
    let counting = { (change: RowChange) in
      reported += 1
      report(change)
    }
    let pages =
      table.key.isEmpty
      ? nil
      : finished.differences(of: table.name, from: oldStored, in: old.descriptor, report: counting)
    guard pages != nil || reported == 0 else {
      throw IngestError(
        .data,
        "\(old.path) or \(new.path): the table \(table.name) is damaged: it has invalid or unsorted rows. Run "
          + "'ingest check' for details.")
    }
    return try mapError(as: {
      switch $0 {
      case .old(let error): IngestError(error, reading: old.path)
      case .new(let error): IngestError(error, reading: new.path)
      }
    }) { () throws(ComparisonError) in
      try old.limitingWork { () throws(ComparisonError) in
        try new.limitingWork { () throws(ComparisonError) in
          try table.change(
            from: old.connection, to: new.connection, foundInPages: pages, report: counting)
        }
      }
    }
  }
}
