/// Makes the record of an entry from its key
/// (<https://www.sqlite.org/fileformat2.html#record_format>).
struct RecordEncoder: ~Copyable {
  private static let front = 8

  private struct Value {
    enum Kind { case null, integer, text }

    var kind = Kind.null
    var type = 0
    /// The integer, or the place of the text in the key.
    var value: Int64 = 0
    /// The bytes of the value in the record.
    var bytes = 0
    /// The NULs in the text.
    var nuls = 0
  }

  private let layout: EntryLayout
  private var values: [Value]
  /// What the record is in, with room before it for the size of a cell's payload.
  var bytes: ByteBuffer
  /// Where the columns end in the key that no other entry may share; nil if it may, since one of them is
  /// NULL.
  private(set) var uniqueEnd: Int?

  init(_ layout: EntryLayout, longestKey: Int) {
    self.layout = layout
    values = [Value](repeating: Value(), count: layout.columns.count)
    bytes = ByteBuffer(count: Self.front + longestKey + 16 * (layout.columns.count + 1))
  }

  /// Makes the record of the entry whose key is at `key` of `source`.
  ///
  /// - Returns: Its place in `bytes`.
  @inline(__always)
  mutating func encode(_ key: Range<Int>, of source: borrowing ByteBuffer) -> Range<Int> {
    let types = read(key, of: source)
    let header = RecordFormat.headerBytes(types: types)
    var place = RecordFormat.put(varint: header, in: &bytes, at: Self.front)
    for index in values.indices {
      place = RecordFormat.put(varint: values[index].type, in: &bytes, at: place)
    }
    for index in values.indices {
      let value = values[index]
      switch value.kind {
      case .null: continue
      case .integer:
        // Shifting by all 64 bits gives zero, as it must for the integers that have no bytes.
        bytes.put(UInt64(bitPattern: value.value) << UInt64(64 - 8 * value.bytes), at: place)
      case .text:
        let start = Int(value.value)
        if value.nuls > 0 {
          copy(start, value.bytes, of: source, to: place)
        } else {
          for offset in stride(from: 0, to: value.bytes, by: 8) {
            bytes.put(source.word(at: start + offset), at: place + offset)
          }
        }
      }
      place += value.bytes
    }
    return Self.front..<place
  }

  /// Reads the values of a key.
  ///
  /// - Returns: The bytes that their serial types take.
  @inline(__always)
  private mutating func read(_ key: Range<Int>, of source: borrowing ByteBuffer) -> Int {
    var place = key.lowerBound
    var types = 0
    uniqueEnd = nil
    var hasNull = false
    for index in values.indices {
      let column = layout.columns[index]
      var value = Value()
      if column.isNullable, source[place] == EntryKey.null {
        place += 1
        value.type = RecordFormat.null
        types += 1
        hasNull = true
      } else if column.isText {
        if column.isMarked { place += 1 }
        let (end, nuls) = EntryKey.textEnd(in: source, from: place, limit: key.upperBound)
        value.kind = .text
        value.value = Int64(place)
        value.bytes = end - place - nuls
        value.nuls = nuls
        value.type = RecordFormat.serialType(ofTextOf: value.bytes)
        types += RecordFormat.varintBytes(value.type)
        place = end + 1
      } else {
        value.kind = .integer
        value.value = EntryKey.integer(in: source, at: &place)
        (value.type, value.bytes) = RecordFormat.serialType(of: value.value)
        types += 1
      }
      values[index] = value
      if index + 1 == layout.uniqueColumns, !hasNull { uniqueEnd = place }
    }
    return types
  }

  /// Copies a text with NULs in it, without the bytes that follow them in a key.
  private mutating func copy(
    _ start: Int, _ count: Int, of source: borrowing ByteBuffer, to target: Int
  ) {
    var place = start
    for index in 0..<count {
      bytes[target + index] = source[place]
      place += source[place] == 0 ? 2 : 1
    }
  }
}
