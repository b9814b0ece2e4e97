package import CSV
import Compression
package import Platform
package import SourceFiles
package import Text
package import Validation
package import Vocabulary

/// Writes all rejected records of a run, with the reasons.
///
/// Memory is constant, except for 16 bytes for each record that is too long.
package struct RejectsWriter: ~Copyable {
  private let folder: RejectsFolder
  /// The lock on the folder; nil until something is kept.
  private var lock: FolderLock?
  /// The number of steps that started but did not complete, because they failed.
  private var openSteps = 0
  private var keptCRC32: [String: UInt32] = [:]
  private var tablesWithRejects = 0

  private var table = ""
  private var source: SourceFolder.File?
  private var identity: FileIdentity?
  private var header: [UInt8] = []
  /// Whether the records of the source are kept with the reasons.
  private var isKept = true
  private var files: RejectFiles?
  /// The byte ranges of records that the parser did not keep, in the source.
  private var tooLong: [Range<Int>] = []

  /// The bytes of rejected records and reasons, of earlier tables and of this one.
  private var earlierBytes = 0
  private var bytes = 0

  /// Eight times the size of rejecting every record of today's source files, since a file of a few megabytes can
  /// contain enough rejected records to fill a disk.
  package static let mostBytes = 4 << 30

  private var line = TextBuffer()
  private var shownValue = TextBuffer()

  package init(_ folder: RejectsFolder) { self.folder = folder }

  package mutating func begin(
    table: String, source: SourceFolder.File, header: Header, identity: FileIdentity?, isKept: Bool
  ) {
    self.table = table
    self.source = source
    self.identity = identity
    self.isKept = isKept
    if isKept { self.header = header.bytes }
  }

  package mutating func keep(
    _ record: Record, _ faults: [RecordFault], _ messages: [TextBuffer],
    in batch: borrowing RecordBatch, _ reasons: ReasonWriter
  ) throws(IngestError) {
    // Move the buffer out while a span of it is in use.
    var line = exchange(&self.line, with: TextBuffer(capacity: 0))
    defer { swap(&self.line, &line) }
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
    append(placeOf: record, to: &line)
    let place = line.count
    for (index, fault) in faults.enumerated() {
      line.removeAll(after: place)
      let message = messages[index]
      append(fault, message.bytes, isFirst: index == 0, record, batch, reasons, to: &line)
      try files.reasons.append(line.bytes)
      bytes += line.count
    }
    openSteps -= 1
  }

  private func checkSize(at record: Record) throws(IngestError) {
    guard earlierBytes + bytes > Self.mostBytes else { return }
    throw IngestError(
      .data, code: .run(.rejectsOverLimit),
      "\(source?.path ?? table): line \(record.line): rejected records and reasons exceed "
        + "\(Self.mostBytes.grouped) bytes at this record. Reading stopped; none of them is kept, and nothing "
        + "was published. Check whether this is the right file.")
  }

  /// Ends a source: copies records from the file that the parser did not keep.
  package mutating func endSource() throws(IngestError) {
    guard let source else { return }
    openSteps += 1
    if !tooLong.isEmpty { try openedFiles().records.append(tooLong, of: source, identity) }
    tooLong.removeAll()
    openSteps -= 1
  }

  package mutating func endTable(rejected: Int) throws(IngestError) {
    let files = files.take()
    earlierBytes += bytes
    bytes = 0
    openSteps += 1
    try files?.records.sync()
    try files?.reasons.sync()
    openSteps -= 1
    guard let files else { return }
    keptCRC32[table] = files.records.crc32.value
    let kept = files.records.bytes - files.records.addedBytes
    guard kept != rejected else { return }
    throw .unbalanced([
      "\(files.records.path): \(rejected.grouped) bytes of records rejected, but \(kept.grouped) kept"
    ])
  }

  mutating func discardTable() throws(IngestError) {
    tooLong.removeAll()
    bytes = 0
    guard files.take() != nil else { return }
    tablesWithRejects -= 1
    openSteps += 1
    try folder.removeFile(RejectsFolder.records(of: table))
    try folder.removeFile(RejectsFolder.reasons(of: table))
    openSteps -= 1
  }

  /// Renames the folder to its final name; returns it.
  ///
  /// A run that was cut short will be repeated with the same source files; the records of an earlier run are then more
  /// useful.
  package mutating func publish(
    _ tables: [TableCounts], isCutShort: Bool
  ) throws(IngestError) -> String? {
    guard tablesWithRejects > 0, openSteps == 0, !isCutShort else {
      if lock != nil { removeNew() }
      return nil
    }
    do throws(IngestError) {
      try writeManifest(tables)
      try folder.publish()
      return folder.path
    } catch {
      removeNew()
      throw error
    }
  }

  private func removeNew() { folder.gate.pass { [folder] _ in folder.removeNew() } }

  // MARK: - Writing

  private mutating func writeManifest(_ tables: [TableCounts]) throws(IngestError) {
    var manifest = try folder.makeFile(RejectsFolder.manifest)
    var text = TextBuffer()
    text.append(ManifestEntry.header + "\n")
    for counts in tables {
      for source in counts.sources {
        ManifestEntry(source, table: counts.table, keptCRC32: keptCRC32[counts.table])
          .append(to: &text)
      }
    }
    try manifest.append(text.bytes)
    try manifest.sync()
    guard let lock, lock.sync() else { throw folder.failure("synced to the disk") }
  }

  private mutating func openedFiles() throws(IngestError) -> RejectFiles {
    if lock == nil { lock = try folder.makeNew() }
    if let files {
      if isKept { try files.check(header: header, of: source?.path ?? table) }
      return files
    }
    let files = try RejectFiles(of: table, in: folder, header: header, source?.layout ?? .usual)
    tablesWithRejects += 1
    self.files = files
    return files
  }

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

  private mutating func append(
    _ fault: RecordFault, _ message: Span<UInt8>, isFirst: Bool, _ record: Record,
    _ batch: borrowing RecordBatch, _ reasons: ReasonWriter, to line: inout TextBuffer
  ) {
    let comma = UInt8(ascii: ",")
    line.append(field: reasons.columnName(of: fault) ?? "")
    line.append(comma)
    line.append(fault.code.rawValue)
    line.append(comma)
    if let value = reasons.value(of: fault, record, batch) {
      shownValue.removeAll()
      shownValue.append(quoted: value)
      line.append(field: shownValue.bytes)
    }
    line.append(comma)
    line.append(field: message)
    line.append(comma)
    if isFirst, !record.faults.isDisjoint(with: [.nulByte, .invalidUTF8]) {
      line.append(base64: batch.bytes.span.extracting(record.bytes))
    }
    line.append(UInt8(ascii: "\n"))
  }
}

/// The rejected records of a table, byte for byte under the source file's header, and the reasons, one per line.
private final class RejectFiles {
  var records: FileWriter
  var reasons: FileWriter
  /// The header without its line end; empty if the source file has none.
  private let header: [UInt8]
  private let layout: SourceLayout
  private var isEmpty = true

  private static let reasonsHeader =
    "file,record,first_line,last_line,offset,length,extent,column,code,value,message,record_base64"

  init(
    of table: String, in folder: RejectsFolder, header: [UInt8], _ layout: SourceLayout
  ) throws(IngestError) {
    self.layout = layout
    self.header = Array(header.prefix(layout.contentCount(of: header.span)))
    records = try folder.makeFile(RejectsFolder.records(of: table))
    reasons = try folder.makeFile(RejectsFolder.reasons(of: table))
    if layout.headerRows > 0 { try records.append(header: header, layout) }
    try reasons.append((Self.reasonsHeader + "\n").utf8.span)
  }

  /// Refuses a different header, under which the records could not be read.
  func check(header other: [UInt8], of path: String) throws(IngestError) {
    guard other.prefix(layout.contentCount(of: other.span)) != header[...] else { return }
    throw .headerDiffers(path, from: "the source file")
  }

  func append(record bytes: Span<UInt8>) throws(IngestError) {
    // The first record of a file without a header may begin with the bytes of a mark.
    if isEmpty, layout.headerRows == 0 { try records.append(markBefore: bytes) }
    isEmpty = false
    try records.append(bytes)
    try records.endLine(after: bytes, layout)
  }
}
