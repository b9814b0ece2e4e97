/// The bytes that have a meaning in CSV.
enum Byte {
  static let nul = UInt8(0)
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let quote = UInt8(ascii: "\"")
  static let comma = UInt8(ascii: ",")
}

/// One walk over the bytes of one record, from its first byte to its line end.
///
/// The walk is restarted when the block ends before the record does, so it keeps no state.
struct RecordScan {
  /// Offset behind the line end, or nil when the block ends first.
  var end: Int?
  var fieldCount = 0
  var innerLineFeeds = 0
  var lineEnd = LineEnd.none
  var faults: Record.Faults = []
  var faultByte = 0
  var faultField = 0
  var extentIsCertain = true
  /// All bytes of the record, or-ed: above 127 if one of them is not ASCII.
  private var seen: UInt8 = 0

  enum LineEnd { case none, lineFeed, carriageReturnLineFeed }

  /// Scans the record that begins at `start`.
  ///
  /// - Parameters:
  ///   - block: what is there of the file.
  ///   - isLast: whether the file ends with the block.
  ///   - fields: gets the slices of the first `fieldLimit` fields, from index `firstField`.
  ///   - unescaped: gets the text of fields with doubled quotes; it will stand behind the block.
  init(
    _ block: Span<UInt8>, from start: Int, isLast: Bool,
    fields: inout MutableSpan<RecordBatch.Field>, firstField: Int, fieldLimit: Int,
    unescaped: inout [UInt8]
  ) {
    var index = start
    while true {
      var field: RecordBatch.Field
      let isQuoted = index < block.count && block[index] == Byte.quote
      if isQuoted {
        guard let text = quotedField(block, &index, isLast: isLast, &unescaped) else {
          end = faults.contains(.unterminatedQuote) ? block.count : nil
          break
        }
        field = text
      } else {
        let fieldStart = index
        skipPlainBytes(block, &index)
        field = RecordBatch.Field(start: UInt32(fieldStart), end: UInt32(index))
      }
      if fieldCount < fieldLimit { fields[firstField + fieldCount] = field }
      fieldCount += 1
      guard index < block.count else {
        end = isLast ? index : nil
        break
      }
      guard block[index] == Byte.comma else {
        endRecord(block, from: start, at: index, isLast: isLast, isQuoted: isQuoted)
        break
      }
      index += 1
    }
    guard let end, seen >= 0x80 || !faults.isEmpty else { return }
    checkText(block.extracting(start..<end), from: start)
  }

  /// Moves to the next comma, quote or line end.
  private mutating func skipPlainBytes(_ block: Span<UInt8>, _ index: inout Int) {
    while index < block.count {
      let byte = block[index]
      // Nearly all bytes of a dump are above the comma, so one comparison settles them.
      if byte > Byte.comma {
        seen |= byte
      } else if byte == Byte.comma || byte == Byte.lineFeed || byte == Byte.carriageReturn
        || byte == Byte.quote
      {
        return
      } else if byte == Byte.nul {
        note(.nulByte, at: index)
      }
      index += 1
    }
  }

  /// Moves behind the closing quote and returns the text between, or nil if the block ends first.
  private mutating func quotedField(
    _ block: Span<UInt8>, _ index: inout Int, isLast: Bool, _ unescaped: inout [UInt8]
  ) -> RecordBatch.Field? {
    let opening = index
    index += 1
    var run = index
    let copy = unescaped.count
    var isCopied = false
    while index < block.count {
      let byte = block[index]
      if byte > Byte.comma {
        seen |= byte
      } else if byte == Byte.quote {
        guard index + 1 < block.count || isLast else { break }
        guard index + 1 < block.count, block[index + 1] == Byte.quote else {
          defer { index += 1 }
          guard isCopied else {
            return RecordBatch.Field(start: UInt32(opening + 1), end: UInt32(index))
          }
          for position in run..<index { unescaped.append(block[position]) }
          return RecordBatch.Field(
            start: UInt32(block.count + copy), end: UInt32(block.count + unescaped.count))
        }
        for position in run...index { unescaped.append(block[position]) }
        isCopied = true
        index += 1
        run = index + 1
      } else if byte == Byte.lineFeed {
        innerLineFeeds += 1
      } else if byte == Byte.nul {
        note(.nulByte, at: index)
      }
      index += 1
    }
    unescaped.removeLast(unescaped.count - copy)
    if isLast { note(.unterminatedQuote, at: opening) }
    return nil
  }

  /// Ends the record at the line end at `index`, or, when none is there, at the next one behind it.
  private mutating func endRecord(
    _ block: Span<UInt8>, from start: Int, at index: Int, isLast: Bool, isQuoted: Bool
  ) {
    let next = index + 1 < block.count ? block[index + 1] : nil
    switch (block[index], next) {
    case (Byte.lineFeed, _):
      (end, lineEnd) = (index + 1, .lineFeed)
    case (Byte.carriageReturn, Byte.lineFeed):
      (end, lineEnd) = (index + 2, .carriageReturnLineFeed)
    case (Byte.carriageReturn, nil) where !isLast:
      end = nil
    case (Byte.carriageReturn, _):
      note(.bareCarriageReturn, at: index)
      endFaultyRecord(block, from: start, at: index, isLast: isLast)
    default:
      note(isQuoted ? .textAfterQuote : .strayQuote, at: index)
      endFaultyRecord(block, from: start, at: index, isLast: isLast)
    }
  }

  /// Ends a record whose quotes or carriage returns cannot be trusted at the next line feed.
  ///
  /// That is certainly its end only if the number of quotes before it is even, too: then it lies
  /// outside quotes under either way of reading them.
  private mutating func endFaultyRecord(
    _ block: Span<UInt8>, from start: Int, at fault: Int, isLast: Bool
  ) {
    var index = fault
    while index < block.count, block[index] != Byte.lineFeed {
      if block[index] == Byte.nul { note(.nulByte, at: index) }
      index += 1
    }
    guard index < block.count || isLast else { return end = nil }
    var quotes = 0
    for position in start..<index where block[position] == Byte.quote { quotes += 1 }
    extentIsCertain = quotes.isMultiple(of: 2) && !faults.contains(.bareCarriageReturn)
    guard index < block.count else { return end = index }
    end = index + 1
    lineEnd =
      block[index - 1] == Byte.carriageReturn ? .carriageReturnLineFeed : .lineFeed
  }

  private mutating func checkText(_ record: Span<UInt8>, from start: Int) {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: record)
    } catch {
      let byte = start + error.byteOffsets.lowerBound
      var field = 0
      var isInsideQuotes = false
      for position in 0..<error.byteOffsets.lowerBound {
        if record[position] == Byte.quote { isInsideQuotes.toggle() }
        if record[position] == Byte.comma, !isInsideQuotes { field += 1 }
      }
      if faults.isEmpty || byte < faultByte { (faultByte, faultField) = (byte, field) }
      faults.insert(.invalidUTF8)
    }
  }

  private mutating func note(_ fault: Record.Faults, at byte: Int) {
    if faults.isEmpty { (faultByte, faultField) = (byte, fieldCount) }
    faults.insert(fault)
  }
}
