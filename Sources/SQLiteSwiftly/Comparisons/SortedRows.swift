import CSQLite
import Glibc

/// What differs between the rows of two results that are sorted by the same key.
package struct RowDifferences: Equatable, Sendable {
  /// The rows of the old result.
  package var rowsBefore = 0
  /// The rows of the new result.
  package var rowsAfter = 0
  /// The keys that both have.
  package var commonKeys = 0
  /// Those of them that have other values after them.
  package var changedKeys = 0
  /// For each column after the key, the rows of the old result in which it is NULL.
  package var nullsBefore: [Int]
  /// For each column after the key, the rows of the new result in which it is NULL.
  package var nullsAfter: [Int]

  package init(columns: Int) {
    nullsBefore = [Int](repeating: 0, count: columns)
    nullsAfter = nullsBefore
  }
}

/// Which of two databases could not be read.
package enum ComparisonError: Error {
  case old(SQLiteError)
  case new(SQLiteError)
}

extension Connection {
  /// Compares the rows that a query has in `old` with those that it has here.
  ///
  /// Both are walked through side by side, which takes a quarter of the time of a join: SQLite looks up
  /// each row of one side in the other, and nothing is looked up here.
  ///
  /// - Parameters:
  ///   - query: has the key's columns first and sorts by them, ascending and by bytes; no key comes twice.
  ///   - keyColumns: the columns of the key.
  ///   - old: another connection.
  ///   - oldQuery: what `old` is asked, with as many columns, sorted in the same way; nil is the same query.
  ///   - report: is told of every key that one side does not have, or that has other values there; nil if
  ///     they are only to be counted.
  /// - Returns: How many rows differ, and how many values are NULL.
  /// - Throws: `ComparisonError` of the side that cannot be read.
  /// - Complexity: one pass over both results; memory does not grow with them.
  package func rowDifferences(
    of query: SQL, keyColumns: Int, from old: Connection, asked oldQuery: SQL? = nil,
    report: ((RowChange) -> Void)? = nil
  ) throws(ComparisonError) -> RowDifferences {
    let before = try SortedRows(oldQuery ?? query, on: old, failure: ComparisonError.old)
    let after = try SortedRows(query, on: self, failure: ComparisonError.new)
    let otherColumns = keyColumns..<after.columns
    var result = RowDifferences(columns: otherColumns.count)
    var hasOld = try before.next()
    var hasNew = try after.next()
    while hasOld || hasNew {
      let order =
        hasOld && hasNew ? before.order(after, of: 0..<keyColumns) : hasOld ? -1 : 1
      if order == 0 {
        result.commonKeys += 1
        var isChanged = false
        for column in otherColumns {
          let (isNull, wasNull, areEqual) = after.compare(before, at: column)
          result.nullsAfter[column - keyColumns] += isNull ? 1 : 0
          result.nullsBefore[column - keyColumns] += wasNull ? 1 : 0
          isChanged = isChanged || !areEqual
        }
        result.changedKeys += isChanged ? 1 : 0
        if isChanged, let report { report(before.change(to: after, keyColumns: keyColumns)) }
      } else if order < 0 {
        before.countNulls(of: otherColumns, in: &result.nullsBefore)
        report?(RowChange(.removed, key: before.values(0..<keyColumns)))
      } else {
        after.countNulls(of: otherColumns, in: &result.nullsAfter)
        report?(RowChange(.added, key: after.values(0..<keyColumns)))
      }
      if order <= 0 {
        result.rowsBefore += 1
        hasOld = try before.next()
      }
      if order >= 0 {
        result.rowsAfter += 1
        hasNew = try after.next()
      }
    }
    return result
  }
}

/// The rows of a query on one side of a comparison.
private struct SortedRows {
  let statement: Statement
  let columns: Int
  private let failure: (SQLiteError) -> ComparisonError

  init(
    _ query: SQL, on connection: Connection, failure: @escaping (SQLiteError) -> ComparisonError
  ) throws(ComparisonError) {
    do throws(SQLiteError) {
      statement = try Statement(query.text, on: connection)
      try statement.start {}
    } catch {
      throw failure(error)
    }
    columns = statement.columnCount
    self.failure = failure
  }

  /// Goes on to the next row, if there is one.
  func next() throws(ComparisonError) -> Bool {
    do throws(SQLiteError) {
      return try statement.step()
    } catch {
      throw failure(error)
    }
  }

  /// The value of a column, until the next step.
  ///
  /// Values of result columns may be looked into like any other since no connection of this library is
  /// used by two threads at a time (<https://www.sqlite.org/c3ref/value.html>). That takes a fifth less
  /// time than by way of the columns.
  @inline(__always)
  private func value(_ column: Int) -> OpaquePointer? {
    unsafe sqlite3_column_value(statement.handle, Int32(truncatingIfNeeded: column))
  }

  /// How the row is sorted against that of `other`: less than, equal to or greater than 0.
  func order(_ other: SortedRows, of columns: Range<Int>) -> Int {
    for column in columns {
      let order = unsafe valueOrder(value(column), other.value(column))
      if order != 0 { return order }
    }
    return 0
  }

  /// Whether a column is NULL here, whether it is in `other`, and whether the values are equal.
  func compare(_ other: SortedRows, at column: Int) -> (Bool, Bool, Bool) {
    let (own, others) = unsafe (value(column), other.value(column))
    let isNull = unsafe sqlite3_value_type(own) == SQLITE_NULL
    let otherIsNull = unsafe sqlite3_value_type(others) == SQLITE_NULL
    let areEqual = unsafe isNull == otherIsNull && (isNull || valueOrder(own, others) == 0)
    return (isNull, otherIsNull, areEqual)
  }

  /// Copies of the values of some columns.
  func values(_ columns: Range<Int>) -> [SQLiteValue] {
    columns.map { unsafe copy(of: value($0)) }
  }

  /// In what the row differs from that of `other`, which has the same key.
  func change(to other: SortedRows, keyColumns: Int) -> RowChange {
    let fields = (keyColumns..<columns).filter { !compare(other, at: $0).2 }.map { column in
      unsafe RowChange.Field(
        column: column - keyColumns, before: copy(of: value(column)),
        after: copy(of: other.value(column)))
    }
    return RowChange(.changed, key: values(0..<keyColumns), fields: fields)
  }

  func countNulls(of columns: Range<Int>, in counts: inout [Int]) {
    for column in columns where unsafe sqlite3_value_type(value(column)) == SQLITE_NULL {
      counts[column - columns.lowerBound] += 1
    }
  }
}

/// A value of a result column as one that stays.
@unsafe private func copy(of value: OpaquePointer?) -> SQLiteValue {
  let type = unsafe sqlite3_value_type(value)
  switch type {
  case SQLITE_INTEGER: return .integer(unsafe sqlite3_value_int64(value))
  case SQLITE_FLOAT: return .real(unsafe sqlite3_value_double(value))
  case SQLITE_TEXT, SQLITE_BLOB:
    // The length is asked for first, at which SQLite makes UTF-8 of a text that is not.
    let count = Int(unsafe sqlite3_value_bytes(value))
    let bytes = unsafe UnsafeRawBufferPointer(start: sqlite3_value_blob(value), count: count)
    return type == SQLITE_TEXT
      ? .text(unsafe String(decoding: bytes, as: UTF8.self)) : .blob(unsafe Array(bytes))
  default: return .null
  }
}

/// How SQLite sorts two values without a collation
/// (<https://www.sqlite.org/datatype3.html#sort_order>).
@inline(__always)
@unsafe private func valueOrder(_ left: OpaquePointer?, _ right: OpaquePointer?) -> Int {
  let type = unsafe sqlite3_value_type(left)
  let rightType = unsafe sqlite3_value_type(right)
  switch (type, rightType) {
  case (SQLITE_INTEGER, SQLITE_INTEGER):
    let (left, right) = unsafe (sqlite3_value_int64(left), sqlite3_value_int64(right))
    return left < right ? -1 : left == right ? 0 : 1
  case (SQLITE_TEXT, SQLITE_TEXT), (SQLITE_BLOB, SQLITE_BLOB):
    let (count, rightCount) = unsafe (sqlite3_value_bytes(left), sqlite3_value_bytes(right))
    let common = min(count, rightCount)
    // Without bytes there may be no memory to look at.
    guard common > 0, let bytes = unsafe sqlite3_value_blob(left),
      let rightBytes = unsafe sqlite3_value_blob(right)
    else { return Int(count - rightCount) }
    let order = unsafe memcmp(bytes, rightBytes, Int(common))
    return order == 0 ? Int(count - rightCount) : Int(order)
  case (SQLITE_NULL, SQLITE_NULL): return 0
  case (SQLITE_INTEGER, SQLITE_FLOAT), (SQLITE_FLOAT, SQLITE_INTEGER),
    (SQLITE_FLOAT, SQLITE_FLOAT):
    let (left, right) = unsafe (sqlite3_value_double(left), sqlite3_value_double(right))
    return left < right ? -1 : left == right ? 0 : 1
  default: return sortPlace(ofType: type) - sortPlace(ofType: rightType)
  }
}

private func sortPlace(ofType type: Int32) -> Int {
  switch type {
  case SQLITE_NULL: 0
  case SQLITE_INTEGER, SQLITE_FLOAT: 1
  case SQLITE_TEXT: 2
  default: 3
  }
}
