package import Vocabulary
package import SQLiteFormat
package import SQLiteSwiftly
package import Schema

/// The tables of a finished file, each of which is read once: alone, or along with the same table of an older file.
package final class FinishedTables {
  private let descriptor: Int32
  /// The tables and the derived tables.
  private let tables: [TableDescription]
  private let longestRow: Int
  private let stored: StoredTables
  private var scans: [TableScan?]

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
    scans = [TableScan?](repeating: nil, count: tables.count)
  }

  /// The contents of the table at a position of the schema, which is read unless it was read before.
  package func scan(at index: Int) throws(DatabaseError) -> TableScan {
    if let scan = scans[index] { return scan }
    return try scan(at: index, beside: nil)
  }

  /// Reads a table along with the one of that name in an older file, which must not change meanwhile.
  ///
  /// `report` is called, in key order, for each key that is in one of the two only or has other values in the other, up to
  /// the first unreadable entry.
  ///
  /// - Returns: The differences; nil if one of the two cannot be read, or was not created by the statement of the
  ///   description; also if both are sorted by another key, and too many rows are elsewhere or there is a `report`.
  package func differences(
    of name: String, from old: StoredTables, in oldDescriptor: Int32,
    report: ((RowChange) -> Void)? = nil
  ) -> RowDifferences? {
    guard let index = tables.firstIndex(where: { haveSameBytes($0.name, name) }),
      let definition = try? tables[index].creation.text,
      let root = old.root(of: name, createdBy: definition),
      stored.root(of: name, createdBy: definition) != nil
    else { return nil }
    let beside = (descriptor: oldDescriptor, root: root)
    return (try? scan(at: index, beside: beside, report: report))?.differences
  }

  private func scan(
    at index: Int, beside old: StoredTable?, report: ((RowChange) -> Void)? = nil
  ) throws(DatabaseError) -> TableScan {
    let table = tables[index]
    guard let root = stored.root(of: table.name) else { throw .damaged }
    let scan = try TableScan(
      at: table, (descriptor: descriptor, root: root), beside: old, longestRow: longestRow,
      report: report)
    scans[index] = scan
    return scan
  }
}

package struct StoredTables {
  private let tables: [(name: String, root: Int, definition: String)]

  package init(of connection: Connection) throws(SQLiteError) {
    tables = try connection.query(
      "SELECT name, rootpage, sql FROM main.sqlite_schema WHERE type = 'table'"
    ).map { row in
      (row[0].textValue ?? "", Int(row[1].integerValue ?? 0), row[2].textValue ?? "")
    }
  }

  /// The root page of a table; nil if there is none of that name, or if another statement created it, so that its records
  /// may have other columns.
  package func root(of name: String, createdBy definition: String? = nil) -> Int? {
    guard let table = tables.first(where: { haveSameBytes($0.name, name) }) else { return nil }
    return haveSameBytes(table.definition, definition ?? table.definition) ? table.root : nil
  }
}

extension SQLiteError {
  static let logBesideFile = SQLiteError(
    .cannotOpen, "a write-ahead log is beside the file; remove it if it is not yours")
}

extension Connection {
  /// Begins a transaction in which no program can write to the file.
  ///
  /// It refuses a write-ahead log, which another user can place beside the file, also after that was checked by its name.
  func lockOutWriters() throws(SQLiteError) {
    try beginTransaction()
    // The first read takes the lock.
    _ = try value(of: "SELECT count(*) FROM main.sqlite_schema")
    guard try value(of: "PRAGMA journal_mode")?.textValue == "wal" else { return }
    throw .logBesideFile
  }

  /// Reads a finished file over its own connection.
  package static func reading<Result>(
    _ path: String, _ body: (Connection) throws(SQLiteError) -> Result
  ) throws(SQLiteError) -> Result {
    let connection = try Connection(
      path, opening: .readOnly, busyTimeout: DatabaseWriter.busyTimeout)
    let result = try body(connection)
    try connection.close()
    return result
  }
}
