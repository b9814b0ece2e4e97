/// Makes the record of an entry from its key
/// (<https://www.sqlite.org/fileformat2.html#record_format>).
struct RecordEncoder: ~Copyable {
  private let layout: EntryLayout
  /// The header of the record and, from `bodyStart` on, its values.
  ///
  /// The header is moved to where they begin when its size is known. Before it there is room for the size
  /// of a cell's payload.
  var bytes: ByteBuffer
  private let bodyStart: Int
  /// Where the columns end in the key that no other entry may share; nil if it may, since one of them is
  /// NULL.
  private(set) var uniqueEnd: Int?

  init(_ layout: EntryLayout, longestKey: Int) {
    self.layout = layout
    // A serial type has five bytes at most, and so have the size of the header and that of the payload.
    bodyStart = 2 * 5 * (layout.columns.count + 2)
    bytes = ByteBuffer(count: bodyStart + longestKey + 16 * (layout.columns.count + 1))
  }

  /// Makes the record of the entry whose key is at `key` of `source`.
  ///
  /// - Returns: Its place in `bytes`.
  @inline(__always)
  mutating func encode(_ key: Range<Int>, of source: borrowing ByteBuffer) -> Range<Int> {
    var place = key.lowerBound
    var types = 0
    var body = bodyStart
    var uniqueColumns = layout.uniqueColumns
    uniqueEnd = nil
    // Iterating over the array would retain it for each entry.
    for index in layout.columns.indices {
      let column = layout.columns[index]
      if column.isNullable, source[place] == EntryKey.null {
        place += 1
        bytes[types] = UInt8(RecordFormat.null)
        types += 1
        // It does not come to 0 any more.
        uniqueColumns = 0
      } else if column.isText {
        if column.isMarked { place += 1 }
        let (end, nuls) = EntryKey.textEnd(in: source, from: place, limit: key.upperBound)
        let count = end - place - nuls
        types = RecordFormat.put(
          varint: RecordFormat.serialType(ofTextOf: count), in: &bytes, at: types)
        if nuls > 0 {
          copyText(at: place, count, of: source, to: body)
        } else {
          var offset = 0
          while offset < count {
            bytes.put(source.word(at: place + offset), at: body + offset)
            offset += 8
          }
        }
        body += count
        place = end + 1
      } else {
        let value = EntryKey.integer(in: source, at: &place)
        let (type, count) = RecordFormat.serialType(of: value)
        bytes[types] = UInt8(truncatingIfNeeded: type)
        types += 1
        // Shifting by all 64 bits gives zero, as it must for the integers that have no bytes.
        bytes.put(UInt64(bitPattern: value) << UInt64(64 - 8 * count), at: body)
        body += count
      }
      uniqueColumns -= 1
      if uniqueColumns == 0 { uniqueEnd = place }
    }
    let header = RecordFormat.headerBytes(types: types)
    bytes.move(0..<types, to: bodyStart - types)
    _ = RecordFormat.put(varint: header, in: &bytes, at: bodyStart - header)
    return bodyStart - header..<body
  }

  /// Copies a text with NULs in it, without the bytes that follow them in a key.
  private mutating func copyText(
    at start: Int, _ count: Int, of source: borrowing ByteBuffer, to target: Int
  ) {
    var place = start
    for index in 0..<count {
      bytes[target + index] = source[place]
      place += source[place] == 0 ? 2 : 1
    }
  }
}
