package import CSV

/// A second implementation of the parser's rules: byte by byte over the whole input, simple and slow.
package struct ReferenceReader {
  let input: [UInt8]
  let recordLimit: Int
  let fieldLimit: Int
  private var reading = Reading()

  /// Prepares to read `input` with the limits of a parser.
  package init(_ input: [UInt8], recordLimit: Int, fieldLimit: Int) {
    self.input = input
    self.recordLimit = recordLimit
    self.fieldLimit = fieldLimit
  }

  private enum State { case fieldStart, plain, quoted, afterQuote, afterReturn, faulty }

  private struct Fault {
    var kind: Record.Faults
    var byte: Int
    var field: Int
  }

  /// Reads it all.
  package consuming func read() throws(CSVError) -> Reading {
    var position = 0
    if input.starts(with: [0xff, 0xfe, 0, 0]) || input.starts(with: [0, 0, 0xfe, 0xff]) {
      throw .unsupportedEncoding("UTF-32")
    }
    if input.starts(with: [0xff, 0xfe]) || input.starts(with: [0xfe, 0xff]) {
      throw .unsupportedEncoding("UTF-16")
    }
    if input.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
    while position < input.count {
      let lineEnd = input[position...].prefix(2)
      if lineEnd.first == 10 || lineEnd.elementsEqual([13, 10]) {
        if reading.blankLines == 0 { reading.firstBlankLine = reading.line }
        reading.blankLines += 1
        reading.line += 1
        position += lineEnd.first == 10 ? 1 : 2
        reading.otherBytes += lineEnd.first == 10 ? 1 : 2
      } else {
        position += record(at: position)
      }
    }
    reading.offset = position
    return reading
  }

  /// Reads the record that begins at `start` and returns its length.
  private mutating func record(at start: Int) -> Int {
    var state = State.fieldStart
    var fields: [[UInt8]] = [[]]
    var faults: [Fault] = []
    var opening = start
    var innerLineFeeds = 0
    var index = start
    var isEnded = false
    func note(_ kind: Record.Faults, at byte: Int) {
      faults.append(Fault(kind: kind, byte: byte, field: fields.count - 1))
    }
    while index < input.count, !isEnded {
      let byte = input[index]
      if state == .afterReturn, byte != 10 {
        note(.bareCarriageReturn, at: index - 1)
        state = .faulty
      }
      if byte == 0 { note(.nulByte, at: index) }
      switch (state, byte) {
      case (.quoted, 34): state = .afterQuote
      case (.quoted, _):
        fields[fields.count - 1].append(byte)
        if byte == 10 { innerLineFeeds += 1 }
      case (_, 10): isEnded = true
      case (.faulty, _): break
      case (.fieldStart, 34): (state, opening) = (.quoted, index)
      case (.afterQuote, 34):
        state = .quoted
        fields[fields.count - 1].append(byte)
      case (_, 44):
        state = .fieldStart
        fields.append([])
      case (_, 13): state = .afterReturn
      case (.plain, 34):
        state = .faulty
        note(.strayQuote, at: index)
      case (.afterQuote, _):
        state = .faulty
        note(.textAfterQuote, at: index)
      default:
        state = .plain
        fields[fields.count - 1].append(byte)
      }
      index += 1
    }
    if !isEnded, state == .afterReturn { note(.bareCarriageReturn, at: index - 1) }
    if !isEnded, state == .quoted { note(.unterminatedQuote, at: opening) }
    if let byte = firstInvalidByte(in: start..<index) {
      let field = fieldIndex(of: byte, from: start)
      faults.append(Fault(kind: .invalidUTF8, byte: byte, field: field))
    }
    add(
      start..<index, faults, fields: fields, isEnded: isEnded, innerLineFeeds: innerLineFeeds)
    return index - start
  }

  private mutating func add(
    _ bytes: Range<Int>, _ faults: [Fault], fields: [[UInt8]], isEnded: Bool, innerLineFeeds: Int
  ) {
    var kinds = faults.reduce(into: Record.Faults()) { $0.insert($1.kind) }
    // Of faults at one byte, the one that was noted first counts.
    var first = faults.min { $0.byte < $1.byte }
    let text = input[bytes]
    let quotes = text.count { $0 == 34 }
    let structuralFaults: Record.Faults = [.strayQuote, .textAfterQuote, .bareCarriageReturn]
    let structural = faults.first { structuralFaults.contains($0.kind) }
    let hasLoneReturn = bytes.dropFirst((structural?.byte ?? bytes.upperBound) - bytes.lowerBound)
      .contains { input[$0] == 13 && !input[$0...].prefix(2).elementsEqual([13, 10]) }
    var isCertain =
      !kinds.contains(.unterminatedQuote)
      && (structural == nil || quotes.isMultiple(of: 2) || bytes.upperBound == input.count)
      && !hasLoneReturn
    if bytes.count > recordLimit {
      kinds = kinds.intersection(.unterminatedQuote).union(.tooLong)
      (first, isCertain) = (nil, false)
    }
    let kept = kinds.isEmpty ? fields : []
    reading.records.append(
      ReadRecord(
        number: reading.records.count, line: reading.line, innerLineFeeds: innerLineFeeds,
        offset: bytes.lowerBound, length: bytes.count, faults: kinds,
        faultOffset: first?.byte ?? bytes.lowerBound, faultField: first?.field ?? 0,
        extentIsCertain: isCertain,
        fields: kept.enumerated().map { $0 < fieldLimit ? $1 : Array("?".utf8) }))
    reading.line += innerLineFeeds + (isEnded ? 1 : 0)
    guard isEnded else { return }
    if text.suffix(2).elementsEqual([13, 10]) {
      reading.carriageReturnLineFeeds += 1
    } else {
      reading.lineFeeds += 1
    }
  }

  /// The field of a byte up to which the record is well formed.
  private func fieldIndex(of byte: Int, from start: Int) -> Int {
    var field = 0
    var isQuoted = false
    for index in start..<byte {
      if input[index] == 34 { isQuoted.toggle() }
      if input[index] == 44, !isQuoted { field += 1 }
    }
    return field
  }

  private func firstInvalidByte(in range: Range<Int>) -> Int? {
    var index = range.lowerBound
    while index < range.upperBound {
      let length = sequenceLength(at: index, end: range.upperBound)
      guard length > 0 else { return index }
      index += length
    }
    return nil
  }

  /// Table 3-7 of the Unicode standard, "Well-Formed UTF-8 Byte Sequences"; 0 for what is not in it.
  private func sequenceLength(at index: Int, end: Int) -> Int {
    let any: ClosedRange<UInt8> = 0x80...0xbf
    let others: [ClosedRange<UInt8>]? =
      switch input[index] {
      case ...0x7f: []
      case 0xc2...0xdf: [any]
      case 0xe0: [0xa0...0xbf, any]
      case 0xe1...0xec, 0xee...0xef: [any, any]
      case 0xed: [0x80...0x9f, any]
      case 0xf0: [0x90...0xbf, any, any]
      case 0xf1...0xf3: [any, any, any]
      case 0xf4: [0x80...0x8f, any, any]
      default: nil
      }
    guard let others, index + others.count < end else { return 0 }
    let isSound = others.indices.allSatisfy { others[$0].contains(input[index + 1 + $0]) }
    return isSound ? 1 + others.count : 0
  }
}
