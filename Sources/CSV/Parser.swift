/// Reads CSV as RFC 4180 has it, block by block, strictly.
///
/// Records are parted by LF or CRLF, fields by commas; a field may stand in quotes, and a quote in
/// it is doubled. Text is UTF-8; a byte order mark at the very start of the file is passed over, and
/// so are blank lines, which are counted. A record with a fault is marked and ends at the next line
/// end behind the fault; the one after it is read as if nothing had been.
///
/// The parser holds the place in the file and nothing of its text, so its memory is constant.
public struct Parser: ~Copyable, Sendable {
  /// The most bytes that a record may have, the line end included.
  public let recordLimit: Int
  /// The most fields of a record that are kept; the others are only counted.
  public let fieldLimit: Int

  /// Offset in the decompressed file of the first byte that belongs to no record yet.
  public private(set) var offset = 0
  /// The line, from 1, on which that byte stands.
  public private(set) var line = 1
  /// The number that the next record gets; the first record of a file, its header, is 0.
  public private(set) var nextNumber = 0
  /// How many records ended with a line feed alone.
  public private(set) var lineFeeds = 0
  /// How many records ended with a carriage return and a line feed.
  public private(set) var carriageReturnLineFeeds = 0
  /// The lines, outside quotes, on which there was nothing at all.
  public private(set) var blankLines = 0
  /// The first blank line, from 1; 0 if there was none.
  public private(set) var firstBlankLine = 0

  private var skip: RecordSkip?

  /// Makes a parser that stands at the beginning of a file.
  public init(recordLimit: Int = 16 << 20, fieldLimit: Int = 1024) {
    self.recordLimit = recordLimit
    self.fieldLimit = fieldLimit
  }

  /// Finds the records in the bytes of `batch` that are not parsed yet.
  ///
  /// Stops where the block ends within a record and where the batch is full. In time linear in the
  /// block; a record that does not fit into it is walked again with the next.
  ///
  /// - Parameters:
  ///   - batch: a batch without records, filled from the file.
  ///   - isLast: whether the file ends with the block.
  /// - Throws: `CSVError` for a file whose encoding is not UTF-8.
  public mutating func parse(_ batch: inout RecordBatch, isLast: Bool) throws(CSVError) {
    precondition(batch.fields.count >= fieldLimit, "a record must fit into a batch")
    if offset == 0 { try skipByteOrderMark(&batch) }
    // Taken out of the batch while spans of them are held, so that the batch stays writable.
    let bytes = exchange(&batch.bytes, with: [])
    var fieldStorage = exchange(&batch.fields, with: [])
    defer {
      batch.bytes = bytes
      batch.fields = fieldStorage
      batch.appendUnescaped()
    }
    let block = bytes.span.extracting(0..<batch.filled)
    var fields = fieldStorage.mutableSpan
    while batch.parsed < block.count {
      guard batch.records.count < batch.recordCapacity,
        fields.count - batch.fieldCount >= fieldLimit
      else { break }
      let start = batch.parsed
      if skip != nil {
        guard let record = skipOn(block, from: start, isLast: isLast) else { break }
        batch.records.append(record)
        batch.parsed = record.bytes.upperBound
        continue
      }
      if let end = endOfBlankLine(block, at: start) {
        noteBlankLine(length: end - start)
        batch.parsed = end
        continue
      }
      var room = fields._mutatingExtracting(batch.fieldCount..<batch.fieldCount + fieldLimit)
      let scan = RecordScan(
        block, from: start, isLast: isLast, fields: &room, unescaped: &batch.unescaped)
      guard let end = scan.end else {
        guard block.count - start > recordLimit else { break }
        skip = RecordSkip(offset: offset, line: line)
        continue
      }
      batch.records.append(record(scan, bytes: start..<end, firstField: batch.fieldCount))
      batch.fieldCount += min(scan.fieldCount, fieldLimit)
      batch.parsed = end
    }
    if skip != nil { batch.parsed = batch.filled }
  }

  private mutating func skipByteOrderMark(_ batch: inout RecordBatch) throws(CSVError) {
    let head = batch.bytes.prefix(min(4, batch.filled))
    if head.starts(with: [0xef, 0xbb, 0xbf]) {
      batch.parsed = 3
      offset = 3
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

  private mutating func noteBlankLine(length: Int) {
    if blankLines == 0 { firstBlankLine = line }
    blankLines += 1
    line += 1
    offset += length
  }

  /// Makes the record of a scan, and moves the place in the file behind it.
  private mutating func record(_ scan: RecordScan, bytes: Range<Int>, firstField: Int) -> Record {
    var faults = scan.faults
    if bytes.count > recordLimit { faults.insert(.tooLong) }
    let hasPlace = !scan.faults.isEmpty
    let record = Record(
      bytes: bytes, firstField: firstField, fieldCount: scan.fieldCount, number: nextNumber,
      line: line, innerLineFeeds: scan.innerLineFeeds, offset: offset, length: bytes.count,
      faults: faults, faultOffset: offset + (hasPlace ? scan.faultByte - bytes.lowerBound : 0),
      faultField: scan.faultField, extentIsCertain: scan.extentIsCertain)
    switch scan.lineEnd {
    case .none: break
    case .lineFeed: lineFeeds += 1
    case .carriageReturnLineFeed: carriageReturnLineFeeds += 1
    }
    line += scan.innerLineFeeds + (scan.lineEnd == .none ? 0 : 1)
    offset += bytes.count
    nextNumber += 1
    return record
  }

  /// Passes over more of a record that is too long; returns it once its end is found.
  private mutating func skipOn(_ block: Span<UInt8>, from start: Int, isLast: Bool) -> Record? {
    guard var skip else { return nil }
    let found = skip.end(in: block, from: start)
    guard let end = found ?? (isLast ? block.count : nil) else {
      offset += block.count - start
      self.skip = skip
      return nil
    }
    self.skip = nil
    let isOpen = found == nil && skip.isInsideQuotes
    offset += end - start
    line += skip.innerLineFeeds + (found == nil ? 0 : 1)
    defer { nextNumber += 1 }
    return Record(
      bytes: start..<end, firstField: 0, fieldCount: 0, number: nextNumber, line: skip.line,
      innerLineFeeds: skip.innerLineFeeds, offset: skip.offset, length: offset - skip.offset,
      faults: isOpen ? [.tooLong, .unterminatedQuote] : .tooLong, faultOffset: skip.offset,
      faultField: 0, extentIsCertain: false)
  }
}
