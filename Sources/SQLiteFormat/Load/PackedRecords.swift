/// Creates the records of packed entries in order (<https://www.sqlite.org/fileformat2.html#record_format>).
///
/// Adjacent entries begin alike, and the values that they share are only written once.
struct PackedRecords: ~Copyable {
  private let layout: PackedLayout
  /// The serial types of the record and, from `bodyStart`, its values, with room before them for
  /// the header and for the payload size of a cell.
  var bytes: ByteBuffer
  private let bodyStart: Int
  /// The ends of the types and of the values up to each field.
  private var ends: [(types: Int, body: Int)]

  init(_ layout: PackedLayout) {
    self.layout = layout
    // A serial type, the size of the header and that of the payload have at most five bytes each.
    bodyStart = 2 * 5 * (layout.fields.count + 2)
    bytes = ByteBuffer(count: bodyStart + layout.longestKey + 16 * (layout.fields.count + 1))
    ends = layout.fields.map { _ in (0, 0) }
  }

  /// Creates the record of an entry that shares `common` fields with the previous one, and returns its position in
  /// `bytes`, which the caller must not change but around it; nil if the entry is invalid, as one read back from a file
  /// may be.
  @inline(__always)
  mutating func encode(_ entry: UInt64, sharing common: Int) -> Range<Int>? {
    var (types, body) = common > 0 ? ends[common &- 1] : (0, bodyStart)
    for index in common..<layout.fields.count {
      guard let (storageClass, value) = layout.value(of: entry, inField: index) else { return nil }
      switch storageClass {
      case .null:
        bytes[types] = UInt8(RecordFormat.null)
        types &+= 1
      case .integer:
        let (type, count) = RecordFormat.serialType(of: value)
        bytes[types] = UInt8(truncatingIfNeeded: type)
        types &+= 1
        // Shifting by all 64 bits yields zero, as required for integers without bytes.
        bytes.put(UInt64(bitPattern: value) << UInt64(64 &- 8 &* count), at: body)
        body &+= count
      case .text:
        let count = layout.texts[layout.fields[index].texts].copy(value, to: body, in: &bytes)
        types = RecordFormat.put(
          varint: RecordFormat.serialType(ofTextOf: count), in: &bytes, at: types)
        body &+= count
      }
      ends[index] = (types, body)
    }
    return RecordFormat.addHeader(types: types, to: bodyStart..<body, in: &bytes)
  }
}
