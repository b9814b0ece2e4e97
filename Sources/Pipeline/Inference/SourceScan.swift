import SourceFiles
import Vocabulary
import CSV
import Platform
import SQLiteSwiftly
import Schema

/// One pass over the records of a source file without a description.
struct SourceScan: ~Copyable {
  let header: Header
  private var parser: SourceParser
  private var batch: RecordBatch
  /// The header is in the first batch.
  private var first: Int

  init(
    _ source: FoundSource, delimiter: String, _ options: InferenceOptions
  ) throws(IngestError) {
    var file = source.file
    file.layout = try SourceLayout(of: options.source(source.table, delimiter: delimiter))
    var parser = try SourceParser(file, recordLimit: options.recordLimit)
    var batch = RecordBatch(
      capacity: Tuning.batchBytes, records: Tuning.batchRecords, fields: Tuning.batchFields)
    var header = try parser.readHeader(&batch)
    try parser.checkQuotes(batch)
    if !options.hasHeader, let fields = batch.records.first?.fieldCount {
      header.names = (1...max(fields, 1)).map { "field\($0)" }
    }
    self.header = header
    first = header.records
    self.parser = parser
    self.batch = batch
  }

  var identity: FileIdentity? { parser.identity }

  mutating func check(_ identity: FileIdentity?) throws(IngestError) { try parser.check(identity) }

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

/// The delimiter of a CSV file, guessed from its first lines.
struct DelimiterGuess {
  /// A comma, a semicolon, a tab or a pipe; a comma if none of them is there.
  let delimiter: String

  private static let delimiters = [",", ";", "\t", "|"]
  private static let sampleBytes = 64 << 10
  private static let lines = 20

  init(_ file: SourceFolder.File) throws(IngestError) {
    var reader = try SourceReader(file)
    var bytes = [UInt8](repeating: 0, count: Self.sampleBytes)
    let count = try reader.read(bytes.count, into: &bytes)
    self.init(beginningWith: bytes[..<count])
  }

  /// Chooses the delimiter that occurs as often as in the first line in the most lines.
  init(beginningWith bytes: ArraySlice<UInt8>) {
    var best = (delimiter: Self.delimiters[0], lines: 0, count: 0)
    for delimiter in Self.delimiters {
      let counts = Self.counts(of: delimiter.utf8.first ?? 0, in: bytes)
      guard let count = counts.first, count > 0 else { continue }
      let lines = counts.count { $0 == count }
      if (lines, count) > (best.lines, best.count) { best = (delimiter, lines, count) }
    }
    delimiter = best.delimiter
  }

  /// The occurrences of a byte outside quotes in each line; a truncated line is skipped unless it is the only one.
  private static func counts(of delimiter: UInt8, in bytes: ArraySlice<UInt8>) -> [Int] {
    var counts: [Int] = []
    var count = 0
    var isInsideQuotes = false
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""): isInsideQuotes.toggle()
      case _ where isInsideQuotes: break
      case delimiter: count += 1
      case UInt8(ascii: "\n"):
        counts.append(count)
        count = 0
        if counts.count == lines { return counts }
      default: break
      }
    }
    return counts.isEmpty ? [count] : counts
  }
}
