/// A scan of the bytes of one record in any dialect; `RecordScan` is for sound ones in the standard dialect.
///
/// It reads byte by byte, and is slower for that.
struct DialectScan: ~Copyable {
  private(set) var found: RecordScan
  private var walk: DialectWalk
  /// The first byte of the field's text that has not been copied.
  private var textStart: Int
  /// The end of a quoted field's text; nil before its closing quote.
  private var textEnd: Int?
  /// The number of bytes copied before the field.
  private var copied = 0
  /// The start of an escaped N at the start of a field: alone, it is a missing value and stays as written.
  private var marker: Int?
  /// The number of quotes that are not escaped.
  private var quotes = 0
  private var opening = 0
  private var hasLoneReturn = false
  /// The bytes of the record, or-ed.
  private var seen: UInt8 = 0

  init(from start: Int, isLast: Bool, in dialect: Dialect) {
    found = RecordScan(from: start, isLast: isLast)
    walk = DialectWalk(in: dialect)
    textStart = start
  }

  /// Scans the record, as `RecordScan` does; `unescaped` also receives fields with escapes.
  mutating func run(
    over block: Span<UInt8>, fields: inout MutableSpan<RecordBatch.Field>,
    unescaped: inout [UInt8]
  ) {
    let before = unescaped.count
    copied = before
    var index = found.start
    while found.end == nil {
      index = walk.skipText(in: block, from: index, seen: &seen)
      guard index < block.count else {
        if found.isLast { endInput(block, &fields, &unescaped) }
        break
      }
      let lexeme = walk.dialect.lexeme(in: block, at: index, isLast: found.isLast)
      guard lexeme.kind != .cut else { break }
      consume(lexeme, at: index, block, &fields, &unescaped)
      index += lexeme.length
    }
    guard let end = found.end else {
      unescaped.removeLast(unescaped.count - before)
      return
    }
    guard seen > 0x7f || !found.faults.isEmpty else { return }
    let record = block.extracting(found.start..<end)
    let place = Record.Faults.invalidUTF8.firstPlace(in: record, dialect: walk.dialect)
    if let place { found.note(.invalidUTF8, at: found.start + place.byte, in: place.field) }
  }

  private mutating func consume(
    _ lexeme: Lexeme, at index: Int, _ block: Span<UInt8>,
    _ fields: inout MutableSpan<RecordBatch.Field>, _ unescaped: inout [UInt8]
  ) {
    let next = index + lexeme.length
    for place in index..<next { seen |= block[place] }
    count(lexeme, at: index)
    let isFirst = walk.state == .fieldStart
    switch walk.step(over: lexeme) {
    case .content, .unknown: break
    case .escaped:
      append(textStart..<index, of: block, to: &unescaped)
      textStart = index + lexeme.escapeLength
      if lexeme.kind == .text { decode(block[textStart], at: index, isFirst, &unescaped) }
      if lexeme.kind == .escape { endOpen(block, since: index) }
    case .passed: textStart = next
    case .opening:
      opening = index
      textStart = next
    case .closing: textEnd = index
    case .doubling:
      append(textStart..<(textEnd ?? index), of: block, to: &unescaped)
      textStart = index
      textEnd = nil
    case .fieldEnd:
      endField(at: index, block, &fields, &unescaped)
      textStart = next
    case .recordEnd:
      if walk.state == .faulty {
        endFaultyRecord(block, at: next)
      } else {
        endField(at: index, block, &fields, &unescaped)
        found.end = next
      }
      if found.end != nil { found.lineEnd = walk.lineEnd(of: lexeme) }
    case .fault(let fault): found.note(fault, at: index, in: found.fieldCount)
    }
    // From the fault on, including the fault itself.
    if walk.state == .faulty, lexeme.kind == .loneReturn, lexeme.escapeLength == 0 {
      hasLoneReturn = true
    }
  }

  /// Decodes an escaped letter that means something else.
  private mutating func decode(
    _ letter: UInt8, at index: Int, _ isFirst: Bool, _ unescaped: inout [UInt8]
  ) {
    if isFirst, letter == UInt8(ascii: "N") { marker = index }
    guard let control = walk.dialect.control(of: letter) else { return }
    if walk.dialect.decodesControls {
      unescaped.append(control)
      textStart += 1
    } else {
      found.note(.ambiguousEscape, at: index, in: found.fieldCount)
    }
  }

  private mutating func count(_ lexeme: Lexeme, at index: Int) {
    switch lexeme.kind {
    case .nul: found.note(.nulByte, at: index + lexeme.escapeLength, in: found.fieldCount)
    case .quote where lexeme.escapeLength == 0: quotes += 1
    case .lineEnd where lexeme.escapeLength > 0 || walk.state == .quoted:
      found.innerLineFeeds += 1
    default: break
    }
  }

  private func append(_ range: Range<Int>, of block: Span<UInt8>, to unescaped: inout [UInt8]) {
    for index in range { unescaped.append(block[index]) }
  }

  private mutating func endField(
    at index: Int, _ block: Span<UInt8>, _ fields: inout MutableSpan<RecordBatch.Field>,
    _ unescaped: inout [UInt8]
  ) {
    var slice = textStart..<(textEnd ?? index)
    if let start = exchange(&marker, with: nil), index == textStart + 1, textEnd == nil {
      slice = start..<index
    }
    if unescaped.count > copied {
      append(slice, of: block, to: &unescaped)
      slice = block.count + copied..<block.count + unescaped.count
      copied = unescaped.count
    }
    if found.fieldCount < fields.count {
      fields[found.fieldCount] = RecordBatch.Field(
        start: UInt32(slice.lowerBound), end: UInt32(slice.upperBound))
    }
    found.fieldCount += 1
    textEnd = nil
  }

  /// Ends a record with unreliable quotes or carriage returns at a line end.
  ///
  /// Its extent is certain if the number of quotes before the line end is even, so that it is
  /// outside quotes whether or not those after the fault have a meaning, or if the file ends there;
  /// and if no lone carriage return, which could be a line end, follows the fault.
  private mutating func endFaultyRecord(_ block: Span<UInt8>, at end: Int) {
    let isEven = quotes.isMultiple(of: 2)
    // Only the next block shows whether the file ends here.
    guard isEven || end < block.count || found.isLast else { return }
    found.extentIsCertain = (isEven || end == block.count) && !hasLoneReturn
    found.end = end
  }

  private mutating func endInput(
    _ block: Span<UInt8>, _ fields: inout MutableSpan<RecordBatch.Field>,
    _ unescaped: inout [UInt8]
  ) {
    switch walk.state {
    case .quoted: endOpen(block, since: opening)
    case .faulty:
      found.extentIsCertain = !hasLoneReturn
      found.end = block.count
    case .fieldStart, .plain, .afterQuote:
      endField(at: block.count, block, &fields, &unescaped)
      found.end = block.count
    }
  }

  /// Ends the record of a file that ends inside quotes, or after an escape.
  private mutating func endOpen(_ block: Span<UInt8>, since opening: Int) {
    found.note(
      .unterminatedQuote, at: walk.state == .quoted ? self.opening : opening,
      in: found.fieldCount)
    found.extentIsCertain = false
    found.end = block.count
  }
}
