import Threads
package import Validation
package import SourceFiles
package import Facts
package import CSV
package import Files
import Glibc

/// Keeps the rejected records of a run, all of them, with the reasons.
///
/// In a replay the repaired records that are sound now are passed on, so that the next replay finds
/// everything in one folder. Memory is constant but for 16 bytes for each record that is too long, and for each that
/// was repaired and is rejected again.
package struct RejectsWriter: ~Copyable {
  private let folder: RejectsFolder
  /// Holds the folder's lock; nil until something is kept.
  private var lock: FolderLock?
  /// The steps that were begun and not completed: those that have failed.
  private var openSteps = 0
  private let isReplay: Bool
  private var keptCRC32: [String: UInt32] = [:]
  private var tablesWithRejects = 0

  private var table = ""
  private var source: SourceFolder.File?
  private var identity: FileIdentity?
  /// The header of the source with its line end.
  private var header: [UInt8] = []
  /// Offset in the source of the first byte after it.
  private var headerEnd = 0
  /// Whether the records of the source are kept with the reasons.
  private var isKept = true
  private var files: RejectFiles?
  /// The records of the source of which the parser has kept no bytes, by their places in it.
  private var tooLong: [Range<Int>] = []
  /// What is passed on of the table; nil if nothing of it is replayed.
  private var carried: CarriedRecords?

  /// The bytes of the rejected records and of their reasons, of the tables before this one and of this
  /// one.
  private var earlierBytes = 0
  private var bytes = 0

  /// The most bytes of them: eight times what it takes to reject every record of today's dumps.
  ///
  /// A file of a few megabytes can hold as many rejects as a disk has room for, or one as large.
  package static let mostBytes = 4 << 30

  private var line = TextBuffer()
  private var message = TextBuffer()

  /// Prepares to write; nothing is made until a record is rejected.
  package init(_ folder: RejectsFolder, isReplay: Bool = false) {
    self.folder = folder
    self.isReplay = isReplay
  }

  package mutating func begin(table: String, replacing dumps: [ReplayedSource]) throws(IngestError)
  {
    openSteps += 1
    if lock == nil { lock = try folder.makeNew() }
    carried = try CarriedRecords(of: table, in: folder, replacing: dumps)
    openSteps -= 1
  }

  package mutating func begin(
    table: String, source: SourceFolder.File, header: Header, identity: FileIdentity?, isKept: Bool
  ) {
    self.table = table
    self.source = source
    self.identity = identity
    self.isKept = isKept
    guard isKept else { return }
    self.header = header.bytes
    headerEnd = header.end
  }

  package mutating func keep(
    _ record: Record, _ faults: [RecordFault], in batch: borrowing RecordBatch,
    _ reasons: ReasonWriter
  ) throws(IngestError) {
    // Taken out while it is written from, and put back.
    var line = exchange(&self.line, with: TextBuffer(capacity: 0))
    defer { swap(&self.line, &line) }
    if isKept { carried?.note(rejected: record) }
    openSteps += 1
    bytes += record.length
    try checkSize(at: record)
    let files = try openedFiles()
    if !isKept {
      // Only the reasons are new.
    } else if faults.first?.code == .recordTooLong {
      tooLong.append(record.offset..<record.offset + record.length)
    } else {
      try files.append(record: batch.bytes.span.extracting(record.bytes))
    }
    line.removeAll()
    line.append(field: source?.name ?? "")
    // What was kept once can be kept again in a replay, where the name of the file is longer.
    let nameBytes = line.count
    append(placeOf: record, to: &line)
    let place = line.count
    for (index, fault) in faults.enumerated() {
      line.removeAll(after: place)
      append(fault, isFirst: index == 0, record, batch, reasons, to: &line)
      try files.append(reason: line.bytes)
      bytes += line.count - nameBytes
    }
    openSteps -= 1
  }

  private func checkSize(at record: Record) throws(IngestError) {
    guard earlierBytes + bytes > Self.mostBytes else { return }
    throw IngestError(
      .data, runCode: .rejectsOverLimit,
      "\(source?.path ?? table): line \(record.line): with this record there are more than "
        + "\(Self.mostBytes.grouped) bytes of rejected records and reasons. Reading ended there; none of "
        + "them is kept, and nothing was published. Check whether the file is a dump at all.")
  }

  /// Ends a source: what the parser has not kept is copied from the file, and what is passed on.
  package mutating func endSource(_ account: SourceCounts) throws(IngestError) {
    guard let source else { return }
    openSteps += 1
    if !tooLong.isEmpty { try openedFiles().append(tooLong, of: source, identity) }
    if account.isRepaired, account.isComplete, isKept {
      try carried?.append(source, identity, header: header, records: headerEnd..<account.bytes)
    } else {
      carried?.skip()
    }
    tooLong.removeAll()
    openSteps -= 1
  }

  /// Ends a table, and compares the bytes that were written with those that were `rejected`.
  package mutating func endTable(rejected: Int) throws(IngestError) {
    var carried = carried.take()
    let files = files.take()
    earlierBytes += bytes
    bytes = 0
    openSteps += 1
    try carried?.sync()
    try files?.sync()
    openSteps -= 1
    if let files { keptCRC32[table] = files.crc32 }
    try files?.check(rejected: rejected)
  }

  /// Forgets what was kept of the table, since nobody knows whether its dump holds it.
  mutating func discardTable() throws(IngestError) {
    tooLong.removeAll()
    bytes = 0
    guard let files = files.take() else { return }
    tablesWithRejects -= 1
    openSteps += 1
    try files.remove()
    openSteps -= 1
  }

  /// Ends the run and gives the folder its name.
  ///
  /// A run that was cut short for a reason outside the dumps will be repeated with the same ones, and what is kept of
  /// an earlier run is of more use.
  ///
  /// - Returns: The folder, or nil if there is nothing to keep; and where what somebody had repaired in an
  ///   earlier one was moved.
  package mutating func finish(
    _ accounts: [TableCounts], isComplete: Bool, isCutShort: Bool
  ) throws(IngestError) -> (folder: String?, edited: String?) {
    // A replay that did not get to the end leaves what it has replayed as it is.
    guard tablesWithRejects > 0, openSteps == 0, !isCutShort, isComplete || !isReplay else {
      if lock != nil { removeNew() }
      return (nil, nil)
    }
    do throws(IngestError) {
      try writeManifest(accounts)
      return (folder.path, try folder.publish())
    } catch {
      removeNew()
      throw error
    }
  }

  private func removeNew() { folder.gate.pass { [folder] _ in folder.removeNew() } }

  // MARK: - Writing

  private mutating func writeManifest(_ accounts: [TableCounts]) throws(IngestError) {
    var manifest = try folder.makeFile(RejectsFolder.manifest)
    var text = TextBuffer()
    text.append(ManifestEntry.header + "\n")
    for account in accounts {
      for source in account.sources {
        ManifestEntry(source, table: account.table, keptCRC32: keptCRC32[account.table])
          .append(to: &text)
      }
    }
    try manifest.append(text.bytes)
    try manifest.sync()
    guard let lock, lock.sync() else { throw folder.failure("synced to the disk") }
  }

  /// The files of the table, which are made when its first record is rejected.
  private mutating func openedFiles() throws(IngestError) -> RejectFiles {
    if lock == nil { lock = try folder.makeNew() }
    if let files {
      if isKept { try files.check(header: header, of: source?.path ?? table) }
      return files
    }
    let files = try RejectFiles(
      of: table, in: folder, header: header, source?.layout ?? .usual)
    tablesWithRejects += 1
    self.files = files
    return files
  }

  /// Appends the fields that all reasons of a record have in common.
  private func append(placeOf record: Record, to line: inout TextBuffer) {
    let numbers: InlineArray = [
      record.number, record.line, record.line + record.innerLineFeeds, record.offset,
      record.length,
    ]
    for index in numbers.indices {
      line.append(UInt8(ascii: ","))
      line.append(numbers[index])
    }
    line.append(record.extentIsCertain ? ",certain," : ",doubtful,")
  }

  /// Appends the other fields of a reason, and ends the line of CSV.
  private mutating func append(
    _ fault: RecordFault, isFirst: Bool, _ record: Record, _ batch: borrowing RecordBatch,
    _ reasons: ReasonWriter, to line: inout TextBuffer
  ) {
    let comma = UInt8(ascii: ",")
    line.append(field: reasons.columnName(of: fault) ?? "")
    line.append(comma)
    line.append(fault.code.rawValue)
    line.append(comma)
    if let value = reasons.value(of: fault, record, batch) {
      message.removeAll()
      message.append(quoted: value)
      line.append(field: message.bytes)
    }
    line.append(comma)
    message.removeAll()
    reasons.append(messageOf: fault, record, batch, to: &message)
    line.append(field: message.bytes)
    line.append(comma)
    if isFirst, !record.faults.isDisjoint(with: [.nulByte, .invalidUTF8]) {
      line.append(base64: batch.bytes.span.extracting(record.bytes))
    }
    line.append(UInt8(ascii: "\n"))
  }
}
