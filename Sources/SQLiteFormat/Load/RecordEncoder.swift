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

  /// Makes the record of the entry whose key is at `key` of `source`, and returns its place in `bytes`;
  /// nil if it is no such key, as what is read again may be.
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
        // It does not come to 0 any more.
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
        // Shifting by all 64 bits gives zero, as it must for the integers that have no bytes.
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
