import SourceFiles
import Vocabulary
import Platform
import Compression
import CSV
import Text

/// The rejected records of a table, byte for byte under the source file's header, and the reasons, one per line.
final class RejectFiles {
  private let table: String
  private let folder: RejectsFolder
  private var records: FileWriter
  private var reasons: FileWriter
  /// The bytes of the first file outside records: the header, and added line ends.
  private var addedBytes = 0
  /// The header without its line end; empty if the source file has none.
  private let header: [UInt8]
  private let layout: SourceLayout
  private var isEmpty = true

  private static let reasonsHeader =
    "file,record,first_line,last_line,offset,length,extent,column,code,value,message,record_base64"

  init(
    of table: String, in folder: RejectsFolder, header: [UInt8], _ layout: SourceLayout
  ) throws(IngestError) {
    self.table = table
    self.layout = layout
    self.folder = folder
    var records = try folder.makeFile(RejectsFolder.records(of: table))
    var reasons = try folder.makeFile(RejectsFolder.reasons(of: table))
    if layout.headerRows > 0 { addedBytes = try records.append(header: header, layout) }
    try reasons.append((Self.reasonsHeader + "\n").utf8.span)
    self.records = records
    self.reasons = reasons
    self.header = Array(header.prefix(layout.contentCount(of: header.span)))
  }

  /// Refuses a different header, under which the records could not be read.
  func check(header other: [UInt8], of path: String) throws(IngestError) {
    guard other.prefix(layout.contentCount(of: other.span)) != header[...] else { return }
    throw .headerDiffers(path, from: "the source file")
  }

  func append(record bytes: Span<UInt8>) throws(IngestError) {
    // The first record of a file without a header may begin with the bytes of a mark.
    if isEmpty, layout.headerRows == 0 { addedBytes += try records.append(markBefore: bytes) }
    isEmpty = false
    try records.append(bytes)
    addedBytes += try records.endLine(after: bytes, layout)
  }

  func append(reason line: Span<UInt8>) throws(IngestError) { try reasons.append(line) }

  func append(
    _ places: [Range<Int>], of file: SourceFolder.File, _ identity: FileIdentity?
  ) throws(IngestError) {
    addedBytes += try records.append(places, of: file, identity)
  }

  var crc32: UInt32 { records.crc32.value }

  func sync() throws(IngestError) {
    try records.sync()
    try reasons.sync()
  }

  func check(rejected: Int) throws(IngestError) {
    let kept = records.bytes - addedBytes
    guard kept != rejected else { return }
    throw .unbalanced([
      "\(records.path): \(rejected.grouped) bytes of records rejected, but \(kept.grouped) kept"
    ])
  }

  func remove() throws(IngestError) {
    try folder.removeFile(RejectsFolder.records(of: table))
    try folder.removeFile(RejectsFolder.reasons(of: table))
  }
}

/// The records of one table that a replay passes on to the next: the fixed records that are valid now, and the numbers of
/// the source records that they replace.
struct CarriedRecords: ~Copyable {
  private var records: FileWriter
  private var numbers: FileWriter
  private var header: [UInt8]?
  /// The byte ranges of the records of a source that are not passed on.
  private var rejected = RisingRanges()

  init(
    of table: String, in folder: RejectsFolder, replacing sources: [ReplayedSource]
  ) throws(IngestError) {
    let records = try folder.makeFile(RejectsFolder.repaired(of: table))
    var list = try folder.makeFile(RejectsFolder.replaced(of: table))
    try list.append("file,record\n".utf8.span)
    var line = TextBuffer()
    for source in sources {
      for number in source.numbers {
        line.removeAll()
        line.append(field: source.entry.file)
        line.append(UInt8(ascii: ","))
        line.append(number)
        line.append(UInt8(ascii: "\n"))
        try list.append(line.bytes)
      }
    }
    self.records = records
    self.numbers = list
  }

  mutating func exclude(_ record: Record) {
    rejected.append(record.offset..<record.offset + record.length)
  }

  mutating func skip() { rejected.removeAll() }

  /// Ends a source of fixed records: those between the rejected ones are passed on.
  mutating func append(
    _ source: SourceFolder.File, _ identity: FileIdentity?, header: [UInt8],
    records place: Range<Int>
  ) throws(IngestError) {
    let name = Array(header.prefix(source.layout.contentCount(of: header.span)))
    if self.header == nil {
      self.header = name
      if source.layout.headerRows > 0 { _ = try records.append(header: header, source.layout) }
    }
    guard self.header == name else {
      throw .headerDiffers(source.path, from: "the records fixed before")
    }
    var start = place.lowerBound
    var kept = RisingRanges()
    for range in rejected {
      if start < range.lowerBound { kept.append(start..<range.lowerBound) }
      start = range.upperBound
    }
    if start < place.upperBound { kept.append(start..<place.upperBound) }
    _ = try records.append(kept, of: source, identity)
    skip()
  }

  mutating func sync() throws(IngestError) {
    try records.sync()
    try numbers.sync()
  }
}
