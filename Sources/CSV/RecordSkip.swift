/// A walk to the end of a record that is too long to be kept, resumed with every block.
///
/// It ends the record where `RecordScan` would, so that the size of a block makes no difference.
struct RecordSkip {
  /// Offset in the file and line of the record's first byte.
  let offset: Int
  let line: Int
  private(set) var innerLineFeeds = 0
  private(set) var lineEnd = LineEnd.none
  private var place = Place.fieldStart
  private var previous = Byte.nul

  private enum Place { case fieldStart, plain, quoted, afterQuote, afterReturn, faulty }

  init(offset: Int, line: Int) {
    self.offset = offset
    self.line = line
  }

  var isInsideQuotes: Bool { place == .quoted }

  /// Returns the offset after the record's line end, or nil if `block` ends before it.
  mutating func end(in block: Span<UInt8>, from start: Int) -> Int? {
    for index in start..<block.count {
      let byte = block[index]
      if byte == Byte.lineFeed {
        guard isInsideQuotes else {
          lineEnd = previous == Byte.carriageReturn ? .carriageReturnLineFeed : .lineFeed
          return index + 1
        }
        innerLineFeeds += 1
      }
      place = next(after: byte)
      previous = byte
    }
    return nil
  }

  private func next(after byte: UInt8) -> Place {
    switch (place, byte) {
    case (.faulty, _), (.afterReturn, _): .faulty
    case (.quoted, Byte.quote): .afterQuote
    case (.quoted, _): .quoted
    case (.afterQuote, Byte.quote), (.fieldStart, Byte.quote): .quoted
    case (_, Byte.comma): .fieldStart
    case (_, Byte.carriageReturn): .afterReturn
    case (.plain, Byte.quote), (.afterQuote, _): .faulty
    default: .plain
    }
  }
}
