package import Facts
package import DatabaseFile
package import SQLiteSwiftly
package import Schema

/// The tables of a finished file, each of which is walked through once: alone, or beside the same table of an
/// older file.
package struct FinishedTables {
  /// The file, opened for reading.
  private let descriptor: Int32
  /// The tables, and those that are derived from them.
  private let tables: [TableDescription]
  /// The most bytes of a row.
  private let longestRow: Int
  private let stored: StoredTables
  /// What was found, as far as they were looked at.
  private var looks: [TableLook?]

  /// Prepares for the tables of the file at `path`.
  ///
  /// - Throws: `IngestError` if its schema cannot be read.
  package init(
    _ path: String, descriptor: Int32, schema: SchemaDescription, longestRow: Int
  ) throws(IngestError) {
    do throws(SQLiteError) {
      let connection = try Connection(
        path, opening: .readOnly, busyTimeout: CatalogWriter.busyTimeout)
      self.init(
        try StoredTables(of: connection), in: descriptor, schema: schema, longestRow: longestRow)
      try connection.close()
    } catch {
      throw IngestError(error, writing: path)
    }
  }

  /// Prepares for tables of a file that is open for reading.
  package init(
    _ stored: StoredTables, in descriptor: Int32, schema: SchemaDescription, longestRow: Int
  ) {
    self.stored = stored
    self.descriptor = descriptor
    tables = schema.tables + schema.allDerivedTables
    self.longestRow = longestRow
    looks = [TableLook?](repeating: nil, count: tables.count)
  }

  /// Looks at a table, unless that was done.
  ///
  /// - Parameter place: its place among the tables of the schema.
  /// - Returns: What was found.
  /// - Throws: `DatabaseError` if it cannot be read.
  package mutating func look(at place: Int) throws(DatabaseError) -> TableLook {
    if let look = looks[place] { return look }
    return try look(at: place, beside: nil)
  }

  /// Looks at a table beside the one of that name in an older file.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - old: the tables of the older file.
  ///   - oldDescriptor: that file, opened for reading, to which nobody writes meanwhile.
  ///   - report: is told of every key that one of the two does not have, or that has other values there, up to
  ///     where a table cannot be read.
  /// - Returns: What differs; nil unless the statement of its description created both, or if one of the two
  ///   cannot be read.
  package mutating func differences(
    of name: String, from old: StoredTables, in oldDescriptor: Int32,
    report: ((RowChange) -> Void)? = nil
  ) -> RowDifferences? {
    guard let place = tables.firstIndex(where: { haveSameBytes($0.name, name) }),
      let definition = try? tables[place].creation.text,
      let root = old.root(of: name, createdBy: definition),
      stored.root(of: name, createdBy: definition) != nil
    else { return nil }
    let look = try? look(
      at: place, beside: StoredTable(in: oldDescriptor, root: root), report: report)
    return look?.differences
  }

  private mutating func look(
    at place: Int, beside old: StoredTable?, report: ((RowChange) -> Void)? = nil
  ) throws(DatabaseError) -> TableLook {
    let table = tables[place]
    guard let root = stored.root(of: table.name) else { throw .damaged }
    let look = try TableLook(
      at: table, StoredTable(in: descriptor, root: root), beside: old, longestRow: longestRow,
      report: report)
    looks[place] = look
    return look
  }
}
