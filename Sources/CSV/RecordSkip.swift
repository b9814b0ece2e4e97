/// A walk to the end of a record that is too long to be kept, resumed with every block.
struct RecordSkip {
  /// Offset in the file and line of the record's first byte.
  let offset: Int
  let line: Int
  private(set) var innerLineFeeds = 0
  private var place = Place.fieldStart

  private enum Place { case fieldStart, plain, quoted, behindQuote, faulty }

  init(offset: Int, line: Int) {
    self.offset = offset
    self.line = line
  }

  var isInsideQuotes: Bool { place == .quoted }

  /// Returns the offset behind the record's line end, or nil if `block` ends before it.
  mutating func end(in block: Span<UInt8>, from start: Int) -> Int? {
    for index in start..<block.count {
      let byte = block[index]
      if byte == Byte.lineFeed {
        guard place == .quoted else { return index + 1 }
        innerLineFeeds += 1
      }
      place = next(behind: byte)
    }
    return nil
  }

  private func next(behind byte: UInt8) -> Place {
    switch (place, byte) {
    case (.faulty, _): .faulty
    case (.quoted, Byte.quote): .behindQuote
    case (.quoted, _): .quoted
    case (.behindQuote, Byte.quote), (.fieldStart, Byte.quote): .quoted
    case (_, Byte.comma): .fieldStart
    case (.plain, Byte.quote): .faulty
    case (.behindQuote, Byte.carriageReturn): .behindQuote
    case (.behindQuote, _): .faulty
    default: .plain
    }
  }
}
