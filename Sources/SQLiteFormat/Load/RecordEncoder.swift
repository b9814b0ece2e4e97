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
    var place = key.lowerBound
    var types = 0
    var body = bodyStart
    var uniqueColumns = layout.uniqueColumns
    uniqueEnd = nil
    // Iterating over the array would retain it for each entry.
    for index in layout.columns.indices {
      let column = layout.columns[index]
      guard place < key.upperBound else { return nil }
      if column.isNullable, source[place] == EntryKey.null {
        place &+= 1
        bytes[types] = UInt8(RecordFormat.null)
        types &+= 1
        // The counter no longer reaches 0.
        uniqueColumns = 0
      } else if column.isText {
        if column.isMarked { place &+= 1 }
        guard
          let count = EntryKey.copyText(
            at: &place, end: key.upperBound, of: source, to: body, in: &bytes)
        else { return nil }
        types = RecordFormat.put(
          varint: RecordFormat.serialType(ofTextOf: count), in: &bytes, at: types)
        body &+= count
      } else {
        guard let value = EntryKey.integer(in: source, at: &place) else { return nil }
        let (type, count) = RecordFormat.serialType(of: value)
        bytes[types] = UInt8(truncatingIfNeeded: type)
        types &+= 1
        // Shifting by all 64 bits yields zero, as required for integers without bytes.
        bytes.put(UInt64(bitPattern: value) << UInt64(64 &- 8 &* count), at: body)
        body &+= count
      }
      uniqueColumns -= 1
      if uniqueColumns == 0 { uniqueEnd = place }
    }
    guard place == key.upperBound else { return nil }
    return RecordFormat.addHeader(types: types, to: bodyStart..<body, in: &bytes)
  }
}
