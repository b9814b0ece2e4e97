package import SQLiteSwiftly

/// The rows of a query as SQLite would store them
/// (<https://www.sqlite.org/fileformat2.html#record_format>).
struct QueryRecords: ~Copyable, SortedRecords {
  static var damaged: SQLiteError { SQLiteError(.corrupt, "a row is not a valid record") }

  private let reader: RowReader
  /// Where the values begin, with room for their types before it.
  private let bodyStart: Int
  private(set) var bytes: ByteBuffer
  private(set) var record = 0..<0
  let rowid: Int64 = 0
  /// For each column, the rows so far in which it is NULL.
  private(set) var nulls: [Int]

  init(_ query: SQL, on connection: Connection) throws(SQLiteError) {
    reader = try RowReader(query, on: connection)
    // A serial type has five bytes at most, and so has the size of the header.
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

/// Which of two databases could not be read.
package enum ComparisonError: Error {
  case old(SQLiteError)
  case new(SQLiteError)
}

/// Reads one of two databases, which `side` names in what is thrown.
package func reading<Result: ~Copyable>(
  _ side: (SQLiteError) -> ComparisonError, _ body: () throws(SQLiteError) -> Result
) throws(ComparisonError) -> Result {
  do throws(SQLiteError) {
    return try body()
  } catch {
    throw side(error)
  }
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
  ///   - report: is told of every key that one side does not have, or that has other values there.
  /// - Returns: How many rows differ, and in what.
  /// - Throws: `ComparisonError` that says which side cannot be read.
  /// - Complexity: one pass over both results; memory does not grow with them.
  package func rowDifferences(
    of query: SQL, keyColumns: Int, from old: Connection, asked oldQuery: SQL? = nil,
    report: ((RowChange) -> Void)? = nil
  ) throws(ComparisonError) -> RowDifferences {
    var comparison = try reading(ComparisonError.old) { () throws(SQLiteError) in
      let rows = try QueryRecords(oldQuery ?? query, on: old)
      let columns = rows.nulls.count
      return try TableComparison(rows, columns: columns, keyColumns: keyColumns, report: report)
    }
    var rows = try reading(ComparisonError.new) { () throws(SQLiteError) in
      try QueryRecords(query, on: self)
    }
    while try reading(ComparisonError.new, { () throws(SQLiteError) in try rows.next() }) {
      try reading(ComparisonError.old) { () throws(SQLiteError) in try comparison.add(rows) }
    }
    let nulls = rows.nulls
    return try reading(ComparisonError.old) { () throws(SQLiteError) in
      try comparison.finish(nulls: nulls)
    }
  }
}
