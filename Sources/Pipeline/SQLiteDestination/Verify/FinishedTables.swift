package import Vocabulary
package import SQLiteFormat
import SQLiteSwiftly
package import Schema

/// The tables of a finished file, each of which is read once: alone, or along with the same table of an older file.
package final class FinishedTables {
  private let descriptor: Int32
  /// The tables and the derived tables.
  private let tables: [TableDescription]
  private let longestRow: Int
  private let stored: StoredTables
  private var looks: [TableScan?]

  /// Prepares to read the tables of the file at `path`, which is open for reading as `descriptor`.
  package convenience init(
    _ path: String, descriptor: Int32, schema: SchemaDescription, longestRow: Int
  ) throws(IngestError) {
    let stored = try mapError(
      Connection.reading(path) { connection throws(SQLiteError) in
        try StoredTables(of: connection)
      }, as: { IngestError($0, writing: path) })
    self.init(stored, in: descriptor, schema: schema, longestRow: longestRow)
  }

  package init(
    _ stored: StoredTables, in descriptor: Int32, schema: SchemaDescription, longestRow: Int
  ) {
    self.stored = stored
    self.descriptor = descriptor
    tables = schema.tables + schema.allDerivedTables
    self.longestRow = longestRow
    looks = [TableScan?](repeating: nil, count: tables.count)
  }

  /// The contents of the table at a position of the schema, which is read unless it was read before.
  package func look(at place: Int) throws(DatabaseError) -> TableScan {
    if let look = looks[place] { return look }
    return try look(at: place, beside: nil)
  }

  /// Reads a table along with the one of that name in an older file, which must not change meanwhile.
  ///
  /// `report` is called for each key that is in one of the two only or has other values in the other, up to the first
  /// unreadable entry.
  ///
  /// - Returns: The differences; nil if one of the two cannot be read, or was not created by the statement of the
  ///   description.
  package func differences(
    of name: String, from old: StoredTables, in oldDescriptor: Int32,
    report: ((RowChange) -> Void)? = nil
  ) -> RowDifferences? {
    guard let place = tables.firstIndex(where: { haveSameBytes($0.name, name) }),
      let definition = try? tables[place].creation.text,
      let root = old.root(of: name, createdBy: definition),
      stored.root(of: name, createdBy: definition) != nil
    else { return nil }
    let beside = StoredTable(in: oldDescriptor, root: root)
    return (try? look(at: place, beside: beside, report: report))?.differences
  }

  private func look(
    at place: Int, beside old: StoredTable?, report: ((RowChange) -> Void)? = nil
  ) throws(DatabaseError) -> TableScan {
    let table = tables[place]
    guard let root = stored.root(of: table.name) else { throw .damaged }
    let look = try TableScan(
      at: table, StoredTable(in: descriptor, root: root), beside: old, longestRow: longestRow,
      report: report)
    looks[place] = look
    return look
  }
}
