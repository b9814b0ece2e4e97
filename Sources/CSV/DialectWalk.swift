/// The lexeme at one position of a text in a dialect.
struct Lexeme {
  enum Kind {
    case text, delimiter, quote, lineEnd
    /// A carriage return without a line feed, if the two together end a line.
    case loneReturn
    case nul
    /// A space, if leading spaces of fields are skipped.
    case space
    /// An escape at the end of the file.
    case escape
    /// A lexeme cut by the end of the block.
    case cut
  }

  var kind: Kind
  /// Its bytes, including an escape before it.
  var length: Int
  /// The bytes of the escape before it; 0 if there is none.
  var escapeLength = 0

  static let cut = Lexeme(.cut, 0)

  init(_ kind: Kind, _ length: Int) {
    self.kind = kind
    self.length = length
  }
}

/// A scan of one record that determines the role of each lexeme.
struct DialectWalk {
  private(set) var state = State.fieldStart
  let dialect: Dialect

  enum State { case fieldStart, plain, quoted, afterQuote, faulty }

  enum Step {
    case content
    /// An escape, followed by a part of the field's text.
    case escaped
    case passed
    /// The quote before the field's text, the one after it, and one that follows that: then both are one in the text.
    case opening, closing, doubling
    case fieldEnd, recordEnd
    /// An invalid lexeme; the record has no fields from here on.
    case fault(Record.Faults)
    /// A lexeme after a fault.
    case unknown
  }

  init(in dialect: Dialect) { self.dialect = dialect }

  /// Returns the first position from `start` that may contain a mark or a fault.
  mutating func skipText(in block: Span<UInt8>, from start: Int, seen: inout UInt8) -> Int {
    guard state != .afterQuote else { return start }
    var index = start
    while index < block.count, !dialect.hasMeaning(block[index]) {
      seen |= block[index]
      index += 1
    }
    if index > start, state == .fieldStart { state = .plain }
    return index
  }

  mutating func step(over lexeme: Lexeme) -> Step {
    if lexeme.escapeLength > 0 || lexeme.kind == .escape {
      if state == .faulty { return .unknown }
      if state == .afterQuote { return fault(.textAfterQuote) }
      if state == .fieldStart { state = .plain }
      return .escaped
    }
    switch (state, lexeme.kind) {
    case (.quoted, .quote):
      state = .afterQuote
      return .closing
    case (.quoted, _): return .content
    case (_, .lineEnd): return .recordEnd
    case (.faulty, _): return .unknown
    case (.afterQuote, .quote) where dialect.doublesQuotes:
      state = .quoted
      return .doubling
    case (.fieldStart, .quote):
      state = .quoted
      return .opening
    case (_, .delimiter):
      state = .fieldStart
      return .fieldEnd
    case (.fieldStart, .space): return .passed
    case (_, .loneReturn): return fault(.bareCarriageReturn)
    case (.plain, .quote): return fault(.strayQuote)
    case (.afterQuote, _): return fault(.textAfterQuote)
    default:
      state = .plain
      return .content
    }
  }

  func lineEnd(of lexeme: Lexeme) -> LineEnd {
    dialect.terminator == nil && lexeme.length == 2 ? .carriageReturnLineFeed : .lineFeed
  }

  private mutating func fault(_ fault: Record.Faults) -> Step {
    state = .faulty
    return .fault(fault)
  }
}

extension Record.Faults {
  /// Finds the byte and the field of the first fault of one kind in a record, including its line
  /// end; the record itself stores only the position of its first fault.
  package func firstPlace(
    in bytes: Span<UInt8>, dialect: Dialect = .standard
  ) -> (byte: Int, field: Int)? {
    var target: Int?
    switch self {
    case .nulByte: target = bytes.indices.first { bytes[$0] == Byte.nul }
    case .invalidUTF8:
      do throws(UTF8.ValidationError) {
        _ = try UTF8Span(validating: bytes)
      } catch {
        target = error.byteOffsets.lowerBound
      }
    case .ambiguousEscape: target = dialect.firstControlEscape(in: bytes)
    default: break
    }
    let isText = [.nulByte, .invalidUTF8, .ambiguousEscape].contains(self)
    guard !isText || target != nil else { return nil }
    var walk = DialectWalk(in: dialect)
    // Unchanged after a fault.
    var field = 0
    var index = 0
    while index < bytes.count {
      let lexeme = dialect.lexeme(in: bytes, at: index, isLast: true)
      let next = index + lexeme.length
      if let target, target < next { return (target, field) }
      switch walk.step(over: lexeme) {
      case .fault(self): return (index, field)
      case .fieldEnd: field += 1
      default: break
      }
      index = next
    }
    return nil
  }
}

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
  var isOpen: Bool { walk.state == .quoted || endsInEscape }

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
      let isInside = walk.state == .quoted || lexeme.escapeLength > 0
      if lexeme.kind == .lineEnd, isInside { innerLineFeeds += 1 }
      index += lexeme.length
      let step = walk.step(over: lexeme)
      endsInEscape = lexeme.kind == .escape && walk.state != .faulty
      if case .recordEnd = step {
        lineEnd = walk.lineEnd(of: lexeme)
        return (index, true)
      }
    }
  }
}
