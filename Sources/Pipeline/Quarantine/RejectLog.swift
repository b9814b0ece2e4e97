package import Validation
package import Vocabulary
package import CSV
import Text

/// The rejected records of a run: all are counted and kept, and some are reported.
///
/// They are reported once the checksum of their file matches: a damaged file may contain records that were never in the
/// original.
package struct RejectLog: RejectSink, ~Copyable {
  fileprivate struct Count {
    let code: RecordCode
    /// The records with it as their first reason.
    var records = 0
    var reasons = 0
  }

  /// The current file, with the counts of its table before it.
  package struct File: ~Copyable {
    fileprivate let table: Int
    fileprivate let counts: [Count]
  }

  /// Codes are few, so a linear search is faster than hashing.
  private var counts: [[Count]]
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
    counts = [[Count]](repeating: RecordCode.allCases.map { Count(code: $0) }, count: tables)
    self.writer = writer
    self.report = report
    self.holdsBack = holdsBack
  }

  package func beginFile(table: Int) -> File {
    File(table: table, counts: counts[table])
  }

  package mutating func add(
    _ record: Record, _ faults: [RecordFault], table: Int, in batch: borrowing RecordBatch,
    _ reasons: ReasonWriter
  ) throws(IngestError) {
    var isReported = false
    for (place, fault) in faults.enumerated() {
      for index in counts[table].indices where counts[table][index].code == fault.code {
        counts[table][index].reasons += 1
        guard place == 0 else { continue }
        counts[table][index].records += 1
        isReported = counts[table][index].records <= IngestEvent.describedRejectsPerCode
      }
    }
    guard isReported || writer != nil else { return }
    reasons.write(&messages, of: faults, record, in: batch)
    if isReported { unreported.append(reasons.makeReject(faults, messages, record, in: batch)) }
    try writer?.keep(record, faults, messages, in: batch, reasons)
  }

  /// Ends a file: reports its rejects if the file is sound, and otherwise discards them.
  package mutating func end(
    _ file: consuming File, isSound: Bool
  ) throws(IngestError) {
    let rejects = exchange(&unreported, with: [])
    if isSound {
      if holdsBack { held += rejects } else { rejects.forEach(report) }
    } else {
      counts[file.table] = file.counts
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

  /// Ends the run, as `RejectsWriter` does; returns the folder, nil if no rejected records are kept.
  package mutating func finish(
    _ tables: [TableCounts], isCutShort: Bool
  ) throws(IngestError) -> String? {
    try writer?.finish(tables, isCutShort: isCutShort)
  }

  package var records: [Int] { counts.map { $0.reduce(0) { $0 + $1.records } } }

  /// The rejected records of a table, by their first reason.
  package func recordsByCode(table: Int) -> [RecordCode: Int] { sums(table: table, \.records) }

  package func reasonsByCode(table: Int) -> [RecordCode: Int] { sums(table: table, \.reasons) }

  private func sums(table: Int, _ count: (Count) -> Int) -> [RecordCode: Int] {
    let some = counts[table].filter { count($0) > 0 }
    return Dictionary(uniqueKeysWithValues: some.map { ($0.code, count($0)) })
  }
}
