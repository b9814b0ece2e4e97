/// What is at one place of a text in a dialect.
struct Lexeme {
  enum Kind {
    case text, delimiter, quote, lineEnd
    /// A carriage return without a line feed, where the two together end a line.
    case loneReturn
    case nul
    /// A space, where those at the beginning of a field are passed over.
    case space
    /// The character that takes the meaning of the next one, with nothing behind it in the file.
    case escape
    /// Something that the block ends within.
    case cut
  }

  var kind: Kind
  /// Its bytes, an escape before it included.
  var length: Int
  /// The bytes of the escape before it, which takes its meaning; 0 if there is none.
  var escapeLength = 0

  static let cut = Lexeme(.cut, 0)

  init(_ kind: Kind, _ length: Int) {
    self.kind = kind
    self.length = length
  }
}

/// A walk over one record that knows what each lexeme of it is for.
struct DialectWalk {
  private(set) var place = Place.fieldStart
  let dialect: Dialect

  enum Place { case fieldStart, plain, quoted, afterQuote, faulty }

  enum Step {
    case content
    /// An escape, and after it a part of the field's text.
    case escaped
    case passed
    /// The quote before the field's text, the one after it, and one that follows that: so both are one in the text.
    case opening, closing, doubling
    case fieldEnd, recordEnd
    /// What must not be there; the record has no fields from here on.
    case fault(Record.Faults)
    /// Something behind a fault.
    case unknown
  }

  init(in dialect: Dialect) { self.dialect = dialect }

  /// Returns the first place from `start` on where something may be that has a meaning, or that must not be there.
  mutating func passText(in block: Span<UInt8>, from start: Int, seen: inout UInt8) -> Int {
    guard place != .afterQuote else { return start }
    var index = start
    while index < block.count, !dialect.hasMeaning(block[index]) {
      seen |= block[index]
      index += 1
    }
    if index > start, place == .fieldStart { place = .plain }
    return index
  }

  mutating func step(over lexeme: Lexeme) -> Step {
    if lexeme.escapeLength > 0 || lexeme.kind == .escape {
      if place == .faulty { return .unknown }
      if place == .afterQuote { return fault(.textAfterQuote) }
      if place == .fieldStart { place = .plain }
      return .escaped
    }
    switch (place, lexeme.kind) {
    case (.quoted, .quote):
      place = .afterQuote
      return .closing
    case (.quoted, _): return .content
    case (_, .lineEnd): return .recordEnd
    case (.faulty, _): return .unknown
    case (.afterQuote, .quote) where dialect.doublesQuotes:
      place = .quoted
      return .doubling
    case (.fieldStart, .quote):
      place = .quoted
      return .opening
    case (_, .delimiter):
      place = .fieldStart
      return .fieldEnd
    case (.fieldStart, .space): return .passed
    case (_, .loneReturn): return fault(.bareCarriageReturn)
    case (.plain, .quote): return fault(.strayQuote)
    case (.afterQuote, _): return fault(.textAfterQuote)
    default:
      place = .plain
      return .content
    }
  }

  private mutating func fault(_ fault: Record.Faults) -> Step {
    place = .faulty
    return .fault(fault)
  }
}
