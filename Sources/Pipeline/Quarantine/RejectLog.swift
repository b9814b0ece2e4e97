package import Validation
package import SourceFiles
package import Facts
package import CSV
package import Files

/// The rejected records of a run: all are counted and kept, and some are reported.
///
/// They are reported once their file was read to its end and its checksum matches: a damaged file may contain records that
/// were never in the original.
package struct RejectLog: RejectSink, ~Copyable {
  /// The rejected records of one table with one code.
  fileprivate struct Count {
    let code: RecordCode
    /// The records with it as their first reason.
    var records = 0
    /// Its occurrences among all reasons.
    var reasons = 0
  }

  /// The current file, with the counts of its table before it.
  package struct File: ~Copyable {
    fileprivate let table: Int
    fileprivate let records: Int
    fileprivate let counts: [Count]
  }

  package private(set) var records: [Int]
  /// Codes are few, so a linear search is faster than hashing.
  private var counts: [[Count]]
  private let report: (Reject) -> Void
  /// The writer that keeps them; nil if they are not kept.
  private var writer: RejectsWriter?
  /// The rejects of the current file to report.
  private var unreported: [Reject] = []

  package init(
    tables: Int, writer: consuming RejectsWriter?, report: @escaping (Reject) -> Void
  ) {
    records = [Int](repeating: 0, count: tables)
    counts = [[Count]](repeating: RecordCode.allCases.map { Count(code: $0) }, count: tables)
    self.writer = writer
    self.report = report
  }

  /// Begins a table with replaced records.
  package mutating func begin(
    table: String, replacing sources: [ReplayedSource]
  ) throws(IngestError) {
    try writer?.begin(table: table, replacing: sources)
  }

  package func beginFile(table: Int) -> File {
    File(table: table, records: records[table], counts: counts[table])
  }

  /// Begins the records of a file.
  ///
  /// Repairs are not kept with the reasons, since they must be corrected in the repairs folder.
  package mutating func beginRecords(
    of file: borrowing File, table: String, source: SourceFolder.File, header: Header,
    identity: FileIdentity?, isKept: Bool
  ) {
    writer?.begin(
      table: table, source: source, header: header, identity: identity, isKept: isKept)
  }

  package mutating func add(
    _ record: Record, _ faults: [RecordFault], table: Int, in batch: borrowing RecordBatch,
    _ reasons: ReasonWriter
  ) throws(IngestError) {
    records[table] += 1
    var isReported = false
    for (place, fault) in faults.enumerated() {
      for index in counts[table].indices where counts[table][index].code == fault.code {
        counts[table][index].reasons += 1
        guard place == 0 else { continue }
        counts[table][index].records += 1
        isReported = counts[table][index].records <= IngestEvent.describedRejectsPerCode
      }
    }
    if isReported { unreported.append(reasons.makeReject(faults, record, in: batch)) }
    try writer?.keep(record, faults, in: batch, reasons)
  }

  /// Ends a file: reports its rejects if the file is sound, and otherwise discards them.
  package mutating func end(
    _ file: consuming File, _ source: SourceCounts, isSound: Bool
  ) throws(IngestError) {
    let rejects = exchange(&unreported, with: [])
    if isSound {
      rejects.forEach(report)
    } else {
      records[file.table] = file.records
      counts[file.table] = file.counts
      try writer?.discardTable()
    }
    try writer?.endSource(source)
  }

  /// Ends a table, and checks that all rejected bytes were kept.
  package mutating func end(_ counts: TableCounts) throws(IngestError) {
    let sources = counts.sources.filter { !$0.isRepairs }
    try writer?.endTable(rejected: sources.reduce(0) { $0 + $1.rejected.bytes })
  }

  /// Ends the run, as `RejectsWriter` does; nil if rejected records are not kept.
  package mutating func finish(
    _ tables: [TableCounts], isComplete: Bool, isCutShort: Bool
  ) throws(IngestError) -> (folder: String?, edited: String?)? {
    try writer?.finish(tables, isComplete: isComplete, isCutShort: isCutShort)
  }

  /// The rejected records of a table, by their first reason.
  package func recordsByCode(table: Int) -> [RecordCode: Int] { sums(table: table, \.records) }

  /// All reasons of the rejected records of a table.
  package func reasonsByCode(table: Int) -> [RecordCode: Int] { sums(table: table, \.reasons) }

  private func sums(table: Int, _ count: (Count) -> Int) -> [RecordCode: Int] {
    let some = counts[table].filter { count($0) > 0 }
    return Dictionary(uniqueKeysWithValues: some.map { ($0.code, count($0)) })
  }
}
