import SourceFiles
import Facts
import CSV

/// Some records of a batch on their way through the checks, and what is noted of them.
///
/// They are checked column by column, and are few enough for all of it to stay in the processor's
/// first-level cache.
struct RecordChunk {
  static let capacity = 256

  private(set) var count = 0
  var faults = [TableValidator.Fault?](repeating: nil, count: capacity)
  /// Where each record's fields begin among those of the batch.
  private(set) var firstFields = [Int](repeating: 0, count: capacity)
  private(set) var hasLineFeeds = false
  /// What stands for the values of a column in a key: `capacity` numbers for each column.
  var tokens: [UInt64]

  /// The texts of the column that is being read which are not stored as they are written.
  var newText = NewText()
  /// The texts of the column that is being looked up.
  var texts = [TextKeySet.Key](repeating: .init(), count: capacity)
  /// Their ordinals in the set that is looked into first.
  var ordinals = [UInt64](repeating: 0, count: capacity)

  init(columns: Int) {
    tokens = [UInt64](repeating: 0, count: columns * Self.capacity)
  }

  /// Begins with other records, and notes the faults that the parser found.
  mutating func begin(_ records: Span<Record>, fieldCount: Int, _ rules: [ColumnRule]) {
    count = records.count
    hasLineFeeds = false
    for index in 0..<count {
      let record = records[index]
      firstFields[index] = record.firstField
      hasLineFeeds = hasLineFeeds || record.innerLineFeeds > 0
      if record.faults.isEmpty, record.fieldCount == fieldCount {
        faults[index] = nil
      } else if record.faults.isEmpty {
        faults[index] = TableValidator.Fault(code: .wrongFieldCount)
      } else {
        faults[index] = TableValidator.Fault(
          code: RecordCode(record.firstFault), column: rules.column(ofField: record.faultField))
      }
    }
  }
}
