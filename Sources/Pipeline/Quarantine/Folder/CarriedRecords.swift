import SourceFiles
import Facts
import CSV
import Files

/// The records of one table that a replay passes on to the next: the fixed records that are valid now, and the numbers of
/// the source records that they replace.
struct CarriedRecords: ~Copyable {
  private var records: FileWriter
  private var numbers: FileWriter
  /// The header of the fixed records, without its line end.
  private var header: [UInt8]?
  /// The byte ranges of the records of a source that are not passed on.
  private var rejected = RisingRanges()

  /// Creates the files of a table in a folder, and writes the record numbers.
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

  /// Ends a source without fixed records.
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
