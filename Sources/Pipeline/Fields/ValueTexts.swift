package import Schema

/// Whether the text of each value of a column follows from the value, so that it can be written back.
package enum ValueTexts {
  case numbers(NumberTexts)
  /// Times in a pattern; whether all have zeros before numbers below 10, and whether none has.
  case times(TimePattern, isPadded: Bool, isUnpadded: Bool)

  /// No texts so far; nil for a spelling in which a value has one text, or none.
  package init?(_ spelling: FieldFormat.Spelling) {
    switch spelling {
    case .integer(let spelling) where spelling.isBare, .number(let spelling) where spelling.isBare:
      self = .numbers(NumberTexts(spelling))
    case .time(let pattern):
      self = .times(TimePattern(pattern), isPadded: true, isUnpadded: true)
    default: return nil
    }
  }

  package var areKept: Bool {
    switch self {
    case .numbers(let texts): texts.areKept
    case .times(_, let isPadded, let isUnpadded): isPadded || isUnpadded
    }
  }

  package mutating func add(_ range: Range<Int>, of bytes: Span<UInt8>) {
    switch self {
    case .numbers(var texts):
      texts.add(range, of: bytes)
      self = .numbers(texts)
    case .times(let pattern, let isPadded, let isUnpadded):
      func isWritten(padded: Bool) -> Bool {
        pattern.read(range, of: bytes, isPadded: padded)?.end == range.upperBound
      }
      self = .times(
        pattern, isPadded: isPadded && isWritten(padded: true),
        isUnpadded: isUnpadded && isWritten(padded: false))
    }
  }
}
