import Validation
import Facts
import CSV
import Files

/// A source file after the first pass: its columns, and its key if already determined.
struct SurveyedTable {
  let undescribed: UndescribedTable
  /// The identity of the file; every later pass must read the same file.
  let identity: FileIdentity?
  private(set) var records = 0
  private(set) var unreadable = 0
  private(set) var firstUnreadableLine = 0
  /// A conclusion for each field; that of a field without a name is not used.
  var columns: [ColumnConclusion] = []
  /// The positions of the key columns; empty for a table without a key.
  var key: [Int] = []
  var keyConfidence: Confidence?
  /// The hashes of the key's values, if it is a single column that may be referred to.
  var keyValues: IntegerKeySet?
  var doubts: [String] = []

  var name: String { undescribed.source.table }
  var words: NameWords { undescribed.words }

  /// Reads the file, and adds its records to the key candidates.
  init(
    _ undescribed: UndescribedTable, _ candidates: inout KeyCandidates, recordLimit: Int
  ) throws(IngestError) {
    self.undescribed = undescribed
    var scan = try SourceScan(
      undescribed.source, delimiter: undescribed.delimiter, recordLimit: recordLimit)
    identity = scan.identity
    var surveys = undescribed.columns.map { ColumnSurvey($0?.name ?? "") }
    let fieldCount = surveys.count
    var (sound, faulty, line) = (0, 0, 0)
    try scan.forEachBatch { batch, first throws(IngestError) in
      for record in batch.records[first...] {
        guard record.isSound(fieldCount: fieldCount) else {
          if faulty == 0 { line = record.line }
          faulty += 1
          continue
        }
        sound += 1
        for column in 0..<fieldCount {
          surveys[column].add(batch.place(column, of: record), of: batch.bytes.span)
        }
      }
      candidates.add(batch, from: first)
      return true
    }
    (records, unreadable, firstUnreadableLine) = (sound, faulty, line)
    columns = surveys.map { ColumnConclusion($0, records: sound) }
    addDoubts()
  }

  private mutating func addDoubts() {
    if unreadable > 0 {
      doubts.append(
        "\(unreadable.of("record")) cannot be read and were ignored, the first on line \(firstUnreadableLine)"
      )
    }
    for (place, column) in undescribed.columns.enumerated() where column == nil {
      doubts.append("field \(place + 1) has no name in the header and was skipped")
    }
  }

  func scan(recordLimit: Int) throws(IngestError) -> SourceScan {
    var scan = try SourceScan(
      undescribed.source, delimiter: undescribed.delimiter, recordLimit: recordLimit)
    try scan.check(identity)
    return scan
  }

  var singleKey: Int? { key.count == 1 ? key[0] : nil }

  var keyNames: [String] { key.map { columns[$0].name } }
}
