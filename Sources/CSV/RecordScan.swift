/// The bytes with a meaning in CSV.
enum Byte {
  static let nul = UInt8(0)
  static let lineFeed = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let quote = UInt8(ascii: "\"")
  static let comma = UInt8(ascii: ",")
  static let space = UInt8(ascii: " ")
}

/// The end of a record; without a line end only at the end of the file.
enum LineEnd { case none, lineFeed, carriageReturnLineFeed }

/// A scan of one record of the standard dialect, from its first byte to its line end.
///
/// It only recognizes a record with a fault, which `DialectScan` scans again. The scan is restarted
/// if the block ends before the record, so it keeps no state. It is not copyable: a copy for every
/// record took a tenth of the time of reading short ones.
struct RecordScan: ~Copyable {
  /// The offset after the line end, or nil if the block ends first.
  var end: Int?
  var fieldCount = 0
  var innerLineFeeds = 0
  var lineEnd = LineEnd.none
  /// Whether the record has a fault; the results are then incomplete.
  private(set) var isFaulty = false
  var faults: Record.Faults = []
  var faultByte: Int
  var faultField = 0
  var firstFault: Record.Faults = []
  var extentIsCertain = true
  let start: Int
  /// Whether the file ends with the block.
  let isLast: Bool

  init(from start: Int, isLast: Bool) {
    self.start = start
    self.isLast = isLast
    faultByte = start
  }

  /// Scans the record; `fields` receives the slices of its fields, as many as fit, and `unescaped`
  /// the text of fields with doubled quotes, to be stored after the block.
  mutating func run(
    over block: Span<UInt8>, structurals: inout StructuralIndex,
    fields: inout MutableSpan<RecordBatch.Field>, unescaped: inout [UInt8]
  ) {
    structurals.mark()
    let copied = unescaped.count
    var index = start
    while true {
      if index < block.count, block[index] == Byte.quote {
        guard let field = quotedField(block, &index, &structurals, &unescaped) else { break }
        if fieldCount < fields.count { fields[fieldCount] = field }
        fieldCount += 1
      } else {
        index = plainFields(block, from: index, &structurals, &fields)
      }
      guard index < block.count, block[index] == Byte.comma else {
        endRecord(block, at: index)
        break
      }
      index += 1
    }
    if let end, !structurals.isASCII { checkText(block.extracting(start..<end)) }
    if isFaulty || end == nil { unescaped.removeLast(unescaped.count - copied) }
  }

  /// Finds unquoted fields from `start`, and returns the end of the last one; state that changes
  /// with every field is local, so that the optimizer keeps it in registers.
  private mutating func plainFields(
    _ block: Span<UInt8>, from start: Int, _ structurals: inout StructuralIndex,
    _ fields: inout MutableSpan<RecordBatch.Field>
  ) -> Int {
    var marks = structurals
    var count = fieldCount
    var fieldStart = start
    var index = start
    while true {
      index = marks.next(in: block, from: index)
      let byte = index < block.count ? block[index] : Byte.lineFeed
      guard Self.endsField(byte) else {
        if byte == Byte.nul { isFaulty = true }
        index += 1
        continue
      }
      if count < fields.count {
        fields[count] = RecordBatch.Field(start: UInt32(fieldStart), end: UInt32(index))
      }
      count += 1
      guard byte == Byte.comma, index + 1 < block.count, block[index + 1] != Byte.quote else {
        break
      }
      index += 1
      fieldStart = index
    }
    structurals = marks
    fieldCount = count
    return index
  }

  private static func endsField(_ byte: UInt8) -> Bool {
    byte == Byte.comma || byte == Byte.lineFeed || byte == Byte.carriageReturn
      || byte == Byte.quote
  }

  /// Advances past the closing quote; nil if the block ends first.
  private mutating func quotedField(
    _ block: Span<UInt8>, _ index: inout Int, _ structurals: inout StructuralIndex,
    _ unescaped: inout [UInt8]
  ) -> RecordBatch.Field? {
    let opening = index
    index += 1
    var run = index
    let copy = unescaped.count
    while let quote = nextQuote(block, from: index, &structurals) {
      let next = quote + 1 < block.count ? block[quote + 1] : nil
      if next == nil, !isLast { break }
      index = quote + 1
      guard next == Byte.quote else {
        guard run > opening + 1 else {
          return RecordBatch.Field(start: UInt32(run), end: UInt32(quote))
        }
        for position in run..<quote { unescaped.append(block[position]) }
        return RecordBatch.Field(
          start: UInt32(block.count + copy), end: UInt32(block.count + unescaped.count))
      }
      for position in run...quote { unescaped.append(block[position]) }
      index += 1
      run = index
    }
    isFaulty = isFaulty || isLast
    return nil
  }

  /// Returns the position of the next quote, or nil if the block ends first.
  private mutating func nextQuote(
    _ block: Span<UInt8>, from start: Int, _ structurals: inout StructuralIndex
  ) -> Int? {
    var index = start
    while true {
      index = structurals.next(in: block, from: index)
      guard index < block.count else { return nil }
      let byte = block[index]
      if byte == Byte.quote { return index }
      if byte == Byte.lineFeed { innerLineFeeds += 1 }
      if byte == Byte.nul { isFaulty = true }
      index += 1
    }
  }

  private mutating func endRecord(_ block: Span<UInt8>, at index: Int) {
    guard index < block.count else {
      end = isLast ? index : nil
      return
    }
    let next = index + 1 < block.count ? block[index + 1] : nil
    switch (block[index], next) {
    case (Byte.lineFeed, _):
      (end, lineEnd) = (index + 1, .lineFeed)
    case (Byte.carriageReturn, Byte.lineFeed):
      (end, lineEnd) = (index + 2, .carriageReturnLineFeed)
    case (Byte.carriageReturn, nil) where !isLast:
      end = nil
    default: isFaulty = true
    }
  }

  private mutating func checkText(_ record: Span<UInt8>) {
    do throws(UTF8.ValidationError) {
      _ = try UTF8Span(validating: record)
    } catch {
      isFaulty = true
    }
  }

  mutating func note(_ fault: Record.Faults, at byte: Int, in field: Int) {
    if faults.isEmpty || byte < faultByte {
      (firstFault, faultByte, faultField) = (fault, byte, field)
    }
    faults.insert(fault)
  }
}

/// Finds the bytes up to the comma, 64 bytes at a time and without a branch for each byte.
///
/// These are the bytes with a meaning in CSV (comma, quote, CR, LF), the NUL, and some harmless ones such as the space.
struct StructuralIndex {
  /// The block offset of bit 0 of `bits`.
  private let base: Int
  /// A bit for each structural byte in the window, and one for the end of the block.
  private let bits: UInt64
  /// All bytes of the window, or-ed, as eight bytes.
  private let window: UInt64
  /// The same for all windows since the mark.
  private var seen: UInt64

  /// Whether all windows since the mark, including bytes beyond its ends, contain only ASCII.
  var isASCII: Bool { seen & Self.highBits == 0 }

  /// Marks the beginning of a record, for `isASCII`.
  mutating func mark() { seen = window }

  /// Returns the first structural byte from `start`, or the end of `block`.
  ///
  /// Pass the block of the last call, and a `start` that is not before the last one.
  mutating func next(in block: Span<UInt8>, from start: Int) -> Int {
    assert(start >= base, "a window cannot move backwards")
    var index = start
    while true {
      if index - base < 64 {
        let rest = bits &>> UInt64(truncatingIfNeeded: index - base)
        if rest != 0 { return index + rest.trailingZeroBitCount }
        index = base + 64
      }
      // A new value, rather than a mutation, so that it can stay in registers.
      self = StructuralIndex(of: block, from: index, seen: seen)
    }
  }

  /// Creates an empty window before every block.
  init() {
    base = -64
    bits = 0
    window = 0
    seen = 0
  }

  private init(of block: Span<UInt8>, from start: Int, seen: UInt64) {
    var bits: UInt64 = 0
    var window: UInt64 = 0
    if block.count - start >= 64 {
      // Any eight bytes are a valid integer, and the load is bounds-checked by the span.
      let bytes = unsafe block.bytes
      for lane in 0..<8 {
        let word = unsafe bytes.unsafeLoadUnaligned(
          fromByteOffset: start + 8 * lane, as: UInt64.self
        ).littleEndian
        window |= word
        bits |= Self.structurals(in: word) &<< UInt64(truncatingIfNeeded: 8 * lane)
      }
    } else {
      for index in start..<block.count {
        window |= UInt64(block[index])
        if block[index] <= Byte.comma { bits |= 1 << UInt64(index - start) }
      }
      bits |= 1 << UInt64(block.count - start)
    }
    base = start
    self.bits = bits
    self.window = window
    self.seen = seen | window
  }

  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// A bit for each byte of `word` up to the comma, the lowest for the first byte.
  private static func structurals(in word: UInt64) -> UInt64 {
    // Adding to the lower seven bits sets the eighth for bytes above the comma.
    let above = (word & ~highBits) + (0x80 - UInt64(Byte.comma) - 1) * 0x0101_0101_0101_0101
    let flags = (~(above | word) & highBits) >> 7
    // The product moves the flag of byte i to bit 56 + i.
    return (flags &* 0x0102_0408_1020_4080) >> 56
  }
}
