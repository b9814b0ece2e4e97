import Platform
package import SQLiteSwiftly
import Text

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
    return try mapError(comparison.finish(nulls: nulls), as: ComparisonError.old)
  }
}
