/// A scan for the end of a record that is too long to store, continued with every block; it finds
/// the same end as `RecordScan` and `DialectScan`.
struct RecordSkip {
  /// The offset in the file and the line of the record's first byte.
  let offset: Int
  let line: Int
  private(set) var innerLineFeeds = 0
  private(set) var lineEnd = LineEnd.none
  private var walk: DialectWalk
  private var endsInEscape = false

  init(offset: Int, line: Int, in dialect: Dialect) {
    self.offset = offset
    self.line = line
    walk = DialectWalk(in: dialect)
  }

  /// Whether the record, and with it the file, ends inside quotes or after an escape.
  var isOpen: Bool { walk.place == .quoted || endsInEscape }

  /// Advances to the record's end, or to the end of the block; returns the position after the
  /// skipped bytes, and whether the record has ended.
  mutating func advance(
    in block: Span<UInt8>, from start: Int, isLast: Bool
  ) -> (end: Int, isWhole: Bool) {
    var index = start
    var seen: UInt8 = 0
    while true {
      index = walk.skipText(in: block, from: index, seen: &seen)
      guard index < block.count else { return (index, isLast) }
      let lexeme = walk.dialect.lexeme(in: block, at: index, isLast: isLast)
      guard lexeme.kind != .cut else { return (index, false) }
      let isInside = walk.place == .quoted || lexeme.escapeLength > 0
      if lexeme.kind == .lineEnd, isInside { innerLineFeeds += 1 }
      index += lexeme.length
      let step = walk.step(over: lexeme)
      endsInEscape = lexeme.kind == .escape && walk.place != .faulty
      if case .recordEnd = step {
        lineEnd = walk.lineEnd(of: lexeme)
        return (index, true)
      }
    }
  }
}
