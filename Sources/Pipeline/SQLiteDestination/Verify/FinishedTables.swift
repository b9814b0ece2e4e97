package import Facts
package import SQLiteFormat
package import SQLiteSwiftly
package import Schema

/// The tables of a finished file, each of which is walked through once: alone, or beside the same table of an
/// older file.
package final class FinishedTables {
  /// The file, opened for reading.
  private let descriptor: Int32
  /// The tables, and those that are derived from them.
  private let tables: [TableDescription]
  private let longestRow: Int
  private let stored: StoredTables
  /// What was found, as far as they were looked at.
  private var looks: [TableScan?]

  /// Prepares for the tables of the file at `path`, which is opened for reading as `descriptor`.
  package convenience init(
    _ path: String, descriptor: Int32, schema: SchemaDescription, longestRow: Int
  ) throws(IngestError) {
    let stored: StoredTables
    do throws(SQLiteError) {
      stored = try Connection.reading(path) { connection throws(SQLiteError) in
        try StoredTables(of: connection)
      }
    } catch {
      throw IngestError(error, writing: path)
    }
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

  /// What is found in the table at a place of the schema, which is looked at unless that was done.
  package func look(at place: Int) throws(DatabaseError) -> TableScan {
    if let look = looks[place] { return look }
    return try look(at: place, beside: nil)
  }

  /// Looks at a table beside the one of that name in an older file, to which nobody writes meanwhile.
  ///
  /// `report` is told of every key that one of the two does not have, or that has other values there, up to where
  /// a table cannot be read.
  ///
  /// - Returns: What differs; nil unless the statement of its description created both, or if one of the two
  ///   cannot be read.
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
