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
