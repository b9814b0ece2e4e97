import Vocabulary
import Platform
import SQLiteFormat
package import SQLiteSwiftly
package import Schema

/// Checks the loaded rows on a helper's thread, while the rest of the file is written.
///
/// They are in the file already, and the verifier sees to it that the finished one has exactly these rows.
final class RowChecks: Sendable {
  private typealias Outcome = Monitor<Result<Void, IngestError>?>

  private let path: String
  private let descriptor: Int32
  private let schema: SchemaDescription
  let helper = Helper("checker")
  private let values = Monitor([Outcome]())
  private let references = Monitor([Outcome]())
  /// They stay open, since closing one would unlock the file of the connection that writes (fcntl(2)).
  private let connections = Monitor([LockedState<Connection>]())

  /// Checks rows of the file at `path`, which is open as `descriptor`.
  init(of path: String, descriptor: Int32, schema: SchemaDescription) {
    self.path = path
    self.descriptor = descriptor
    self.schema = schema
  }

  /// The number of connections to the file.
  var openConnections: Int { connections.with(\.count) }

  /// Begins to check that all values are in the domains of their columns, given the number of rows of each table.
  func checkValues(_ rows: [Int]) throws(SQLiteError) {
    let largest = rows.indices.max { rows[$0] < rows[$1] }
    // It takes longest, and what is urgent waits for it.
    for places in [rows.indices.filter { $0 != largest }, [largest].compactMap(\.self)] {
      let tables = places.map { schema.tables[$0] }
      try begin(values) { [path] connection throws(SQLiteError) in
        for table in tables {
          let fault = try connection.valueFaults(in: table, atMost: 1).first
          if let fault { return .damaged(path, fault) }
        }
        return nil
      }
    }
  }

  /// Begins to check that every foreign key has a parent; the indexes are in the file.
  ///
  /// Looks up each distinct value once, far fewer than `PRAGMA foreign_key_check` for the same answer. The foreign keys of
  /// derived tables hold by the joins that fill them.
  func checkReferences() throws(SQLiteError) {
    try begin(references) { [path, schema] connection throws(SQLiteError) in
      for table in schema.tables {
        for key in table.foreignKeys {
          let orphan = try connection.orphan(of: key, in: table.name, schema)
          if let orphan { return .parentMissing(path, key.absence(of: orphan, in: table.name)) }
        }
      }
      return nil
    }
  }

  /// The results of the checks of values, and of references, once the helper has finished.
  var results: (values: [Result<Void, IngestError>], references: [Result<Void, IngestError>]) {
    (
      values.with { $0.compactMap { $0.with(\.self) } },
      references.with { $0.compactMap { $0.with(\.self) } }
    )
  }

  /// Closes the connections once the helper has finished.
  func close() { connections.with { $0 = [] } }

  /// Begins a check over a connection that sees the file as it is now, to which nothing writes at the moment.
  private func begin(
    _ outcomes: Monitor<[Outcome]>,
    _ fault: @escaping @Sendable (Connection) throws(SQLiteError) -> IngestError?
  ) throws(SQLiteError) {
    // The writer may hold a lock.
    let connection = try Connection(withoutLocks: path)
    try CandidateFile.checkIsOpened(descriptor, by: openConnections + 2)
    try connection.set(.cacheSize, to: .kibibytes(Tuning.orderedCacheKibibytes))
    try connection.beginTransaction()
    _ = try connection.value(of: "SELECT count(*) FROM main.sqlite_schema")
    let (reader, outcome) = (LockedState(connection), Outcome(nil))
    connections.with { $0.append(reader) }
    outcomes.with { $0.append(outcome) }
    helper.add { [path] in
      let found = reader.withLock { connection in
        Result { () throws(SQLiteError) in try fault(connection) }
      }
      let result = Result { () throws(IngestError) in
        let fault = try mapError(found.get(), as: { IngestError($0, writing: path) })
        if let fault { throw fault }
      }
      outcome.with { $0 = result }
    }
  }
}

extension ForeignKeyDescription {
  fileprivate func absence(of values: [SQLiteValue], in child: String) -> String {
    let columns = columns.joined(separator: ", ")
    let words = values.map(\.literal).joined(separator: ", ")
    return values.count == 1
      ? "\(child).\(columns) has the value \(words), which is not in \(table)"
      : "\(child) (\(columns)) has the values (\(words)), which are not in any row of \(table)"
  }
}

extension Connection {
  /// The first values of a foreign key that its parent lacks; nil if there are none.
  package func orphan(
    of key: ForeignKeyDescription, in table: String, _ schema: SchemaDescription
  ) throws(SQLiteError) -> [SQLiteValue]? {
    // Each distinct value is looked up once. Keys that can be NULL or are not indexed are sorted instead.
    let isPrimary =
      schema.tables.contains {
        haveSameBytes($0.name, key.table) && haveSameBytes($0.primaryKey, key.keyColumns)
      } || schema.keyUnions.contains { haveSameBytes($0.name, key.table) }
    let query =
      isPrimary && key.columns.count == 1
      ? key.orphansByLookup(in: table) : key.orphans(in: table)
    return try self.query(SQL(generated: query.text + " LIMIT 1")).first
  }
}

extension ForeignKeyDescription {
  /// The query for the distinct values of its columns that its parent lacks.
  ///
  /// A key with a NULL column needs no parent.
  package func orphans(in table: String) -> SQL {
    let conditions = columns.map { "\(quoted(identifier: $0)) IS NOT NULL" }
    return SQL(
      generated: "SELECT \(list(columns)) FROM main.\(quoted(identifier: table)) "
        + "WHERE \(conditions.joined(separator: " AND ")) "
        + "EXCEPT SELECT \(list(keyColumns)) FROM main.\(quoted(identifier: self.table))")
  }

  /// The same for one column that refers to a primary key.
  fileprivate func orphansByLookup(in table: String) -> SQL {
    SQL(
      generated: "SELECT value FROM (SELECT DISTINCT \(list(columns)) AS value "
        + "FROM \(quoted(identifier: table))) WHERE value IS NOT NULL "
        + "AND value NOT IN (SELECT \(list(keyColumns)) FROM \(quoted(identifier: self.table)))")
  }

  private func list(_ columns: [String]) -> String {
    columns.map(quoted(identifier:)).joined(separator: ", ")
  }
}
