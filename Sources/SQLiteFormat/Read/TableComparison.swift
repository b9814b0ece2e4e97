package import SQLiteSwiftly
import Text

/// Compares the rows of an older table with those of a new one, both sorted by the same key.
///
/// Most rows are identical byte for byte, and their values are not read.
struct TableComparison<Records: SortedRecords & ~Copyable>: ~Copyable {
  private let keyColumns: Int
  private let hasRowids: Bool
  private var old: Records
  private var hasOld: Bool
  private var oldValues: RecordValues
  private var newValues: RecordValues
  /// The number of NULLs in rows that are not identical, for each value of a record.
  private var oldNulls: [Int]
  private var newNulls: [Int]
  private var differences: RowDifferences
  /// The values after the key, in order.
  private let others: [Int]
  private let report: ((RowChange) -> Void)?

  /// Begins with the first row of the older table.
  ///
  /// The rows are sorted by their first `keyColumns` values, or by the value of `rowidColumn`.
  /// `report` is called for each key that one table lacks, or whose values differ.
  init(
    _ old: consuming Records, columns: Int, keyColumns: Int, rowidColumn: Int? = nil,
    report: ((RowChange) -> Void)?
  ) throws(Records.Failure) {
    hasOld = try old.next()
    self.old = old
    self.keyColumns = keyColumns
    hasRowids = rowidColumn != nil
    oldValues = RecordValues(count: columns)
    newValues = oldValues
    oldNulls = [Int](repeating: 0, count: columns)
    newNulls = oldNulls
    others = (keyColumns..<columns).filter { $0 != rowidColumn }
    differences = RowDifferences(columns: others.count)
    self.report = report
  }

  /// Adds the next row of the new table.
  @inline(__always)
  mutating func add(_ new: borrowing Records) throws(Records.Failure) {
    differences.rowsAfter += 1
    if hasOld, old.rowid == new.rowid, new.bytes.areEqual(new.record, to: old.record, of: old.bytes)
    {
      differences.commonKeys += 1
      try nextOld()
    } else {
      try addOther(new)
    }
  }

  private mutating func nextOld() throws(Records.Failure) {
    differences.rowsBefore += 1
    hasOld = try old.next()
  }

  /// Adds a row that differs from the next older one.
  private mutating func addOther(_ new: borrowing Records) throws(Records.Failure) {
    guard newValues.find(in: new.record, of: new.bytes) else { throw Records.damaged }
    newValues.countNulls(in: &newNulls)
    while hasOld {
      guard oldValues.find(in: old.record, of: old.bytes) else { throw Records.damaged }
      let order = oldOrder(new)
      guard order <= 0 else { break }
      oldValues.countNulls(in: &oldNulls)
      if order == 0 {
        if differences.addCommon(oldValues, in: old.bytes, newValues, in: new.bytes, others) {
          report?(RowChange(.changed, key: oldKey, fields: changedFields(new)))
        }
        return try nextOld()
      }
      report?(RowChange(.removed, key: oldKey))
      try nextOld()
    }
    report?(RowChange(.added, key: key(of: newValues, in: new.bytes, rowid: new.rowid)))
  }

  private var oldKey: [SQLiteValue] { key(of: oldValues, in: old.bytes, rowid: old.rowid) }

  private func key(
    of values: RecordValues, in bytes: borrowing ByteBuffer, rowid: Int64
  ) -> [SQLiteValue] {
    if hasRowids { return [.integer(rowid)] }
    return (0..<keyColumns).map { values.value($0, in: bytes) }
  }

  /// The order of the older row's key relative to that of the new one.
  private func oldOrder(_ new: borrowing Records) -> Int {
    if hasRowids { return compare(old.rowid, new.rowid) }
    for index in 0..<keyColumns {
      let order = oldValues.order(index, in: old.bytes, newValues, in: new.bytes)
      if order != 0 { return order }
    }
    return 0
  }

  private func differs(_ index: Int, from new: borrowing Records) -> Bool {
    oldValues.order(index, in: old.bytes, newValues, in: new.bytes) != 0
  }

  private func changedFields(_ new: borrowing Records) -> [RowChange.Field] {
    var fields: [RowChange.Field] = []
    for (column, index) in others.enumerated() where differs(index, from: new) {
      let before = oldValues.value(index, in: old.bytes)
      let after = newValues.value(index, in: new.bytes)
      fields.append(RowChange.Field(column: column, before: before, after: after))
    }
    return fields
  }

  /// Ends with the remaining rows of the older table; `nulls` contains the number of NULLs in the
  /// new table for each value of a record.
  mutating func end(nulls: [Int]) throws(Records.Failure) -> RowDifferences {
    while hasOld {
      guard oldValues.find(in: old.record, of: old.bytes) else { throw Records.damaged }
      oldValues.countNulls(in: &oldNulls)
      report?(RowChange(.removed, key: oldKey))
      try nextOld()
    }
    differences.nullsAfter = others.map { nulls[$0] }
    differences.nullsBefore = others.map { nulls[$0] - newNulls[$0] + oldNulls[$0] }
    return differences
  }
}

/// Records in the order of their key.
protocol SortedRecords: ~Copyable {
  associatedtype Failure: Error

  static var damaged: Failure { get }
  var bytes: ByteBuffer { get }
  /// The position of the record, until the next call of `next()`.
  var record: Range<Int> { get }
  /// The rowid of the record, if they are sorted by it.
  var rowid: Int64 { get }

  /// Advances to the next record; false if there is none.
  mutating func next() throws(Failure) -> Bool
}

extension TreeCursor: SortedRecords {
  static var damaged: DatabaseError { .damaged }
}

/// The change of one key between two results that are sorted by it.
package struct RowChange: Equatable, Sendable {
  package enum Kind: String, Sendable {
    case added, removed, changed
  }

  package struct Field: Equatable, Sendable {
    /// The index of its column among those after the key.
    package let column: Int
    package let before: SQLiteValue
    package let after: SQLiteValue
  }

  package let kind: Kind
  package let key: [SQLiteValue]
  package let fields: [Field]

  package init(_ kind: Kind, key: [SQLiteValue], fields: [Field] = []) {
    self.kind = kind
    self.key = key
    self.fields = fields
  }
}

/// The differences between two results that are sorted by the same key.
package struct RowDifferences: Equatable, Sendable {
  package var rowsBefore = 0
  package var rowsAfter = 0
  package var commonKeys = 0
  package var changedKeys = 0
  /// The number of common keys with another value of each column after the key.
  package var changedValues: [Int]
  /// The number of NULLs of each column after the key.
  package var nullsBefore: [Int]
  package var nullsAfter: [Int]

  package init(columns: Int) {
    changedValues = [Int](repeating: 0, count: columns)
    nullsBefore = changedValues
    nullsAfter = changedValues
  }

  /// Adds a key of both results; true if a value of `columns`, those after the key, differs.
  @discardableResult
  mutating func addCommon(
    _ old: RecordValues, in oldBytes: borrowing ByteBuffer, _ new: RecordValues,
    in newBytes: borrowing ByteBuffer, _ columns: [Int]
  ) -> Bool {
    commonKeys += 1
    var isChanged = false
    for (column, index) in columns.enumerated()
    where old.order(index, in: oldBytes, new, in: newBytes) != 0 {
      changedValues[column] += 1
      isChanged = true
    }
    if isChanged { changedKeys += 1 }
    return isChanged
  }
}

/// The rows of a query in SQLite's record format (<https://www.sqlite.org/fileformat2.html#record_format>).
struct QueryRecords: ~Copyable, SortedRecords {
  static var damaged: SQLiteError { SQLiteError(.corrupt, "a row is not a valid record") }

  private let reader: RowReader
  /// The start of the values, with room for their types before it.
  private let bodyStart: Int
  private(set) var bytes: ByteBuffer
  private(set) var record = 0..<0
  let rowid: Int64 = 0
  /// For each column, the number of NULLs so far.
  private(set) var nulls: [Int]

  init(_ query: SQL, on connection: Connection) throws(SQLiteError) {
    reader = try RowReader(query, on: connection)
    // A serial type has at most five bytes, and so does the size of the header.
    bodyStart = 2 * 5 * (reader.columnCount + 1)
    bytes = ByteBuffer(count: bodyStart)
    nulls = [Int](repeating: 0, count: reader.columnCount)
  }

  mutating func next() throws(SQLiteError) -> Bool {
    guard try reader.next() else { return false }
    var (types, end) = (0, bodyStart)
    for column in nulls.indices {
      let type: Int
      bytes.grow(to: end + 8)
      switch unsafe reader.value(column) {
      case .null:
        type = RecordFormat.null
        nulls[column] += 1
      case .integer(let value):
        let count: Int
        (type, count) = RecordFormat.serialType(of: value)
        bytes.put(UInt64(bitPattern: value) << UInt64(64 - 8 * count), at: end)
        end += count
      case .real(let value):
        type = RecordFormat.real
        bytes.put(value.bitPattern, at: end)
        end += 8
      case .bytes(let value, let isText):
        type = RecordFormat.serialType(ofTextOf: value.count) - (isText ? 0 : 1)
        bytes.grow(to: end + value.count)
        unsafe bytes.copy(value, to: end)
        end += value.count
      }
      types = RecordFormat.put(varint: type, in: &bytes, at: types)
    }
    record = RecordFormat.addHeader(types: types, to: bodyStart..<end, in: &bytes)
    return true
  }
}

/// The database that could not be read.
package enum ComparisonError: Error {
  case old(SQLiteError)
  case new(SQLiteError)

  package var cause: SQLiteError {
    switch self {
    case .old(let error), .new(let error): error
    }
  }
}

extension Connection {
  /// Compares the rows of a query, or of another one in `old`, with those in this database.
  ///
  /// The queries have the key's columns first and are sorted by them, ascending and by bytes; keys
  /// are unique. `report` is called for each key that one side lacks, or whose values differ.
  ///
  /// Both results are read side by side, in memory that does not grow with them, which takes a
  /// quarter of the time of a join: SQLite would look up each row of one side in the other.
  package func rowDifferences(
    of query: SQL, keyColumns: Int, from old: Connection, asked oldQuery: SQL? = nil,
    report: ((RowChange) -> Void)? = nil
  ) throws(ComparisonError) -> RowDifferences {
    var comparison = try mapError(as: ComparisonError.old) { () throws(SQLiteError) in
      let rows = try QueryRecords(oldQuery ?? query, on: old)
      let columns = rows.nulls.count
      return try TableComparison(rows, columns: columns, keyColumns: keyColumns, report: report)
    }
    var rows = try mapError(QueryRecords(query, on: self), as: ComparisonError.new)
    while try mapError(rows.next(), as: ComparisonError.new) {
      try mapError(comparison.add(rows), as: ComparisonError.old)
    }
    let nulls = rows.nulls
    return try mapError(comparison.end(nulls: nulls), as: ComparisonError.old)
  }
}
