import SourceFiles
import Vocabulary
import CSV

/// Some records of a batch, few enough to stay in the first-level cache while they are checked column by column.
struct RecordChunk {
  static let capacity = 256

  private(set) var count = 0
  var faults = [TableValidator.Fault?](repeating: nil, count: capacity)
  /// The index of each record's first field in the batch.
  private(set) var firstFields = [Int](repeating: 0, count: capacity)
  private(set) var hasLineFeeds = false
  /// The tokens of values in composite keys: `capacity` numbers for each column.
  var tokens: [UInt64]

  var newText = NewText()
  /// The keys of the texts of the current column.
  var texts = [TextKeySet.Key](repeating: .init(), count: capacity)
  /// Their ordinals in the first parent set.
  var ordinals = [UInt64](repeating: 0, count: capacity)

  init(columns: Int) { tokens = [UInt64](repeating: 0, count: columns * Self.capacity) }

  /// Starts a new chunk, with the faults found by the parser.
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
