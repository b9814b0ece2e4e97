/// The text format of records and fields.
///
/// The standard dialect is that of RFC 4180, which also allows LF for CRLF.
package struct Dialect: Equatable, Sendable {
  private(set) var delimiter = Mark(Byte.comma)
  /// The terminator of a record; nil for LF and CRLF.
  private(set) var terminator: Mark?
  /// The quote around fields; nil if there is none.
  private(set) var quote: Mark? = Mark(Byte.quote)
  /// Whether a quote within quotes is doubled; otherwise it is escaped.
  package private(set) var doublesQuotes = true
  /// The escape before a literal character; nil in a dialect without one.
  private(set) var escape: Mark?
  /// Whether an escape makes control characters of some letters, as in the exports of databases.
  private(set) var decodesControls = false
  /// The prefix of a comment line; nil in a dialect without comments.
  private(set) var comment: Mark?
  private(set) var skipsInitialSpace = false
  /// The first bytes of all marks within a record.
  private var beginnings = ByteSet([
    Byte.nul, Byte.comma, Byte.quote, Byte.lineFeed, Byte.carriageReturn,
  ])

  package static let standard = Dialect()

  package var isStandard: Bool { self == .standard }

  package var hasEscape: Bool { escape != nil }

  private init() {}

  /// Creates a dialect; a terminator of LF or CRLF means either, as nil does.
  ///
  /// - Throws: `DialectError` if the marks are ambiguous.
  package init(
    delimiter: String, terminator: String?, quote: String?, doublesQuotes: Bool, escape: String?,
    decodesControls: Bool = false, comment: String?, skipsInitialSpace: Bool
  ) throws(DialectError) {
    // Both line ends are accepted if either is specified.
    let isUsual = terminator.map {
      $0.utf8.elementsEqual("\r\n".utf8) || $0.utf8.elementsEqual("\n".utf8)
    }
    let terminator = isUsual == true ? nil : terminator
    try DialectTexts(
      inRecord: [
        (.delimiter, delimiter), (.lineTerminator, terminator), (.quote, quote), (.escape, escape),
      ].compactMap { name, text in text.map { (name, $0) } }, comment: comment
    ).check(skipsInitialSpace: skipsInitialSpace)
    self.delimiter = Mark(delimiter)
    self.terminator = terminator.map(Mark.init)
    self.quote = quote.map(Mark.init)
    self.doublesQuotes = doublesQuotes
    self.escape = escape.map(Mark.init)
    self.decodesControls = decodesControls
    self.comment = comment.map(Mark.init)
    self.skipsInitialSpace = skipsInitialSpace
    let marks = [self.delimiter, self.terminator, self.quote, self.escape].compactMap(\.self)
    beginnings = ByteSet(
      marks.map(\.first) + [Byte.nul] + (skipsInitialSpace ? [Byte.space] : [])
        + (self.terminator == nil ? [Byte.lineFeed, Byte.carriageReturn] : []))
  }

  /// The control character that MySQL and PostgreSQL write as a backslash and this letter; nil for others.
  func control(of letter: UInt8) -> UInt8? {
    guard escape == Mark(UInt8(ascii: "\\")) else { return nil }
    return switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "t"): 0x09
    case UInt8(ascii: "n"): 0x0a
    case UInt8(ascii: "v"): 0x0b
    case UInt8(ascii: "f"): 0x0c
    case UInt8(ascii: "r"): 0x0d
    case UInt8(ascii: "Z"): 0x1a
    default: nil
    }
  }

  /// Whether a mark within a record may begin with a byte.
  func hasMeaning(_ byte: UInt8) -> Bool { beginnings.contains(byte) }

  package func endsLine(_ byte: UInt8) -> Bool {
    terminator.map { $0.last == byte } ?? (byte == Byte.lineFeed || byte == Byte.carriageReturn)
  }

  /// The last byte of a line end.
  package var lastByteOfLine: UInt8 { terminator?.last ?? Byte.lineFeed }

  /// The number of delimiters in a text, in quotes or not.
  package func countDelimiters(in text: Span<UInt8>) -> Int {
    text.indices.count { delimiter.match(in: text, at: $0) == .whole }
  }

  /// The lexeme at a position of a block, an escape with the character it escapes; a cut if more of the file is needed.
  func lexeme(in block: Span<UInt8>, at index: Int, isLast: Bool) -> Lexeme {
    let lexeme = plainLexeme(in: block, at: index, isLast: isLast)
    guard lexeme.kind == .escape else { return lexeme }
    let next = index + lexeme.length
    guard next < block.count else { return isLast ? lexeme : .cut }
    var meant = plainLexeme(in: block, at: next, isLast: isLast)
    guard meant.kind != .cut else { return meant }
    if meant.kind == .escape { meant.kind = .text }
    meant.escapeLength = lexeme.length
    meant.length += lexeme.length
    return meant
  }

  func firstControlEscape(in bytes: Span<UInt8>) -> Int? {
    var index = 0
    while index < bytes.count {
      let lexeme = lexeme(in: bytes, at: index, isLast: true)
      let next = index + lexeme.length
      if lexeme.escapeLength > 0, lexeme.kind == .text, control(of: bytes[next - 1]) != nil {
        return index
      }
      index = next
    }
    return nil
  }

  /// The lexeme at a position, ignoring an escape before it.
  func plainLexeme(in block: Span<UInt8>, at index: Int, isLast: Bool) -> Lexeme {
    let byte = block[index]
    guard beginnings.contains(byte) else { return Lexeme(.text, 1) }
    if let lexeme = lexeme(delimiter, .delimiter, block, index, isLast) { return lexeme }
    if let quote, let lexeme = lexeme(quote, .quote, block, index, isLast) { return lexeme }
    if let escape, let lexeme = lexeme(escape, .escape, block, index, isLast) { return lexeme }
    if let terminator {
      if let lexeme = lexeme(terminator, .lineEnd, block, index, isLast) { return lexeme }
    } else if byte == Byte.lineFeed {
      return Lexeme(.lineEnd, 1)
    } else if byte == Byte.carriageReturn {
      guard index + 1 < block.count else { return isLast ? Lexeme(.loneReturn, 1) : .cut }
      return block[index + 1] == Byte.lineFeed ? Lexeme(.lineEnd, 2) : Lexeme(.loneReturn, 1)
    }
    if byte == Byte.nul { return Lexeme(.nul, 1) }
    return Lexeme(byte == Byte.space && skipsInitialSpace ? .space : .text, 1)
  }

  /// A mark at a position, if it is or may be there.
  private func lexeme(
    _ mark: Mark, _ kind: Lexeme.Kind, _ block: Span<UInt8>, _ index: Int, _ isLast: Bool
  ) -> Lexeme? {
    switch mark.match(in: block, at: index) {
    case .whole: Lexeme(kind, mark.count)
    case .cut where !isLast: .cut
    case .cut, .none: nil
    }
  }
}

/// The reason why a dialect is ambiguous.
package struct DialectError: Error, Equatable, Sendable {
  /// The fault, as a sentence without a period.
  package let message: String

  package init(message: String) { self.message = message }
}

private struct DialectTexts {
  enum Name: String {
    case delimiter
    case lineTerminator = "line terminator"
    case quote = "quote character"
    case escape = "escape character"
    case comment = "comment prefix"
  }

  /// The marks within a record.
  let inRecord: [(name: Name, text: String)]
  let comment: String?

  /// Checks that no text can be read as two of the marks.
  func check(skipsInitialSpace: Bool) throws(DialectError) {
    for (name, text) in inRecord + (comment.map { [(.comment, $0)] } ?? []) {
      let bytes = Array(text.utf8)
      guard 1...Mark.mostBytes ~= bytes.count else {
        throw DialectError(
          message: "the \(name.rawValue) must have 1 to \(Mark.mostBytes) bytes, not \(bytes.count)"
        )
      }
      let lineEnds = name == .lineTerminator ? [] : [Byte.lineFeed, Byte.carriageReturn]
      guard !bytes.contains(Byte.nul), !bytes.contains(where: lineEnds.contains) else {
        throw DialectError(message: "the \(name.rawValue) contains a line end or a NUL character")
      }
      guard !skipsInitialSpace || !bytes.contains(Byte.space) else {
        throw DialectError(
          message: "the \(name.rawValue) contains a space, but spaces after a delimiter are skipped"
        )
      }
    }
    for (name, text) in inRecord
    where [.quote, .escape].contains(name) && text.unicodeScalars.count > 1 {
      throw DialectError(message: "the \(name.rawValue) is longer than one character")
    }
    for (index, first) in inRecord.enumerated() {
      for second in inRecord[(index + 1)...]
      where contains(first.text, second.text) || contains(second.text, first.text) {
        throw DialectError(
          message: "the \(first.name.rawValue) and the \(second.name.rawValue) are ambiguous")
      }
    }
    guard let comment = comment?.utf8 else { return }
    for (name, text) in inRecord
    where text.utf8.starts(with: comment) || comment.starts(with: text.utf8) {
      throw DialectError(message: "the comment prefix and the \(name.rawValue) are ambiguous")
    }
  }

  private func contains(_ text: String, _ part: String) -> Bool {
    text.utf8.indices.contains { text.utf8[$0...].starts(with: part.utf8) }
  }
}

/// A few bytes with a meaning in a dialect, stored without an allocation.
struct Mark: Equatable, Sendable {
  /// The bytes, the first in the lowest position.
  private let bytes: UInt64
  let count: Int

  static let mostBytes = 8

  var first: UInt8 { UInt8(truncatingIfNeeded: bytes) }

  var last: UInt8 { UInt8(truncatingIfNeeded: bytes >> UInt64(8 * (count - 1))) }

  init(_ byte: UInt8) {
    bytes = UInt64(byte)
    count = 1
  }

  init(_ text: String) {
    precondition(1...Self.mostBytes ~= text.utf8.count)
    bytes = text.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    count = text.utf8.count
  }

  /// The match at a position; a cut if the block ends too early to decide.
  enum Match { case none, cut, whole }

  func match(in block: Span<UInt8>, at index: Int) -> Match {
    var rest = bytes
    for offset in index..<index + count {
      guard offset < block.count else { return .cut }
      guard block[offset] == UInt8(truncatingIfNeeded: rest) else { return .none }
      rest >>= 8
    }
    return .whole
  }
}

struct ByteSet: Equatable, Sendable {
  private var low: UInt64 = 0
  private var second: UInt64 = 0
  private var third: UInt64 = 0
  private var high: UInt64 = 0

  init(_ bytes: [UInt8]) {
    for byte in bytes {
      let bit: UInt64 = 1 << UInt64(byte & 63)
      switch byte >> 6 {
      case 0: low |= bit
      case 1: second |= bit
      case 2: third |= bit
      default: high |= bit
      }
    }
  }

  func contains(_ byte: UInt8) -> Bool {
    let bits = byte < 128 ? (byte < 64 ? low : second) : (byte < 192 ? third : high)
    return bits >> UInt64(byte & 63) & 1 == 1
  }
}
