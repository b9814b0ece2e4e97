package import Validation
package import Vocabulary
package import CSV
import Text

/// The rejected records of a run: all are counted and kept, and some are reported.
///
/// They are reported once the checksum of their file matches: a damaged file may contain records that were never in the
/// original.
package struct RejectLog: RejectSink, ~Copyable {
  package struct Count {
    /// The records with the code as their first reason.
    fileprivate var records = 0
    fileprivate var reasons = 0
  }

  /// The rejected records of each table, by code.
  package private(set) var counts: [[RecordCode: Count]]
  private let report: (Reject) -> Void
  /// The writer that keeps them; nil if they are not kept.
  package var writer: RejectsWriter?
  private var unreported: [Reject] = []
  private var messages: [TextBuffer] = []
  /// Whether the rejects of sound files are reported by `reportHeld`, if the types of columns may be widened.
  private let holdsBack: Bool
  private var held: [Reject] = []

  package init(
    tables: Int, writer: consuming RejectsWriter?, holdsBack: Bool,
    report: @escaping (Reject) -> Void
  ) {
    counts = [[RecordCode: Count]](repeating: [:], count: tables)
    self.writer = writer
    self.report = report
    self.holdsBack = holdsBack
  }

  package mutating func add(
    _ record: Record, _ faults: [RecordFault], table: Int, in batch: borrowing RecordBatch,
    _ reasons: ReasonWriter
  ) throws(IngestError) {
    var isReported = false
    for (place, fault) in faults.enumerated() {
      var count = counts[table][fault.code] ?? Count()
      count.reasons += 1
      if place == 0 {
        count.records += 1
        isReported = count.records <= IngestEvent.describedRejectsPerCode
      }
      counts[table][fault.code] = count
    }
    guard isReported || writer != nil else { return }
    reasons.write(&messages, of: faults, record, in: batch)
    if isReported { unreported.append(reasons.makeReject(faults, messages, record, in: batch)) }
    try writer?.keep(record, faults, messages, in: batch, reasons)
  }

  /// Ends a file of a table: reports its rejects if the file is sound, and otherwise discards them and restores the
  /// counts before the file.
  package mutating func endFile(
    ofTable table: Int, isSound: Bool, countsBefore: [RecordCode: Count]
  ) throws(IngestError) {
    let rejects = exchange(&unreported, with: [])
    if isSound {
      if holdsBack { held += rejects } else { rejects.forEach(report) }
    } else {
      counts[table] = countsBefore
      try writer?.discardTable()
    }
    try writer?.endSource()
  }

  package mutating func reportHeld() { exchange(&held, with: []).forEach(report) }

  /// Ends a table, and checks that all rejected bytes were kept.
  package mutating func end(_ counts: TableCounts) throws(IngestError) {
    let sources = counts.sources.filter { !$0.isRepairs }
    try writer?.endTable(rejected: sources.reduce(0) { $0 + $1.rejected.bytes })
  }

  package var records: [Int] { counts.map { $0.values.reduce(0) { $0 + $1.records } } }

  /// The rejected records of a table, by their first reason.
  package func recordsByCode(table: Int) -> [RecordCode: Int] {
    counts[table].mapValues(\.records).filter { $0.value > 0 }
  }

  package func reasonsByCode(table: Int) -> [RecordCode: Int] { counts[table].mapValues(\.reasons) }
}
