// How the parser works, why it is built so, and what to watch when changing it.
//
// The caller fills a `RecordBatch` with a block of the file and calls `parse`, which walks the block once and notes
// where each record and field begins and ends. Fields are slices of the block. Only a field with doubled quotes is
// copied, unescaped, to the room after the block. Nothing is decoded, and no `String` is made.
//
// - `StructuralIndex` makes a bitmap of the next 64 bytes: a bit for each byte up to the comma (0x2C). These are all
//   the bytes that mean something in CSV (comma, quote, CR, LF), the NUL byte, and some harmless ones such as the
//   space. The next structural byte is then a shift and a count of trailing zeros.
// - `RecordScan` goes from one structural byte to the next through one record. Unquoted fields are a tight
//   loop; a field that begins with a quote runs to the quote that is not doubled.
// - `DialectScan` does the same byte by byte in any other dialect: each byte is looked up in a set, and one in the set
//   is compared with the marks of the dialect. `Parser` chooses the scan once for a block. One scan for both that only
//   judges faults takes 15 % longer for short records.
// - `Parser` finds byte order mark, blank lines and comments, keeps offset, line and number, and turns scans into
//   records. What a block cuts in two stays in `unparsed`, and is scanned again from its first byte when there is
//   more. A batch that is full of one record doubles. Beyond `recordLimit`, `RecordSkip` looks for the record's end
//   byte by byte and keeps nothing, so memory stays bounded.
//
// Why so
//
// Fields of the dumps are a few bytes long. A loop that compares every byte pays a mispredicted branch for each
// field; one bitmap serves all the fields in 64 bytes. MB/s before and after: `inventory_parts` (18 bytes a record,
// 4 a field) 400 and 480, `parts` 570 and 860, long unquoted fields 1060 and 1360, quoted fields 1000 and 1280,
// doubled quotes 450 and 680. What changes with every field stays in local variables, and a refilled window is a new
// value, so that the optimizer can hold both in registers. Text is validated as UTF-8 only if a window of the record
// had a byte above 127 or the record has another fault.
//
// What must stay true
//
// - The size of a block changes nothing that is reported. A cut inside CRLF, a doubled quote or a byte order mark
//   waits for more bytes unless the file has ended.
// - Every byte of the file belongs to the byte order mark, a blank line, a comment or exactly one record.
// - A fault spoils its own record only. After a stray quote, text after a quote or a lone carriage return, the record
//   ends at the next line feed. Whether that is certainly its end is defined in Rejects.md and decided in
//   `endFaultyRecord`.
// - `RecordScan` and `DialectWalk` agree on what quotes mean in the standard dialect. A change of the grammar is made
//   in both, and in `ReferenceReader` of the tests.
// - Windows only move forward. `isASCII` may be false for a record that is ASCII, since windows reach into the
//   neighbours, but never true for one that is not.
// - Nothing is allocated per record or field. The batch's arrays are moved out while spans of them are held and moved
//   back, since a second owner would have them copied.
//
// After a change: `swift test --filter CSVTests` (`CSV_TEST_SEEDS=1000000` tries more random texts),
// `Tests/System/Sanitizers/fuzz 600 csv header`, which alone compares FaultPlace.swift with the scan, and
// `swift run -c release ingest-benchmark --subject stages`: `parse and validate` has a bar of 350 MB/s.

/// Reads CSV as RFC 4180 defines it, block by block, strictly.
///
/// Records are separated by LF or CRLF, fields by commas; a field may be in quotes, and a quote in
/// it is doubled. Text is UTF-8; a byte order mark at the very start of the file is skipped, and so
/// are blank lines, which are counted. A record with a fault is marked and ends at the next line end
/// after the fault; the next one is read as usual.
///
/// The parser keeps its place in the file and none of its text, so its memory is constant.
public struct Parser: ~Copyable, Sendable {
  /// The most bytes that a record may have, the line end included.
  public let recordLimit: Int
  /// The most fields of a record that are kept; the others are only counted.
  public let fieldLimit: Int

  /// Offset in the decompressed file of the first byte that belongs to no record yet.
  public internal(set) var offset = 0
  /// The line, from 1, that byte is on.
  public internal(set) var line = 1
  /// The number that the next record gets; the first record of a file, its header, is 0.
  public internal(set) var nextNumber: Int
  /// How many records ended with a line feed alone.
  public private(set) var lineFeeds = 0
  /// How many records ended with a carriage return and a line feed.
  public private(set) var carriageReturnLineFeeds = 0
  /// The lines, outside quotes, on which there was nothing at all.
  public private(set) var blankLines = 0
  /// The bytes of those lines, line ends included.
  public private(set) var blankBytes = 0
  /// The bytes of the byte order mark at the beginning; 0 if there is none.
  public private(set) var markBytes = 0
  /// The first blank line, from 1; 0 if there was none.
  public private(set) var firstBlankLine = 0

  /// The bytes of lines that are not records: comments, and rows that the dialect skips.
  package internal(set) var passedBytes = 0

  /// The dialect, if it takes the slower scan; nil for the standard one.
  private let dialect: Dialect?
  /// The numbers of the rows that are no records, rising; comments and blank lines are counted among rows.
  let passedRows: [Int]
  /// The rows that were read, and those of `passedRows` among them.
  var rows = 0
  var metPassedRows = 0
  /// Whether the last block has ended within a comment.
  var isInComment = false

  var skip: RecordSkip?

  /// The bytes skipped so far of a record that is too long and has not ended; 0 if there is none.
  package var skippedBytes: Int { skip.map { offset - $0.offset } ?? 0 }

  /// Makes a parser that is at the beginning of a file.
  ///
  /// - Parameters:
  ///   - recordLimit: the most bytes of a record; at most 1 GiB, for slices to fit into 32 bits.
  ///   - fieldLimit: the most fields of a record that are kept.
  public init(recordLimit: Int = 16 << 20, fieldLimit: Int = 2000) {
    self.init(recordLimit: recordLimit, fieldLimit: fieldLimit, dialect: .standard)
  }

  /// Makes a parser of a dialect that is at the beginning of a file.
  ///
  /// - Parameters:
  ///   - recordLimit: the most bytes of a record; at most 1 GiB, for slices to fit into 32 bits.
  ///   - fieldLimit: the most fields of a record that are kept.
  ///   - dialect: what the file is written in.
  ///   - passedRows: the numbers, from 1, of the rows that are no records; blank lines and comments are rows.
  ///   - headerRows: the records that make up the header; the number of the last one is 0.
  package init(
    recordLimit: Int, fieldLimit: Int = 2000, dialect: Dialect, passedRows: [Int] = [],
    headerRows: Int = 1
  ) {
    precondition((1...1 << 30).contains(recordLimit) && fieldLimit > 0)
    self.recordLimit = recordLimit
    self.fieldLimit = fieldLimit
    self.dialect = dialect.isStandard && passedRows.isEmpty ? nil : dialect
    self.passedRows = passedRows.sorted()
    nextNumber = 1 - headerRows
  }

  /// Finds the records in the bytes of `batch` that are not parsed yet.
  ///
  /// Stops where the block ends within a record and where the batch is full, so at the end of a file
  /// it is called until `unparsed` is empty. In time linear in the block; a record that does not fit
  /// into it is walked again with the next.
  ///
  /// - Parameters:
  ///   - batch: a batch without records, filled from the file.
  ///   - isLast: whether the file ends with the block.
  /// - Throws: `CSVError` for a file whose encoding is not UTF-8.
  public mutating func parse(_ batch: inout RecordBatch, isLast: Bool) throws(CSVError) {
    precondition(batch.fields.count >= fieldLimit, "a record must fit into a batch")
    if offset == 0 {
      // The mark of UTF-32 begins like that of UTF-16, so it takes four bytes to tell them apart.
      guard batch.filled >= 4 || isLast else { return }
      try skipByteOrderMark(&batch)
    }
    // Taken out of the batch while spans of them are held, so that the batch stays writable. They
    // are moved back, since a second owner would cause a copy at the next write.
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

  /// Parses one blank line or record, or notes that one is too long; false if the block ends first.
  private mutating func parseNext(
    _ block: Span<UInt8>, isLast: Bool, _ structurals: inout StructuralIndex,
    _ fields: inout MutableSpan<RecordBatch.Field>, _ batch: inout RecordBatch
  ) -> Bool {
    let start = batch.parsed
    if skip != nil { return skipOn(block, isLast: isLast, &batch) }
    if let end = endOfBlankLine(block, at: start) {
      noteBlankLine(length: end - start)
      batch.parsed = end
      return true
    }
    var room = fields._mutatingExtracting(batch.fieldCount..<batch.fieldCount + fieldLimit)
    var scan = RecordScan(from: start, isLast: isLast)
    scan.run(over: block, structurals: &structurals, fields: &room, unescaped: &batch.unescaped)
    guard let end = scan.end else {
      guard block.count - start > recordLimit else { return false }
      skip = RecordSkip(offset: offset, line: line, in: .standard)
      return true
    }
    if end - start > recordLimit {
      appendTooLong(
        &batch, bytes: start..<end, offset: offset, line: line,
        innerLineFeeds: scan.innerLineFeeds, isOpen: scan.faults.contains(.unterminatedQuote))
    } else {
      append(scan, bytes: start..<end, to: &batch)
    }
    advance(by: end - start, innerLineFeeds: scan.innerLineFeeds, scan.lineEnd)
    batch.parsed = end
    return true
  }

  private mutating func skipByteOrderMark(_ batch: inout RecordBatch) throws(CSVError) {
    let head = batch.bytes.prefix(min(4, batch.filled))
    if head.starts(with: [0xef, 0xbb, 0xbf]) {
      batch.parsed = 3
      offset = 3
      markBytes = 3
    } else if head.elementsEqual([0xff, 0xfe, 0, 0]) || head.elementsEqual([0, 0, 0xfe, 0xff]) {
      throw .unsupportedEncoding("UTF-32")
    } else if head.starts(with: [0xff, 0xfe]) || head.starts(with: [0xfe, 0xff]) {
      throw .unsupportedEncoding("UTF-16")
    }
  }

  private func endOfBlankLine(_ block: Span<UInt8>, at start: Int) -> Int? {
    if block[start] == Byte.lineFeed { return start + 1 }
    let isLineEnd =
      block[start] == Byte.carriageReturn && start + 1 < block.count
      && block[start + 1] == Byte.lineFeed
    return isLineEnd ? start + 2 : nil
  }

  mutating func noteBlankLine(length: Int) {
    if blankLines == 0 { firstBlankLine = line }
    blankLines += 1
    blankBytes += length
    line += 1
    offset += length
  }

  mutating func append(
    _ scan: borrowing RecordScan, bytes: Range<Int>, to batch: inout RecordBatch
  ) {
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

  /// Appends a record over the limit, kept whole or not; beside that only an open quote is reported.
  mutating func appendTooLong(
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

  /// Skips more of a record that is too long, and appends it once its end is found.
  mutating func skipOn(
    _ block: Span<UInt8>, isLast: Bool, _ batch: inout RecordBatch
  ) -> Bool {
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

  /// Moves the place in the file after a record.
  mutating func advance(by length: Int, innerLineFeeds: Int, _ lineEnd: LineEnd) {
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
