import CSV
import SQLiteSwiftly

/// What the values of a field were in the first records of a dump: enough to propose a column.
struct ColumnSample {
  /// The most records that are looked at.
  static let capacity = 250

  private var hasValues = false
  private(set) var hasEmptyFields = false
  private var areIntegers = true
  private var areBooleans = true
  /// The values, if they are kept.
  private(set) var values: [[UInt8]] = []

  /// The type that all values have; text if there is none.
  var type: ColumnDescription.DataType {
    guard hasValues else { return .text }
    // A column of 0 and 1 is an integer's, since only words are read as booleans.
    return areBooleans ? .boolean : areIntegers ? .integer : .text
  }

  /// Looks at one more value.
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
    where record.faults.isEmpty && record.fieldCount == count {
      for index in samples.indices {
        let field = batch.fields[record.firstField + index]
        samples[index].add(
          Int(field.start)..<Int(field.end), of: batch.bytes.span, keepingValues: keepingValues)
      }
    }
    return samples
  }
}
