import Text

/// Keys whose byte order is SQLite's order of index entries.
///
/// NULL is a zero byte. An integer is a byte for its sign and size, followed by its big-endian
/// bytes. A text is its bytes and a zero byte; a NUL within it is followed by `ff`, which begins no
/// column. So NULL sorts before all other values, and a text after its prefixes, as in SQLite
/// without a collation (<https://www.sqlite.org/datatype3.html#sort_order>).
enum EntryKey {
  static let null: UInt8 = 0
  /// The byte before a text that may be NULL or follows another text.
  static let mark: UInt8 = 1
  static let end: UInt8 = 0
  /// The byte after a NUL within a text.
  static let escape: UInt8 = 0xff
  /// The maximum number of bytes of a column other than text.
  static let maximumIntegerBytes = 9
  /// The number of bytes after a key that may be overwritten.
  static let slack = 16
  /// The first byte of the integer 0; that of others differs from it by their number of bytes.
  static let zero: UInt8 = 0x80

  /// The significant bytes of an integer, at most 8.
  @inline(__always)
  static func significantBytes(_ value: Int64) -> Int {
    (71 &- (value ^ (value &>> 63)).leadingZeroBitCount) &>> 3
  }

  /// Writes an integer, followed by up to eight undefined bytes; returns the position after it.
  @inline(__always)
  static func put(_ value: Int64, in bytes: inout ByteBuffer, at offset: Int) -> Int {
    let count = significantBytes(value)
    let size = UInt8(truncatingIfNeeded: count)
    bytes[offset] = value < 0 ? zero &- 1 &- size : zero &+ size
    // Shifting by all 64 bits yields zero.
    bytes.put(UInt64(bitPattern: value) << (64 &- 8 &* count), at: offset &+ 1)
    return offset &+ 1 &+ count
  }

  /// Reads the integer at `offset` and advances it; nil if it is invalid.
  @inline(__always)
  static func integer(in bytes: borrowing ByteBuffer, at offset: inout Int) -> Int64? {
    let sign = Int(bytes[offset]) &- Int(zero)
    let count = sign < 0 ? -1 &- sign : sign
    guard count <= 8 else { return nil }
    let word = bytes.word(at: offset &+ 1)
    offset &+= 1 &+ count
    // Shifting by all 64 bits yields zero.
    let value = word >> UInt64(64 &- 8 &* count)
    guard sign < 0 else { return Int64(bitPattern: value) }
    return Int64(bitPattern: value | (UInt64.max << UInt64(8 &* count)))
  }

  /// Writes the bytes of a text and its terminator, and returns the position after it; `bytes`
  /// needs room for twice the size plus eight.
  @inline(__always)
  static func put(
    textAt range: Range<Int>, of text: Span<UInt8>, in bytes: inout ByteBuffer,
    at offset: Int
  ) -> Int {
    var (target, source) = (offset, range.lowerBound)
    while source < range.upperBound {
      let word = text.word(at: source)
      let count = min(8, range.upperBound - source)
      let zeros = zeroBytes(word)
      guard zeros == 0 || zeros.leadingZeroBitCount / 8 >= count else {
        return put(slowly: source..<range.upperBound, of: text, in: &bytes, at: target)
      }
      bytes.put(word, at: target)
      target += count
      source += count
    }
    bytes[target] = end
    return target + 1
  }

  private static func put(
    slowly range: Range<Int>, of text: Span<UInt8>, in bytes: inout ByteBuffer,
    at offset: Int
  ) -> Int {
    var target = offset
    for source in range {
      bytes[target] = text[source]
      target += 1
      guard text[source] == 0 else { continue }
      bytes[target] = escape
      target += 1
    }
    bytes[target] = end
    return target + 1
  }

  /// Copies the text at `offset` without the escapes of its NULs, and advances `offset`; returns its
  /// size in bytes, or nil if it does not end before `end`.
  @inline(__always)
  static func copyText(
    at offset: inout Int, end: Int, of source: borrowing ByteBuffer, to target: Int,
    in bytes: inout ByteBuffer
  ) -> Int? {
    var count = 0
    while offset &+ count < end {
      let word = source.word(at: offset &+ count)
      bytes.put(word, at: target &+ count)
      let zeros = zeroBytes(word)
      guard zeros != 0 else {
        count &+= 8
        continue
      }
      count &+= zeros.leadingZeroBitCount / 8
      let textEnd = offset &+ count
      guard textEnd < end else { return nil }
      guard textEnd &+ 1 >= end || source[textEnd &+ 1] != escape else {
        return copyTextWithNULs(at: &offset, end: end, of: source, to: target, in: &bytes)
      }
      offset = textEnd &+ 1
      return count
    }
    return nil
  }

  private static func copyTextWithNULs(
    at offset: inout Int, end: Int, of source: borrowing ByteBuffer, to target: Int,
    in bytes: inout ByteBuffer
  ) -> Int? {
    var count = 0
    while offset < end {
      let byte = source[offset]
      offset += 1
      if byte == Self.end {
        guard offset < end, source[offset] == escape else { return count }
        offset += 1
      }
      bytes[target + count] = byte
      count += 1
    }
    return nil
  }

  /// A word with the highest bit set in each zero byte
  /// (<https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord>, in the exact form, since
  /// the first byte is the highest).
  @inline(__always)
  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    let low = (word & 0x7f7f_7f7f_7f7f_7f7f) &+ 0x7f7f_7f7f_7f7f_7f7f
    return ~(low | word | 0x7f7f_7f7f_7f7f_7f7f)
  }
}

/// Creates the record of an entry from its key (<https://www.sqlite.org/fileformat2.html#record_format>).
struct RecordEncoder: ~Copyable {
  private let layout: EntryLayout
  /// The serial types of the record and, from `bodyStart`, its values, with room before them for
  /// the header and for the payload size of a cell.
  var bytes: ByteBuffer
  private let bodyStart: Int
  /// The end of the columns that must be unique in the key; nil if one of them is NULL, or for other indexes.
  private(set) var uniqueEnd: Int?

  init(_ layout: EntryLayout, longestKey: Int) {
    self.layout = layout
    // A serial type, the size of the header and that of the payload have at most five bytes each.
    bodyStart = 2 * 5 * (layout.columns.count + 2)
    bytes = ByteBuffer(count: bodyStart + longestKey + 16 * (layout.columns.count + 1))
  }

  /// Creates the record for the key at `key` of `source`, and returns its position in `bytes`; nil
  /// if the key is invalid, as one read back from a file may be.
  @inline(__always)
  mutating func encode(_ key: Range<Int>, of source: borrowing ByteBuffer) -> Range<Int>? {
    var offset = key.lowerBound
    var types = 0
    var body = bodyStart
    var uniqueColumns = layout.uniqueColumns
    uniqueEnd = nil
    // Iterating over the array would retain it for each entry.
    for index in layout.columns.indices {
      let column = layout.columns[index]
      guard offset < key.upperBound else { return nil }
      if column.isNullable, source[offset] == EntryKey.null {
        offset &+= 1
        bytes[types] = UInt8(RecordFormat.null)
        types &+= 1
        // The counter no longer reaches 0.
        uniqueColumns = 0
      } else if column.isText {
        if column.isMarked { offset &+= 1 }
        guard
          let count = EntryKey.copyText(
            at: &offset, end: key.upperBound, of: source, to: body, in: &bytes)
        else { return nil }
        types = RecordFormat.put(
          varint: RecordFormat.serialType(ofTextOf: count), in: &bytes, at: types)
        body &+= count
      } else {
        guard let value = EntryKey.integer(in: source, at: &offset) else { return nil }
        let (type, count) = RecordFormat.serialType(of: value)
        bytes[types] = UInt8(truncatingIfNeeded: type)
        types &+= 1
        // Shifting by all 64 bits yields zero, as required for integers without bytes.
        bytes.put(UInt64(bitPattern: value) << UInt64(64 &- 8 &* count), at: body)
        body &+= count
      }
      uniqueColumns -= 1
      if uniqueColumns == 0 { uniqueEnd = offset }
    }
    guard offset == key.upperBound else { return nil }
    return RecordFormat.addHeader(types: types, to: bodyStart..<body, in: &bytes)
  }
}
