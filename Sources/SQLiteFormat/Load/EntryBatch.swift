import SQLiteSwiftly

/// The next entries of an index, as rows of their columns.
///
/// Adjacent entries begin alike, so a column is only decoded if it or one before it differs from the
/// last entry's; in a batch, equal adjacent texts are at the same position.
struct EntryBatch: ~Copyable {
  /// With 4096, the index with the statistics takes 7% longer: the rows and what is found for them leave the
  /// second-level cache.
  private static let fullRows = 1024
  private static let fullTextBytes = 64 << 10

  private let layout: EntryLayout
  private var values: [Int64] = []
  private var classes: [UInt8] = []
  private var rows = 0
  private var texts: Texts
  private var last: LastEntry

  init(_ layout: EntryLayout, longestKey: Int) {
    self.layout = layout
    last = LastEntry(columns: layout.columns.count)
    texts = Texts(longestKey: longestKey)
  }

  private var columns: Int { layout.columns.count }

  private mutating func begin() {
    values = [Int64](repeating: 0, count: Self.fullRows * columns)
    classes = [UInt8](repeating: 0, count: Self.fullRows * columns)
  }

  var isFull: Bool { rows == Self.fullRows || texts.bytes.count >= Self.fullTextBytes }

  /// Removes the rows.
  mutating func take() -> RowBatch {
    let unused = values.count - rows * columns
    values.removeLast(unused)
    classes.removeLast(unused)
    defer { (rows, texts.bytes) = (0, []) }
    return RowBatch(columns: columns, values: values, classes: classes, text: texts.bytes)
  }

  /// Appends an entry to a batch that is not full; false if the key is invalid.
  @inline(__always)
  mutating func append(_ key: Range<Int>, of source: borrowing ByteBuffer) -> Bool {
    if rows == 0 { begin() }
    let first = rows &* columns
    rows &+= 1
    return Self.decode(
      key, of: source, layout, at: first, &values, &classes, &texts, after: &last)
  }

  /// Appends a packed entry, which shares `common` fields with the previous one, to a batch that is not full; false if it
  /// is invalid.
  @inline(__always)
  mutating func append(_ entry: UInt64, of packing: PackedLayout, sharing common: Int) -> Bool {
    if rows == 0 { begin() }
    let first = rows &* columns
    let common = rows == 0 ? 0 : common
    rows &+= 1
    return Self.decode(
      entry, of: packing, at: first, &values, &classes, &texts, sharing: common)
  }

  /// Decodes a packed entry into the cells from `first`.
  @inline(__always)
  private static func decode(
    _ entry: UInt64, of packing: PackedLayout, at first: Int, _ values: inout [Int64],
    _ classes: inout [UInt8], _ texts: inout Texts, sharing common: Int
  ) -> Bool {
    // Each change of an array would check it for a second owner.
    var values = values.mutableSpan
    var classes = classes.mutableSpan
    let columns = packing.fields.count
    for cell in first..<first &+ common {
      values[cell] = values[cell &- columns]
      classes[cell] = classes[cell &- columns]
    }
    for column in common..<columns {
      guard let (storageClass, value) = packing.value(of: entry, inField: column) else {
        return false
      }
      let cell = first &+ column
      switch storageClass {
      case .null: (values[cell], classes[cell]) = (0, RowBatch.StorageClass.null)
      case .integer: (values[cell], classes[cell]) = (value, RowBatch.StorageClass.integer)
      case .text:
        let ranks = packing.texts[packing.fields[column].texts]
        (values[cell], classes[cell]) = (texts.append(value, of: ranks), RowBatch.StorageClass.text)
      }
    }
    return true
  }

  /// Decodes a key into the cells from `first`.
  @inline(__always)
  private static func decode(
    _ key: Range<Int>, of source: borrowing ByteBuffer, _ layout: EntryLayout, at first: Int,
    _ values: inout [Int64], _ classes: inout [UInt8], _ texts: inout Texts,
    after last: inout LastEntry
  ) -> Bool {
    // Each change of an array would check it for a second owner.
    var values = values.mutableSpan
    var classes = classes.mutableSpan
    var isSame = first > 0
    var start = 0
    // Iterating over the array would retain it for each entry.
    for column in layout.columns.indices {
      let cell = first &+ column
      let isText = layout.columns[column].isText
      isSame = isSame && last.hasEqual(column, from: start, isText: isText, as: key, of: source)
      if isSame {
        values[cell] = values[cell &- layout.columns.count]
        classes[cell] = classes[cell &- layout.columns.count]
      } else {
        var offset = key.lowerBound &+ start
        guard offset < key.upperBound,
          let decoded = texts.decode(layout.columns[column], at: &offset, key, of: source)
        else { return false }
        (values[cell], classes[cell]) = decoded
        last.ends[column] = offset &- key.lowerBound
      }
      start = last.ends[column]
    }
    last.set(key, of: source)
    return start == key.count
  }
}

/// The key of an entry, and the end of each column in it.
private struct LastEntry: ~Copyable {
  private var key = ByteBuffer(count: 0)
  var ends: [Int]

  init(columns: Int) { ends = [Int](repeating: 0, count: columns) }

  mutating func set(_ key: Range<Int>, of source: borrowing ByteBuffer) {
    self.key.grow(to: key.count)
    self.key.copy(key, of: source, to: 0)
  }

  /// Whether the column from `start` is that of the next entry, whose columns before are equal.
  @inline(__always)
  func hasEqual(
    _ column: Int, from start: Int, isText: Bool, as next: Range<Int>,
    of source: borrowing ByteBuffer
  ) -> Bool {
    let end = next.lowerBound &+ ends[column]
    guard end <= next.upperBound,
      source.areEqual(next.lowerBound &+ start..<end, to: start..<ends[column], of: key)
    else { return false }
    // A NUL ends a text only if no escape follows.
    return !isText || end == next.upperBound || source[end] != EntryKey.escape
  }
}

/// The texts of a batch.
private struct Texts: ~Copyable {
  var bytes: [UInt8] = []
  /// The text of a key without the escapes of its NULs.
  private var decoded: ByteBuffer

  /// Appends the text of a rank, and returns the value of its cell.
  @inline(__always)
  mutating func append(_ rank: Int64, of ranks: TextRanks) -> Int64 {
    let start = UInt32(bytes.count)
    ranks.append(rank, to: &bytes)
    return RowBatch.value(ofTextAt: start, UInt32(bytes.count))
  }

  init(longestKey: Int) { decoded = ByteBuffer(count: longestKey + EntryKey.slack) }

  /// Decodes a cell; nil if the key is invalid.
  @inline(__always)
  mutating func decode(
    _ column: EntryLayout.Column, at offset: inout Int, _ key: Range<Int>,
    of source: borrowing ByteBuffer
  ) -> (value: Int64, storageClass: UInt8)? {
    if column.isNullable, source[offset] == EntryKey.null {
      offset &+= 1
      return (0, RowBatch.StorageClass.null)
    }
    guard column.isText else {
      guard let value = EntryKey.integer(in: source, at: &offset), offset <= key.upperBound else {
        return nil
      }
      return (value, RowBatch.StorageClass.integer)
    }
    if column.isMarked { offset &+= 1 }
    guard
      let count = EntryKey.copyText(
        at: &offset, end: key.upperBound, of: source, to: 0, in: &decoded)
    else { return nil }
    let start = UInt32(bytes.count)
    for byte in 0..<count { bytes.append(decoded[byte]) }
    return (RowBatch.value(ofTextAt: start, start + UInt32(count)), RowBatch.StorageClass.text)
  }
}
