// How the parser works, the reasons for its design, and rules for changes.
//
// The caller fills a `RecordBatch` with a block of the file and calls `parse`, which scans the
// block once and records the start and end of each record and field.
//
// - `StructuralIndex` computes a bitmap of the bytes up to the comma among the next 64.
// - `RecordScan` moves from one structural byte to the next within one record. Unquoted fields are
//   a tight loop; a field that begins with a quote runs to the quote that is not doubled.
// - `DialectScan` does the same byte by byte in any other dialect, and for each record in which
//   `RecordScan` finds a fault: only it identifies the fault and the end of the record. One scan
//   for all records takes 15 % longer for short ones.
// - `Parser` finds the byte order mark, blank lines and comments, keeps offset, line and number,
//   and converts scans into records. A record cut by the end of a block stays in `unparsed`, and is
//   scanned again from its first byte when there is more. Beyond `recordLimit`, `RecordSkip`
//   searches for the record's end and keeps nothing, so memory is bounded.
//
// Reasons
//
// Fields of Rebrickable's dumps are a few bytes long. A loop that compares every byte pays a mispredicted branch for
// each field; one bitmap serves all the fields in 64 bytes. MB/s before and after: `inventory_parts` (18 bytes a
// record, 4 a field) 400 and 480, `parts` 570 and 860, long unquoted fields 1060 and 1360, quoted fields 1000 and 1280,
// doubled quotes 450 and 680. Text is validated as UTF-8 only if a window of the record had a byte above 127 or the
// record has another fault.
//
// Invariants
//
// - The size of a block does not affect any result. A cut inside CRLF, a doubled quote or a byte
//   order mark waits for more bytes unless the file has ended.
// - Every byte of the file belongs to the byte order mark, a blank line, a comment or exactly one record.
// - A fault affects its own record only. After a stray quote, text after a quote or a lone carriage return, the record
//   ends at the next line feed. Rejects.md defines whether that is certainly its end, and `endFaultyRecord` decides it.
// - `RecordScan` and `DialectWalk` agree on the fields of a sound record in the standard dialect.
//   Change the grammar in both, and in `ReferenceReader` of the tests.
// - Windows only move forward. `isASCII` may be false for a record that is ASCII, since windows
//   include neighboring bytes, but never true for one that is not.
// - Nothing is allocated per record or field, and no `String` is created. The batch's arrays are moved out while spans
//   of them are in use, and then moved back, since a second owner would cause copies.
//
// After a change: `swift test --filter CSVTests` (`LONG_TESTS=1` tries more random texts),
// `Tests/System/Sanitizers/fuzz 600 csv header`, which alone compares `firstPlace` with the scan, and
// `swift run -c release ingest-benchmark --subject stages`: `parse and validate` has a bar of 350 MB/s.

/// A strict parser of CSV as defined by RFC 4180, which reads block by block.
///
/// Records are separated by LF or CRLF, fields by commas; a field may be in quotes, and a quote within it is doubled.
/// Text is UTF-8. A byte order mark at the start of the file is skipped; blank lines are skipped and counted. A record
/// with a fault is marked and ends at the next line end after the fault; the next record is read as usual.
///
/// The parser stores its position in the file but no text, so its memory is constant.
public struct Parser: ~Copyable, Sendable {
  /// The maximum number of bytes of a record, including the line end.
  public let recordLimit: Int
  /// The maximum number of fields stored for a record; further ones are only counted.
  public let fieldLimit: Int

  /// The offset in the decompressed file of the first byte after all records so far.
  public internal(set) var offset = 0
  /// The line of that byte, from 1.
  public internal(set) var line = 1
  /// The number of the next record; the first record of a file, its header, is 0.
  public internal(set) var nextNumber: Int
  /// The number of records that ended with a line feed alone.
  public private(set) var lineFeeds = 0
  /// The number of records that ended with a carriage return and a line feed.
  public private(set) var carriageReturnLineFeeds = 0
  /// The number of empty lines outside quotes.
  public private(set) var blankLines = 0
  /// The bytes of those lines, including line ends.
  public private(set) var blankBytes = 0
  /// The bytes of the byte order mark at the beginning; 0 if there is none.
  public private(set) var markBytes = 0
  /// The first blank line, from 1; 0 if there was none.
  public private(set) var firstBlankLine = 0

  /// The bytes of skipped lines: comments, and rows that the dialect skips.
  package internal(set) var passedBytes = 0

  /// The dialect, if it needs the slower scan; nil for the standard one.
  private let dialect: Dialect?
  /// The numbers of the rows to skip, ascending; comments and blank lines count as rows.
  let passedRows: [Int]
  /// The number of rows read, including skipped ones.
  var rows = 0
  var metPassedRows = 0
  /// Whether the last block ended within a comment.
  var isInComment = false

  var skip: RecordSkip?

  /// The bytes skipped so far of an unfinished record that is too long; 0 if there is none.
  package var skippedBytes: Int { skip.map { offset - $0.offset } ?? 0 }

  /// Creates a parser at the beginning of a file.
  ///
  /// - Parameters:
  ///   - recordLimit: the maximum number of bytes of a record; at most 1 GiB, so that slices fit into 32 bits.
  ///   - fieldLimit: the maximum number of fields stored for a record.
  ///   - dialect: the dialect of the file.
  ///   - passedRows: the numbers, from 1, of the rows to skip; blank lines and comments are rows.
  ///   - headerRows: the number of records that form the header; the number of the last one is 0.
  package init(
    recordLimit: Int = 16 << 20, fieldLimit: Int = 2000, dialect: Dialect = .standard,
    passedRows: [Int] = [], headerRows: Int = 1
  ) {
    precondition((1...1 << 30).contains(recordLimit) && fieldLimit > 0)
    self.recordLimit = recordLimit
    self.fieldLimit = fieldLimit
    self.dialect = dialect.isStandard && passedRows.isEmpty ? nil : dialect
    self.passedRows = passedRows.sorted()
    nextNumber = 1 - headerRows
  }

  /// Parses the records in the unparsed bytes of `batch`, which has no records yet.
  ///
  /// Parsing stops at a record cut by the end of the block, and when the batch is full; at the end of a file, call it
  /// with `isLast` until `unparsed` is empty. Takes time linear in the block; a record that does not fit is scanned
  /// again with the next block. The error is an encoding other than UTF-8.
  public mutating func parse(_ batch: inout RecordBatch, isLast: Bool) throws(CSVError) {
    precondition(batch.fields.count >= fieldLimit, "a record does not fit into a batch")
    if offset == 0 {
      // The mark of UTF-32 begins like that of UTF-16, so four bytes are needed to distinguish them.
      guard batch.filled >= 4 || isLast else { return }
      try skipByteOrderMark(&batch)
    }
    var bytes = exchange(&batch.bytes, with: [])
    var fields = exchange(&batch.fields, with: [])
    defer {
      batch.bytes = exchange(&bytes, with: [])
      batch.fields = exchange(&fields, with: [])
      batch.appendUnescaped()
    }
    let block = bytes.span.extracting(0..<batch.filled)
    var fieldRoom = fields.mutableSpan
    if let dialect {
      parse(block, isLast: isLast, in: dialect, &fieldRoom, &batch)
      return
    }
    var structurals = StructuralIndex()
    while batch.parsed < block.count || (skip != nil && isLast) {
      guard batch.records.count < batch.recordCapacity,
        fieldRoom.count - batch.fieldCount >= fieldLimit
      else { break }
      guard parseNext(block, isLast: isLast, &structurals, &fieldRoom, &batch) else { break }
    }
  }

  /// Parses one blank line or record, or marks one as too long; false if the block ends first.
  private mutating func parseNext(
    _ block: Span<UInt8>, isLast: Bool, _ structurals: inout StructuralIndex,
    _ fields: inout MutableSpan<RecordBatch.Field>, _ batch: inout RecordBatch
  ) -> Bool {
    let start = batch.parsed
    if skip != nil { return skipOn(block, isLast: isLast, &batch) }
    if let end = endOfBlankLine(block, at: start) {
      countBlankLine(length: end - start)
      batch.parsed = end
      return true
    }
    var room = fields._mutatingExtracting(batch.fieldCount..<batch.fieldCount + fieldLimit)
    var scan = RecordScan(from: start, isLast: isLast)
    scan.run(over: block, structurals: &structurals, fields: &room, unescaped: &batch.unescaped)
    guard !scan.isFaulty else {
      return parseRecord(block, isLast: isLast, .standard, &fields, &batch)
    }
    guard let end = scan.end else {
      guard block.count - start > recordLimit else { return false }
      skip = RecordSkip(offset: offset, line: line, in: .standard)
      return true
    }
    append(scan, bytes: start..<end, to: &batch)
    return true
  }

  private mutating func skipByteOrderMark(_ batch: inout RecordBatch) throws(CSVError) {
    let head = batch.bytes.prefix(min(4, batch.filled))
    if head.starts(with: [0xef, 0xbb, 0xbf]) {
      batch.parsed = 3
      offset = 3
      markBytes = 3
    } else if let encoding = Self.encoding(markedBy: head) {
      throw .unsupportedEncoding(encoding)
    }
  }

  /// The encoding of a text whose first bytes are a byte order mark of UTF-16 or UTF-32; nil for others.
  package static func encoding(markedBy head: ArraySlice<UInt8>) -> String? {
    if head.starts(with: [0xff, 0xfe, 0, 0]) || head.starts(with: [0, 0, 0xfe, 0xff]) {
      return "UTF-32"
    }
    return head.starts(with: [0xff, 0xfe]) || head.starts(with: [0xfe, 0xff]) ? "UTF-16" : nil
  }

  private func endOfBlankLine(_ block: Span<UInt8>, at start: Int) -> Int? {
    if block[start] == Byte.lineFeed { return start + 1 }
    let isLineEnd =
      block[start] == Byte.carriageReturn && start + 1 < block.count
      && block[start + 1] == Byte.lineFeed
    return isLineEnd ? start + 2 : nil
  }

  mutating func countBlankLine(length: Int) {
    if blankLines == 0 { firstBlankLine = line }
    blankLines += 1
    blankBytes += length
    line += 1
    offset += length
  }

  mutating func append(
    _ scan: borrowing RecordScan, bytes: Range<Int>, to batch: inout RecordBatch
  ) {
    if bytes.count > recordLimit {
      appendTooLong(
        &batch, bytes: bytes, offset: offset, line: line, innerLineFeeds: scan.innerLineFeeds,
        isOpen: scan.faults.contains(.unterminatedQuote))
    } else {
      batch.records.append(
        Record(
          bytes: bytes, firstField: batch.fieldCount, fieldCount: scan.fieldCount,
          number: nextNumber, line: line, innerLineFeeds: scan.innerLineFeeds, offset: offset,
          length: bytes.count, faults: scan.faults, firstFault: scan.firstFault,
          faultOffset: offset + scan.faultByte - bytes.lowerBound, faultField: scan.faultField,
          extentIsCertain: scan.extentIsCertain))
      batch.fieldCount += min(scan.fieldCount, fieldLimit)
      nextNumber += 1
    }
    advance(by: bytes.count, innerLineFeeds: scan.innerLineFeeds, scan.lineEnd)
    batch.parsed = bytes.upperBound
  }

  /// Of the other faults of a record over the limit, only an open quote is reported.
  private mutating func appendTooLong(
    _ batch: inout RecordBatch, bytes: Range<Int>, offset: Int, line: Int, innerLineFeeds: Int,
    isOpen: Bool
  ) {
    let end = self.offset + bytes.count
    batch.records.append(
      Record(
        bytes: bytes, firstField: batch.fieldCount, fieldCount: 0, number: nextNumber, line: line,
        innerLineFeeds: innerLineFeeds, offset: offset, length: end - offset,
        faults: isOpen ? [.tooLong, .unterminatedQuote] : .tooLong, firstFault: .tooLong,
        faultOffset: offset, faultField: 0, extentIsCertain: false))
    nextNumber += 1
  }

  mutating func skipOn(_ block: Span<UInt8>, isLast: Bool, _ batch: inout RecordBatch) -> Bool {
    guard var skip else { return false }
    let start = batch.parsed
    let (end, isWhole) = skip.advance(in: block, from: start, isLast: isLast)
    self.skip = isWhole ? nil : skip
    if isWhole {
      appendTooLong(
        &batch, bytes: start..<end, offset: skip.offset, line: skip.line,
        innerLineFeeds: skip.innerLineFeeds, isOpen: skip.isOpen)
      advance(by: end - start, innerLineFeeds: skip.innerLineFeeds, skip.lineEnd)
    } else {
      offset += end - start
    }
    batch.parsed = end
    return isWhole
  }

  private mutating func advance(by length: Int, innerLineFeeds: Int, _ lineEnd: LineEnd) {
    offset += length
    line += innerLineFeeds
    switch lineEnd {
    case .none: return
    case .lineFeed: lineFeeds += 1
    case .carriageReturnLineFeed: carriageReturnLineFeeds += 1
    }
    line += 1
  }
}

/// The reason why a whole file cannot be read as CSV.
public enum CSVError: Error, Equatable, Sendable {
  /// The byte order mark belongs to an encoding other than UTF-8; the value is the encoding's name.
  case unsupportedEncoding(String)
}
