import Facts
import CSV
import SQLiteSwiftly
import Schema

/// What the values of a field were in the first records of a dump: enough to propose a column.
struct ColumnSample {
  static let capacity = 250

  private var hasValues = false
  private(set) var hasEmptyFields = false
  private var areIntegers = true
  private var areBooleans = true
  private(set) var values: [[UInt8]] = []

  /// The type that all values have; text if there is none.
  var type: ColumnDescription.DataType {
    guard hasValues else { return .text }
    // A column of 0 and 1 is an integer's, since only words are read as booleans.
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

  /// Samples each field of the records after those of the header, which are the first ones of the batch.
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

  /// A table of which no more is known than its header, the types of some of its columns, and its first records; its
  /// key has as many columns, from the first on, as tell these apart.
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
  /// How many columns, from the first on, are together different in all records; one if there is none
  /// to tell, and 0 if not even all of them are.
  fileprivate var uniqueColumns: Int {
    let records = first?.values.count ?? 0
    return indices.first { last in
      let keys = (0..<records).map { record in self[...last].map { $0.values[record] } }
      return Set(keys).count == records
    }.map { $0 + 1 } ?? 0
  }
}
