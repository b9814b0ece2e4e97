import Vocabulary
import CSV
import SQLiteSwiftly
import Schema

/// The values of a field in the first records of a source file, from which a column is proposed.
struct ColumnSample {
  static let capacity = 250

  private var hasValues = false
  private(set) var hasEmptyFields = false
  private var areIntegers = true
  private var areBooleans = true
  private(set) var values: [[UInt8]] = []

  /// The common type of all values; text if there is none.
  var type: ColumnDescription.DataType {
    guard hasValues else { return .text }
    // 0 and 1 are integers, since only words are read as booleans.
    return areBooleans ? .boolean : areIntegers ? .integer : .text
  }

  private mutating func add(_ place: Range<Int>, of bytes: Span<UInt8>, keepingValues: Bool) {
    if keepingValues { values.append(place.map { bytes[$0] }) }
    guard !place.isEmpty else {
      hasEmptyFields = true
      return
    }
    hasValues = true
    areIntegers = areIntegers && parseInteger(place, of: bytes).fault == nil
    areBooleans = areBooleans && parseBoolean(place, of: bytes) != nil
  }

  /// Samples each field of the records from index `first`; the header comes before them.
  static func samples(
    of batch: borrowing RecordBatch, from first: Int, keepingValues: Bool = false
  ) -> [ColumnSample] {
    guard let count = batch.records.first?.fieldCount else { return [] }
    var samples = [ColumnSample](repeating: ColumnSample(), count: count)
    for record in batch.records[first...].prefix(capacity)
    where record.isSound(fieldCount: count) {
      for index in samples.indices {
        samples[index].add(
          batch.place(index, of: record), of: batch.bytes.span, keepingValues: keepingValues)
      }
    }
    return samples
  }
}

extension DescriptionChange {
  static func column(
    _ name: String, ofTable table: String, _ sample: ColumnSample
  ) -> DescriptionChange {
    .column(ColumnDescription(name, sample.type, isNullable: true), ofTable: table)
  }

  /// A table proposed from its header, the known types of some columns, and its first records; its key is the shortest
  /// run of leading columns that is unique in them.
  static func table(
    _ name: String, file: String, columns: [(name: String, type: ColumnDescription.DataType?)],
    _ samples: [ColumnSample]
  ) -> DescriptionChange {
    let keyCount = samples.uniqueColumns
    let described = zip(columns, samples).enumerated().map { index, column in
      ColumnDescription(
        column.0.name, column.0.type ?? column.1.type,
        isNullable: column.1.hasEmptyFields && index >= keyCount)
    }
    let table = TableDescription(
      name, columns: described, primaryKey: described.prefix(keyCount).map(\.name))
    var source = SourceDescription(of: table)
    source.place = .files([file])
    source.fieldsMatch = .exact
    return .table(table, source)
  }
}

extension Array<ColumnSample> {
  /// The length of the shortest run of leading columns that is unique in all records; one without records, and 0 if not
  /// even all columns are unique.
  fileprivate var uniqueColumns: Int {
    let records = first?.values.count ?? 0
    return indices.first { last in
      let keys = (0..<records).map { record in self[...last].map { $0.values[record] } }
      return Set(keys).count == records
    }.map { $0 + 1 } ?? 0
  }
}
