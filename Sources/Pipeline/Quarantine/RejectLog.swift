package import Validation
package import SourceFiles
package import Facts
package import CSV
package import Files

/// The rejected records of a run: all are counted and kept, some are described.
///
/// What is found in a file is reported once it was read to its end and its checksum is right: a damaged
/// file may hold records that were never in the dump.
package struct RejectLog: RejectSink, ~Copyable {
  /// The rejected records of one table with one code.
  fileprivate struct Count {
    let code: RecordCode
    /// Those that have it as their first reason.
    var records = 0
    /// Those that have it among their reasons, as often as they do.
    var reasons = 0
  }

  /// A file that is being read, and what was counted in its table before; the next one begins when it is ended.
  package struct File: ~Copyable {
    fileprivate let table: Int
    fileprivate let records: Int
    fileprivate let counts: [Count]
  }

  package private(set) var records: [Int]
  /// The codes are few, so that a walk over them is faster than hashing.
  private var counts: [[Count]]
  private let report: (Reject) -> Void
  /// Where they are kept; nil if they are not.
  private var writer: RejectsWriter?
  /// What is not reported yet of the file that is being read.
  private var untold: [Reject] = []

  package init(
    tables: Int, writer: consuming RejectsWriter?, report: @escaping (Reject) -> Void
  ) {
    records = [Int](repeating: 0, count: tables)
    counts = [[Count]](repeating: RecordCode.allCases.map { Count(code: $0) }, count: tables)
    self.writer = writer
    self.report = report
  }

  /// Begins with a table in whose dumps records are replaced.
  package mutating func begin(table: String, replacing dumps: [ReplayedSource]) throws(IngestError)
  {
    try writer?.begin(table: table, replacing: dumps)
  }

  package func beginFile(table: Int) -> File {
    File(table: table, records: records[table], counts: counts[table])
  }

  /// Begins with the records of a file.
  ///
  /// Those of standing repairs are not kept with the reasons: they are kept already, where they have to be corrected.
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

  /// Ends a file: reports what was found in it if it is sound, or else forgets it.
  package mutating func end(
    _ file: consuming File, _ source: SourceCounts, isSound: Bool
  ) throws(IngestError) {
    let found = exchange(&untold, with: [])
    if isSound {
      found.forEach(report)
    } else {
      records[file.table] = file.records
      counts[file.table] = file.counts
      try writer?.discardTable()
    }
    try writer?.endSource(source)
  }

  /// Ends a table, and compares the bytes that were kept with those that were rejected.
  package mutating func end(_ account: TableCounts) throws(IngestError) {
    let sources = account.sources.filter { !$0.isStanding }
    try writer?.endTable(rejected: sources.reduce(0) { $0 + $1.rejected.bytes })
  }

  /// Ends the run, as `RejectsWriter` does; nil if rejected records are not kept.
  package mutating func finish(
    _ accounts: [TableCounts], isComplete: Bool, isCutShort: Bool
  ) throws(IngestError) -> (folder: String?, edited: String?)? {
    try writer?.finish(accounts, isComplete: isComplete, isCutShort: isCutShort)
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
