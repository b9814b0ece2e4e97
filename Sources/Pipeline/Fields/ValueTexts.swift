package import SQLiteSwiftly
package import Schema

/// Whether the text of each value of a column follows from the value, so that it can be written back.
package enum ValueTexts {
  case numbers(NumberTexts)
  case times(TimeTexts)
  /// Times in a pattern; whether all have zeros before numbers below 10, and whether none has.
  case patternTimes(TimePattern, isPadded: Bool, isUnpadded: Bool)
  /// Whether there are booleans of one letter, and of a word.
  case booleans(hasLetters: Bool, hasWords: Bool)

  /// No texts so far; nil for a spelling in which a value has one text, or none.
  package init?(_ spelling: FieldFormat.Spelling, of column: ColumnDescription) {
    switch (spelling, column.domain?.times.first) {
    case (.integer(let spelling), _) where spelling.isBare,
      (.number(let spelling), _) where spelling.isBare:
      self = .numbers(NumberTexts(spelling))
    case (.exact, .time), (.exact, .dateTime), (.anyTime, .dateTime): self = .times(TimeTexts())
    case (.time(let pattern), _):
      self = .patternTimes(TimePattern(pattern), isPadded: true, isUnpadded: true)
    case (.exact, _) where column.type == .boolean:
      self = .booleans(hasLetters: false, hasWords: false)
    default: return nil
    }
  }

  package var areKept: Bool {
    switch self {
    case .numbers(let texts): texts.areKept
    case .times(let texts): texts.areKept
    case .patternTimes(_, let isPadded, let isUnpadded): isPadded || isUnpadded
    case .booleans(let hasLetters, let hasWords): !hasLetters || !hasWords
    }
  }

  package mutating func add(_ range: Range<Int>, of bytes: Span<UInt8>) {
    switch self {
    case .numbers(var texts):
      texts.add(range, of: bytes)
      self = .numbers(texts)
    case .times(var texts):
      texts.add(range, of: bytes)
      self = .times(texts)
    case .patternTimes(let pattern, let isPadded, let isUnpadded):
      func isWritten(padded: Bool) -> Bool {
        pattern.read(range, of: bytes, isPadded: padded)?.end == range.upperBound
      }
      self = .patternTimes(
        pattern, isPadded: isPadded && isWritten(padded: true),
        isUnpadded: isUnpadded && isWritten(padded: false))
    case .booleans(let hasLetters, let hasWords):
      self = .booleans(
        hasLetters: hasLetters || range.count == 1, hasWords: hasWords || range.count > 1)
    }
  }
}
