import SQLiteSwiftly

typealias Code = SQLiteError.ResultCode

extension Code {
  /// The failures for which `OR ROLLBACK` applies.
  static let conflicts: Set = [
    constraintCheck, constraintNotNull, constraintPrimaryKey, constraintUnique,
  ]

  /// Failures of statements before they acquire the lock for writing.
  static let early: Set = [error, busy, misuse, range, abortRollback]
}

/// The columns that a table of the test has at a moment: `id`, `key`, `count` and perhaps `more`.
struct TableShape: Hashable, CaseIterable {
  var countIsNumber = false
  var hasMore = false

  static let allCases = [false, true].flatMap { number in
    [false, true].map { TableShape(countIsNumber: number, hasMore: $0) }
  }

  /// The name of the third column.
  var countName: String { countIsNumber ? "number" : "count" }
  var columns: [String] { ["id", "key", countName] + (hasMore ? ["more"] : []) }

  func description(_ table: String) -> TableDescription {
    TableDescription(
      table,
      columns: [
        ColumnDescription("id", .integer), ColumnDescription("key", .text, isNullable: true),
        ColumnDescription(countName, .integer, domain: .within(0...9)),
      ] + (hasMore ? [ColumnDescription("more", .text, isNullable: true)] : []),
      primaryKey: ["id"], uniqueKeys: [["key"]])
  }
}

/// The expected contents of a table.
struct TableModel: Equatable {
  var shape = TableShape()
  /// The rows by their ids, with the columns in the order of the table.
  var rows: [Int64: [SQLiteValue]] = [:]

  /// The rows whose id is not below a bound, in the order of the ids.
  func rows(from id: Int64) -> [[SQLiteValue]] {
    rows.filter { $0.key >= id }.sorted { $0.key < $1.key }.map(\.value)
  }

  /// Inserts a row with the columns `id`, `key` and the counter, unless it is invalid.
  ///
  /// - Returns: The reasons why it is invalid; SQLite reports one of these.
  mutating func insert(_ values: [SQLiteValue]) -> Set<Code> {
    var failures = failures(ofKey: values[1], exceptIn: nil).union(failures(ofCount: values[2]))
    var id = (rows.keys.max() ?? 0) + 1
    switch values[0] {
    case .null: break
    case .integer(let value):
      id = value
      if rows[id] != nil { failures.insert(Code.constraintPrimaryKey) }
    default: failures.insert(Code.mismatch)
    }
    guard failures.isEmpty else { return failures }
    rows[id] = [.integer(id), values[1], values[2]] + (shape.hasMore ? [.null] : [])
    return []
  }

  func failures(ofKey key: SQLiteValue, exceptIn id: Int64?) -> Set<Code> {
    switch key {
    case .null: []
    case .text: rows.contains { $0.key != id && $0.value[1] == key } ? [Code.constraintUnique] : []
    default: [Code.constraintDataType]
    }
  }

  func failures(ofCount count: SQLiteValue) -> Set<Code> {
    switch count {
    case .null: [Code.constraintNotNull]
    case .integer(0...9): []
    case .integer: [Code.constraintCheck]
    default: [Code.constraintCheck, Code.constraintDataType]
    }
  }
}

/// The expected contents of a database.
typealias DatabaseModel = [String: TableModel]

/// A change of a table's rows, by one statement.
enum Change {
  /// Inserts rows with the columns `id`, `key` and that of the count.
  case insert([[SQLiteValue]])
  /// Sets the count of the row with an id.
  case setCount(SQLiteValue, id: Int64)
  /// Sets the key of all rows from an id on.
  case setKey(SQLiteValue, from: Int64)
  /// Deletes the rows from an id on.
  case delete(from: Int64)

  /// Whether it inserts several rows.
  var hasManyRows: Bool { if case .insert(let rows) = self { rows.count > 1 } else { false } }
}

/// The effect of a change.
struct ChangeResult {
  /// SQLite reports one of these, and nothing is changed; no failure if it is empty.
  var failures: Set<Code> = []
  /// The table after it.
  var table: TableModel
  /// The rows that were changed.
  var changes = 0
  var lastRowID: Int64?
}

extension TableModel {
  /// The result of a change.
  func result(of change: Change) -> ChangeResult {
    var result = ChangeResult(table: self)
    switch change {
    case .insert(let rows):
      for row in rows {
        let before = Set(result.table.rows.keys)
        result.failures.formUnion(result.table.insert(row))
        result.lastRowID = Set(result.table.rows.keys).subtracting(before).first
      }
      result.changes = rows.count
    case .setCount(let count, let id):
      guard rows[id] != nil else { break }
      result.failures = failures(ofCount: count)
      result.table.rows[id]?[2] = count
      result.changes = 1
    case .setKey(let key, let first):
      for id in rows.keys.sorted() where id >= first {
        result.failures.formUnion(result.table.failures(ofKey: key, exceptIn: id))
        result.table.rows[id]?[1] = key
        result.changes += 1
      }
    case .delete(let first):
      result.table.rows = rows.filter { $0.key < first }
      result.changes = rows.count - result.table.rows.count
    }
    if !result.failures.isEmpty { result.table = self }
    return result
  }
}
