import SQLiteSwiftly

/// The values that a column can have in the rows of a table.
enum ColumnValues {
  /// Texts of which the ranks are in a column of `RowRanks`.
  case texts(TextRanks, column: Int)
  case integers(ClosedRange<Int64>)
  /// Integers of at least this number, most of which are small.
  case integersFrom(Int64)
}

/// The entries of an index as one integer each, whose order is that of the entries: a field of some
/// bits for each column, the first column in the highest bits.
///
/// A field has a number's distance from the least one, or a text's rank; in a column with NULL, that
/// is 0 and the others are greater by one.
struct PackedLayout: Sendable {
  struct Field: Sendable {
    let place: Int
    /// The integer of the least code after that of NULL.
    let base: Int64
    /// The code of `base`.
    let first: UInt64
    let greatest: UInt64
    let shift: UInt64
    /// The index of its texts; -1 for integers.
    let texts: Int
    /// The column of their ranks.
    let ranks: Int
    let isMarked: Bool
  }

  /// The number after all entries; an entry with this number does not fit.
  static let end = UInt64.max
  /// The minimum number of bits for a column of unknown range.
  private static let leastBits = 16

  let fields: [Field]
  let texts: [TextRanks]
  /// The maximum size of an entry's key in bytes.
  let longestKey: Int

  /// Fails if entries may not fit into 64 bits; `values` are those of a column of the table, nil if they may be any.
  init?(_ layout: EntryLayout, _ values: (_ place: Int) -> ColumnValues?) {
    var ranges: [(base: Int64, first: UInt64, greatest: UInt64?, texts: (TextRanks, Int)?)] = []
    for column in layout.columns {
      let first: UInt64 = column.isNullable ? 1 : 0
      switch column.place < 0 ? .integersFrom(1) : values(column.place) {
      case nil: return nil
      case .texts(let texts, let place):
        ranges.append((0, first, first + UInt64(max(texts.count, 1)), (texts, place)))
      case .integers(let range):
        let distance = UInt64(bitPattern: range.upperBound &- range.lowerBound)
        guard distance < UInt64.max else { return nil }
        ranges.append((range.lowerBound, first, first + distance, nil))
      case .integersFrom(let least): ranges.append((least, first, nil, nil))
      }
    }
    let widths = ranges.map { $0.greatest.map { 64 - $0.leadingZeroBitCount } }
    let open = widths.count { $0 == nil }
    let free = 64 - widths.reduce(0) { $0 + ($1 ?? 0) }
    let share = free / max(open, 1)
    guard free >= 0, open == 0 || share >= Self.leastBits else { return nil }
    var shift = widths.reduce(0) { $0 + ($1 ?? share) }
    var fields: [Field] = []
    var texts: [TextRanks] = []
    for ((column, range), width) in zip(zip(layout.columns, ranges), widths) {
      shift -= width ?? share
      if let own = range.texts { texts.append(own.0) }
      fields.append(
        Field(
          place: column.place, base: range.base, first: range.first,
          greatest: width == 0 ? 0 : .max >> UInt64(64 - (width ?? share)), shift: UInt64(shift),
          texts: range.texts == nil ? -1 : texts.count - 1,
          ranks: range.texts?.1 ?? -1, isMarked: column.isMarked))
    }
    self.fields = fields
    self.texts = texts
    longestKey =
      fields.count * EntryKey.maximumIntegerBytes + texts.reduce(0) { $0 + $1.longest + 2 }
  }

  /// The bits of an integer in a field; nil if it does not fit.
  @inline(__always)
  func bits(of value: Int64, inField index: Int) -> UInt64? {
    let field = fields[index]
    let distance = UInt64(bitPattern: value &- field.base)
    guard value >= field.base, distance <= field.greatest &- field.first else { return nil }
    return (distance &+ field.first) &<< field.shift
  }

  /// Writes the key of an entry at `start` of `bytes`, which has room for the longest one and
  /// `EntryKey.slack`, and returns its place; nil for an invalid entry, as a file may contain when it is read back.
  @inline(__always)
  func unpack(_ entry: UInt64, into bytes: inout ByteBuffer, at start: Int) -> Range<Int>? {
    var place = start
    for index in fields.indices {
      let code = entry &>> fields[index].shift & fields[index].greatest
      let first = fields[index].first
      if code < first {
        bytes[place] = EntryKey.null
        place &+= 1
      } else if fields[index].texts < 0 {
        place = EntryKey.put(
          fields[index].base &+ Int64(bitPattern: code &- first), in: &bytes, at: place)
      } else {
        if fields[index].isMarked {
          bytes[place] = EntryKey.mark
          place &+= 1
        }
        guard let end = texts[fields[index].texts].put(code &- first, in: &bytes, at: place) else {
          return nil
        }
        place = end
      }
    }
    return start..<place
  }
}
