package import CSV

/// A second implementation of the parser's rules in any dialect: over the whole input, simple and slow.
package struct ReferenceReader {
  private let input: [UInt8]
  private let dialect: WrittenDialect
  private let passedRows: Set<Int>
  private let recordLimit: Int
  private let fieldLimit: Int
  private var reading = Reading()
  private var row = 0

  private enum State { case fieldStart, plain, quoted, afterQuote, faulty }

  /// A record that is being read.
  private struct Walk {
    var index: Int
    var state = State.fieldStart
    var fields: [[UInt8]] = [[]]
    var faults: [(kind: Record.Faults, byte: Int, field: Int)] = []
    var opening = 0
    var quotes = 0
    var innerLineEnds = 0
    var lineEnd = 0
    var isOpen = false
    var loneReturns: [Int] = []

    mutating func note(_ kind: Record.Faults, at byte: Int) {
      faults.append((kind, byte, fields.count - 1))
    }
  }

  package init(
    _ input: [UInt8], _ dialect: WrittenDialect = WrittenDialect(), passedRows: Set<Int> = [],
    recordLimit: Int, fieldLimit: Int
  ) {
    self.input = input
    self.dialect = dialect
    self.passedRows = passedRows
    self.recordLimit = recordLimit
    self.fieldLimit = fieldLimit
  }

  /// Reads it all.
  package consuming func read() throws(CSVError) -> Reading {
    if input.starts(with: [0xff, 0xfe, 0, 0]) || input.starts(with: [0, 0, 0xfe, 0xff]) {
      throw .unsupportedEncoding("UTF-32")
    }
    if input.starts(with: [0xff, 0xfe]) || input.starts(with: [0xfe, 0xff]) {
      throw .unsupportedEncoding("UTF-16")
    }
    var position = input.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    while position < input.count {
      row += 1
      let blank = lineEnd(at: position)
      if blank > 0 {
        if reading.blankLines == 0 { reading.firstBlankLine = reading.line }
        reading.blankLines += 1
        pass(blank, lines: 1)
        position += blank
      } else if has(dialect.comment, at: position) {
        var end = position
        while end < input.count, lineEnd(at: end) == 0 { end += 1 }
        let ending = end < input.count ? lineEnd(at: end) : 0
        pass(end + ending - position, lines: ending > 0 ? 1 : 0)
        position = end + ending
      } else {
        position = record(at: position)
      }
    }
    reading.offset = position
    return reading
  }

  private mutating func pass(_ bytes: Int, lines: Int) {
    reading.otherBytes += bytes
    reading.line += lines
  }

  private func has(_ text: String?, at index: Int) -> Bool {
    guard let text else { return false }
    return input[index...].starts(with: text.utf8)
  }

  /// The bytes of the line end at a place; 0 if there is none.
  private func lineEnd(at index: Int) -> Int {
    let ends = dialect.terminator.map { [$0] } ?? ["\r\n", "\n"]
    return ends.first { has($0, at: index) }?.utf8.count ?? 0
  }

  /// The bytes of what an escape before it makes a part of the text.
  private func unit(at index: Int) -> Int {
    let end = lineEnd(at: index)
    if end > 0 { return end }
    let marks = [dialect.delimiter, dialect.quote, dialect.escape].compactMap(\.self)
    return marks.first { has($0, at: index) }?.utf8.count ?? 1
  }

  /// Reads the record that begins at `start` and returns its end.
  private mutating func record(at start: Int) -> Int {
    var walk = Walk(index: start)
    while walk.index < input.count, walk.lineEnd == 0, !walk.isOpen { step(&walk) }
    if walk.state == .quoted, !walk.isOpen {
      walk.isOpen = true
      walk.note(.unterminatedQuote, at: walk.opening)
    }
    add(start..<walk.index, walk)
    return walk.index
  }

  private func step(_ walk: inout Walk) {
    let index = walk.index
    if has(dialect.escape, at: index) { return escaped(&walk, dialect.escape?.utf8.count ?? 0) }
    let end = lineEnd(at: index)
    if input[index] == 0 { walk.note(.nulByte, at: index) }
    if end > 0, walk.state != .quoted {
      walk.lineEnd = end
      walk.index += end
      return
    }
    let isLoneReturn = dialect.terminator == nil && input[index] == 13 && end == 0
    if has(dialect.quote, at: index) {
      quote(&walk, dialect.quote?.utf8.count ?? 0)
    } else if walk.state == .quoted {
      walk.innerLineEnds += end > 0 ? 1 : 0
      text(&walk, max(end, 1))
    } else if walk.state == .faulty {
      if isLoneReturn { walk.loneReturns.append(index) }
      walk.index += max(unit(at: index), 1)
    } else if has(dialect.delimiter, at: index) {
      walk.fields.append([])
      walk.state = .fieldStart
      walk.index += dialect.delimiter.utf8.count
    } else if isLoneReturn {
      walk.loneReturns.append(index)
      fault(&walk, .bareCarriageReturn, 1)
    } else if walk.state == .fieldStart, dialect.skipsInitialSpace, input[index] == 32 {
      walk.index += 1
    } else if walk.state == .afterQuote {
      fault(&walk, .textAfterQuote, 1)
    } else {
      walk.state = .plain
      text(&walk, 1)
    }
  }

  private func text(_ walk: inout Walk, _ length: Int) {
    walk.fields[walk.fields.count - 1] += input[walk.index..<walk.index + length]
    walk.index += length
  }

  private func fault(_ walk: inout Walk, _ kind: Record.Faults, _ length: Int) {
    walk.note(kind, at: walk.index)
    walk.state = .faulty
    walk.index += length
  }

  private func quote(_ walk: inout Walk, _ length: Int) {
    walk.quotes += 1
    switch walk.state {
    case .fieldStart: (walk.state, walk.opening) = (.quoted, walk.index)
    case .quoted: walk.state = .afterQuote
    case .afterQuote where dialect.doublesQuotes:
      walk.state = .quoted
      return text(&walk, length)
    case .afterQuote: return fault(&walk, .textAfterQuote, length)
    case .plain: return fault(&walk, .strayQuote, length)
    case .faulty: break
    }
    walk.index += length
  }

  private func escaped(_ walk: inout Walk, _ length: Int) {
    let index = walk.index
    if walk.state == .afterQuote {
      walk.note(.textAfterQuote, at: index)
      walk.state = .faulty
    }
    guard index + length < input.count else {
      if walk.state != .faulty {
        walk.note(.unterminatedQuote, at: walk.state == .quoted ? walk.opening : index)
        walk.isOpen = true
      }
      walk.index += length
      return
    }
    let isFirst = walk.state == .fieldStart
    if isFirst { walk.state = .plain }
    walk.index += length
    if dialect.escape == "\\", walk.state != .faulty {
      let next = walk.index + 1
      let isWhole = next == input.count || lineEnd(at: next) > 0 || has(dialect.delimiter, at: next)
      if isFirst, isWhole, input[walk.index] == UInt8(ascii: "N") {
        walk.fields[walk.fields.count - 1] += [UInt8(ascii: "\\")]
      }
      if "btnvfrZ".utf8.contains(input[walk.index]) { walk.note(.ambiguousEscape, at: index) }
    }
    if input[walk.index] == 0 { walk.note(.nulByte, at: walk.index) }
    if lineEnd(at: walk.index) > 0 { walk.innerLineEnds += 1 }
    text(&walk, unit(at: walk.index))
  }

  private mutating func add(_ bytes: Range<Int>, _ walk: Walk) {
    var faults = walk.faults
    if let byte = firstInvalidByte(in: bytes) {
      // The field of that byte is that of the same walk, ended there.
      var part = Walk(index: bytes.lowerBound)
      var field = 0
      while part.index <= byte {
        field = part.fields.count - 1
        step(&part)
      }
      faults.append((.invalidUTF8, byte, field))
    }
    var kinds = faults.reduce(into: Record.Faults()) { $0.insert($1.kind) }
    if passedRows.contains(row), !kinds.contains(.unterminatedQuote) {
      pass(bytes.count, lines: walk.innerLineEnds + (walk.lineEnd > 0 ? 1 : 0))
      return
    }
    var first = faults.min { $0.byte < $1.byte }
    let isDoubtful =
      walk.isOpen
      || walk.state == .faulty
        && (!walk.quotes.isMultiple(of: 2) && bytes.upperBound < input.count
          || !walk.loneReturns.isEmpty)
    var isCertain = !isDoubtful
    if bytes.count > recordLimit {
      kinds = kinds.intersection(.unterminatedQuote).union(.tooLong)
      (first, isCertain) = (nil, false)
    }
    let kept = kinds.isEmpty ? walk.fields : []
    reading.records.append(
      ReadRecord(
        number: reading.records.count, line: reading.line, innerLineFeeds: walk.innerLineEnds,
        offset: bytes.lowerBound, length: bytes.count, faults: kinds,
        faultOffset: first?.byte ?? bytes.lowerBound, faultField: first?.field ?? 0,
        extentIsCertain: isCertain,
        fields: kept.enumerated().map { $0 < fieldLimit ? $1 : Array("?".utf8) }))
    reading.line += walk.innerLineEnds + (walk.lineEnd > 0 ? 1 : 0)
    guard walk.lineEnd > 0 else { return }
    if dialect.terminator == nil, walk.lineEnd == 2 {
      reading.carriageReturnLineFeeds += 1
    } else {
      reading.lineFeeds += 1
    }
  }

  private func firstInvalidByte(in range: Range<Int>) -> Int? {
    guard String(validating: input[range], as: UTF8.self) == nil else { return nil }
    // The longest valid beginning, found by trying.
    for end in range where String(validating: input[range.lowerBound...end], as: UTF8.self) == nil {
      let rest = (1...3).contains { more in
        end + more < range.upperBound
          && String(validating: input[range.lowerBound...end + more], as: UTF8.self) != nil
      }
      guard !rest else { continue }
      // The byte with which the sequence began that cannot be completed.
      var start = end
      while String(validating: input[range.lowerBound..<start], as: UTF8.self) == nil { start -= 1 }
      return start
    }
    return nil
  }
}
