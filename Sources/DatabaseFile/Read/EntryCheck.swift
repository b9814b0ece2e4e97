/// Takes the records of an index in the order of the index: adds them up, and sees to it that each comes
/// after the one before it.
struct EntryCheck: ~Copyable {
  /// What is kept of each value of the last record: whether it is not NULL, a number that sorts as the
  /// value does up to its eighth byte, and its place and size in the record if it is a text.
  private struct Value {
    var rank: UInt64 = 0
    var word: UInt64 = 0
    var start = 0
    var count = 0
  }

  private let layout: EntryLayout
  private(set) var checksum = EntryChecksum()
  private var last: [Value]
  /// The last record, for texts that agree in their first eight bytes.
  private var lastRecord = ByteBuffer(count: 256)

  init(_ layout: EntryLayout) {
    self.layout = layout
    last = [Value](repeating: Value(), count: layout.columns.count)
  }

  /// Adds the record at `record` of `bytes`; false if it is none of this index, or is not after the last.
  @inline(__always)
  mutating func add(_ record: Range<Int>, of bytes: borrowing ByteBuffer) -> Bool {
    var type = record.lowerBound
    guard let header = RecordFormat.varint(in: bytes, at: &type), header <= record.count else {
      return false
    }
    let body = record.lowerBound &+ header
    var place = body
    var hash = EntryHash()
    var isAfter = checksum.entries == 0
    for column in layout.columns.indices {
      guard type < body, let serial = RecordFormat.varint(in: bytes, at: &type) else {
        return false
      }
      var value = Value()
      if serial == RecordFormat.null {
        guard layout.columns[column].isNullable else { return false }
        hash.addNull()
      } else if layout.columns[column].isText {
        guard serial >= 13, serial % 2 == 1 else { return false }
        value.count = (serial - 13) / 2
        guard value.count <= record.upperBound - place else { return false }
        value.rank = 1
        value.start = place - record.lowerBound
        value.word = bytes.word(at: place).prefix(value.count)
        hash.add(textAt: place..<place + value.count, of: bytes.span(0..<bytes.count))
        place += value.count
      } else {
        guard let size = RecordFormat.integerBytes(serial), size <= record.upperBound - place
        else { return false }
        let integer = RecordFormat.integer(serial, size, in: bytes, at: place)
        value.rank = 1
        // The numbers below zero come first.
        value.word = UInt64(bitPattern: integer) ^ 1 << 63
        hash.add(integer)
        place += size
      }
      if !isAfter {
        guard let order = order(of: value, at: record.lowerBound, in: bytes, after: column) else {
          return false
        }
        isAfter = order
      }
      last[column] = value
    }
    guard type == body, place == record.upperBound, isAfter else { return false }
    lastRecord.grow(to: record.count)
    lastRecord.copy(record, of: bytes, to: 0)
    checksum.add(hash)
    return true
  }

  /// Whether a value is greater than that of the last record; nil if it is less.
  @inline(__always)
  private func order(
    of value: Value, at start: Int, in bytes: borrowing ByteBuffer, after column: Int
  ) -> Bool? {
    let before = last[column]
    if value.rank != before.rank { return value.rank > before.rank ? true : nil }
    if value.word != before.word { return value.word > before.word ? true : nil }
    guard max(value.count, before.count) > 0 else { return false }
    let own = start + value.start..<start + value.start + value.count
    let other = before.start..<before.start + before.count
    if lastRecord.isLess(other, than: own, of: bytes) { return true }
    return bytes.isLess(own, than: other, of: lastRecord) ? nil : false
  }
}
