import SQLiteSwiftly

/// The next entries of an index, as rows of their columns.
///
/// Adjacent entries begin alike, so a column is only decoded if it or one before it differs from the
/// last entry's; in a batch, equal adjacent texts are at the same position.
struct EntryBatch: ~Copyable {
  private static let fullRows = 4096
  private static let fullTextBytes = 64 << 10

  private let layout: EntryLayout
  private var values: [Int64] = []
  private var classes: [UInt8] = []
  private var text: [UInt8] = []
  /// The key of the last entry, and the end of each column in it.
  private var last = ByteBuffer(count: 0)
  private var ends: [Int]
  /// The text of a key without the escapes of its NULs.
  private var decoded: ByteBuffer

  init(_ layout: EntryLayout, longestKey: Int) {
    self.layout = layout
    ends = layout.columns.map { _ in 0 }
    decoded = ByteBuffer(count: longestKey + EntryKey.slack)
    begin()
  }

  private mutating func begin() {
    (values, classes, text) = ([], [], [])
    values.reserveCapacity(Self.fullRows * ends.count)
    classes.reserveCapacity(Self.fullRows * ends.count)
  }

  var isFull: Bool {
    values.count >= Self.fullRows * ends.count || text.count >= Self.fullTextBytes
  }

  /// Removes the rows.
  mutating func take() -> RowBatch {
    let rows = RowBatch(columns: ends.count, values: values, classes: classes, text: text)
    begin()
    return rows
  }

  /// Appends an entry; false if the key is invalid.
  @inline(__always)
  mutating func append(_ key: Range<Int>, of source: borrowing ByteBuffer) -> Bool {
    var start = 0
    var isSame = !values.isEmpty
    // Iterating over the array would retain it for each entry.
    for column in layout.columns.indices {
      isSame = isSame && isLast(start..<ends[column], column, key, of: source)
      if isSame {
        values.append(values[values.count &- ends.count])
        classes.append(classes[classes.count &- ends.count])
      } else {
        var offset = key.lowerBound &+ start
        guard offset < key.upperBound, decode(column, at: &offset, key, of: source) else {
          return false
        }
        ends[column] = offset &- key.lowerBound
      }
      start = ends[column]
    }
    last.grow(to: key.count)
    last.copy(key, of: source, to: 0)
    return start == key.count
  }

  /// Whether a column is that of the last entry, from whose key it has the same bytes.
  @inline(__always)
  private func isLast(
    _ bytes: Range<Int>, _ column: Int, _ key: Range<Int>, of source: borrowing ByteBuffer
  ) -> Bool {
    let end = key.lowerBound &+ bytes.upperBound
    guard end <= key.upperBound,
      source.areEqual(key.lowerBound &+ bytes.lowerBound..<end, to: bytes, of: last)
    else { return false }
    // A NUL ends a text only if no escape follows.
    return !layout.columns[column].isText || end == key.upperBound
      || source[end] != EntryKey.escape
  }

  @inline(__always)
  private mutating func decode(
    _ index: Int, at offset: inout Int, _ key: Range<Int>, of source: borrowing ByteBuffer
  ) -> Bool {
    let column = layout.columns[index]
    if column.isNullable, source[offset] == EntryKey.null {
      offset &+= 1
      values.append(0)
      classes.append(RowBatch.StorageClass.null)
    } else if column.isText {
      if column.isMarked { offset &+= 1 }
      guard
        let count = EntryKey.copyText(
          at: &offset, end: key.upperBound, of: source, to: 0, in: &decoded)
      else { return false }
      let start = UInt32(text.count)
      for byte in 0..<count { text.append(decoded[byte]) }
      values.append(RowBatch.value(ofTextAt: start, start + UInt32(count)))
      classes.append(RowBatch.StorageClass.text)
    } else {
      guard let value = EntryKey.integer(in: source, at: &offset), offset <= key.upperBound else {
        return false
      }
      values.append(value)
      classes.append(RowBatch.StorageClass.integer)
    }
    return true
  }
}
