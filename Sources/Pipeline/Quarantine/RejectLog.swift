package import Validation
package import Facts
package import CSV

/// The rejected records of a run: all are counted and kept, some are described.
///
/// What is found in a file is reported once it was read to its end and its checksum is right: a damaged
/// file may hold records that were never in the dump.
package struct RejectLog: RejectSink, ~Copyable {
  /// The rejected records of one table with one code.
  private struct Count {
    let code: RecordCode
    /// Those that have it as their first reason.
    var records = 0
    /// Those that have it among their reasons, as often as they do.
    var reasons = 0
  }

  /// For each table, the records that were rejected.
  package private(set) var records: [Int]
  /// The codes are few, so that a walk over them is faster than hashing.
  private var counts: [[Count]]
  private let report: (Reject) -> Void
  /// Where they are kept; nil if they are not.
  package var writer: RejectsWriter?

  /// What is not reported yet of the file that is being read.
  private var untold: [Reject] = []
  /// The records and counts of its table when it began.
  private var recordsBefore = 0
  private var countsBefore: [Count] = []

  package init(
    tables: Int, writer: consuming RejectsWriter?, report: @escaping (Reject) -> Void
  ) {
    records = [Int](repeating: 0, count: tables)
    counts = [[Count]](repeating: RecordCode.allCases.map { Count(code: $0) }, count: tables)
    self.writer = writer
    self.report = report
  }

  /// Counts a record of a table, keeps it, and describes it if few like it have been.
  ///
  /// `faults` are all that is wrong with it, the one that it is counted under first.
  package mutating func add(
    _ record: Record, _ faults: [RecordFault], table: Int, in batch: borrowing RecordBatch,
    _ reasons: ReasonWriter
  ) throws(IngestError) {
    records[table] += 1
    var isToldOf = false
    for (place, fault) in faults.enumerated() {
      for index in counts[table].indices where counts[table][index].code == fault.code {
        counts[table][index].reasons += 1
        guard place == 0 else { continue }
        counts[table][index].records += 1
        isToldOf = counts[table][index].records <= IngestEvent.describedRejectsPerCode
      }
    }
    if isToldOf { untold.append(reasons.makeReject(faults, record, in: batch)) }
    try writer?.keep(record, faults, in: batch, reasons)
  }

  /// Begins with a file of a table.
  package mutating func beginFile(table: Int) {
    recordsBefore = records[table]
    countsBefore = counts[table]
  }

  /// Reports what was found in the file, now that it is known to be sound.
  package mutating func tellFile() {
    untold.forEach(report)
    untold.removeAll()
  }

  /// Forgets what was found in the file, since it was damaged.
  package mutating func discardFile(table: Int) throws(IngestError) {
    untold.removeAll()
    records[table] = recordsBefore
    counts[table] = countsBefore
    try writer?.discardTable()
  }

  /// The rejected records of a table by their first reason.
  package func recordsByCode(table: Int) -> [RecordCode: Int] { sums(table: table, \.records) }

  /// All reasons of the rejected records of a table.
  package func reasonsByCode(table: Int) -> [RecordCode: Int] { sums(table: table, \.reasons) }

  private func sums(table: Int, _ count: (Count) -> Int) -> [RecordCode: Int] {
    let some = counts[table].filter { count($0) > 0 }
    return Dictionary(uniqueKeysWithValues: some.map { ($0.code, count($0)) })
  }
}
