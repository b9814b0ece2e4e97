import SourceFiles
import Facts
import CSV
import Files
import SQLiteSwiftly
import Schema

/// One pass over the records of a source file without a description.
struct SourceScan: ~Copyable {
  let header: Header
  private var parser: SourceParser
  private var batch: RecordBatch
  /// The header is in the first batch.
  private var first: Int

  init(_ source: FoundSource, delimiter: String, recordLimit: Int) throws(IngestError) {
    var file = source.file
    file.layout = try SourceLayout(of: Self.source(source.table, delimiter: delimiter))
    var parser = try SourceParser(file, recordLimit: recordLimit)
    var batch = RecordBatch(
      capacity: Tuning.batchBytes, records: Tuning.batchRecords, fields: Tuning.batchFields)
    let header = try parser.readHeader(&batch)
    try parser.checkQuotes(batch)
    self.header = header
    first = header.records
    self.parser = parser
    self.batch = batch
  }

  private static func source(_ table: String, delimiter: String) -> SourceDescription {
    var source = SourceDescription(of: table, formats: [])
    source.dialect.delimiter = delimiter
    return source
  }

  var identity: FileIdentity? { parser.identity }

  mutating func check(_ identity: FileIdentity?) throws(IngestError) {
    try parser.check(identity)
  }

  /// Calls `body` for each batch, with the position of its first record, until it returns false.
  mutating func forEachBatch(
    _ body: (borrowing RecordBatch, Int) throws(IngestError) -> Bool
  ) throws(IngestError) {
    repeat {
      guard try body(batch, first) else { return }
      first = 0
      batch.discardParsed()
    } while try parser.next(&batch)
  }
}
