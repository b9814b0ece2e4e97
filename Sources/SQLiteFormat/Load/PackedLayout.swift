/// The values that a column can have in the rows of a table.
enum ColumnValues {
  /// Texts of which the ranks are in a column of `RowRanks`.
  case texts(TextRanks, column: Int)
  case integers(ClosedRange<Int64>)
  /// Only these integers.
  case ranked(NumberRanks)
  /// Integers of at least this number, most of which are small.
  case integersFrom(Int64)
}

/// The entries of an index as one integer each, whose order is that of the entries: a field of some
/// bits for each column, the first column in the highest bits.
///
/// A field has a number's distance from the least one, or the rank of a number or a text; in a column with NULL, that
/// is 0 and the others are greater by one.
struct PackedLayout: Sendable {
  struct Field: Sendable {
    let place: Int
    /// The integer of the least code after that of NULL; 0 for ranks.
    let base: Int64
    /// The code of `base`.
    let first: UInt64
    let greatest: UInt64
    let shift: UInt64
    /// Whether it has ranks of numbers.
    let isRanked: Bool
    /// The index of its texts; -1 for integers.
    let texts: Int
    /// The column of their ranks.
    let ranks: Int
    let isMarked: Bool
  }

  /// The number after all entries; an entry with this number does not fit.
  static let end = UInt64.max

  let fields: [Field]
  let texts: [TextRanks]
  /// The ranked numbers of each field; nil for others.
  private let numbers: [NumberRanks?]
  let longestKey: Int

  /// Fails if entries may not fit into 64 bits; `values` are those of a column of the table, nil if they may be any.
  ///
  /// Numbers are ranked only if their distances leave fewer than 16 bits for others, since that takes time for each entry.
  /// Ranks need to leave 12, so that most quantities fit.
  init?(_ layout: EntryLayout, _ values: (_ place: Int) -> ColumnValues?) {
    var known: [ColumnValues] = []
    for column in layout.columns {
      guard let values = column.place < 0 ? .integersFrom(1) : values(column.place) else {
        return nil
      }
      known.append(values)
    }
    if let packed = Self(layout, known, leastBits: 16) {
      self = packed
      return
    }
    let canRank = known.contains { if case .ranked = $0 { true } else { false } }
    guard canRank, let packed = Self(layout, known, ranking: true, leastBits: 12) else {
      return nil
    }
    self = packed
  }

  /// `leastBits` is the minimum number of bits for a column of unknown range.
  private init?(
    _ layout: EntryLayout, _ known: [ColumnValues], ranking: Bool = false, leastBits: Int
  ) {
    var ranges: [(base: Int64, first: UInt64, greatest: UInt64?, texts: (TextRanks, Int)?)] = []
    var numbers: [NumberRanks?] = []
    for (column, values) in zip(layout.columns, known) {
      let first: UInt64 = column.isNullable ? 1 : 0
      numbers.append(nil)
      switch values {
      case .texts(let texts, let place):
        ranges.append((0, first, first + UInt64(max(texts.count, 1)), (texts, place)))
      case .ranked(let ranks) where ranking:
        numbers[numbers.count - 1] = ranks
        ranges.append((0, first, first + UInt64(ranks.count - 1), nil))
      case .ranked(let ranks): ranges.append(Self.distances(in: ranks.range, first))
      case .integers(let range):
        guard range != .min ... .max else { return nil }
        ranges.append(Self.distances(in: range, first))
      case .integersFrom(let least): ranges.append((least, first, nil, nil))
      }
    }
    let widths = ranges.map { $0.greatest.map { 64 - $0.leadingZeroBitCount } }
    let open = widths.count { $0 == nil }
    let free = 64 - widths.reduce(0) { $0 + ($1 ?? 0) }
    let share = free / max(open, 1)
    guard free >= 0, open == 0 || share >= leastBits else { return nil }
    var shift = widths.reduce(0) { $0 + ($1 ?? share) }
    var fields: [Field] = []
    var texts: [TextRanks] = []
    for (place, column) in layout.columns.enumerated() {
      let (range, width) = (ranges[place], widths[place])
      shift -= width ?? share
      if let own = range.texts { texts.append(own.0) }
      fields.append(
        Field(
          place: column.place, base: range.base, first: range.first,
          greatest: width == 0 ? 0 : .max >> UInt64(64 - (width ?? share)), shift: UInt64(shift),
          isRanked: numbers[place] != nil, texts: range.texts == nil ? -1 : texts.count - 1,
          ranks: range.texts?.1 ?? -1, isMarked: column.isMarked))
    }
    self.fields = fields
    self.texts = texts
    self.numbers = numbers
    longestKey =
      fields.count * EntryKey.maximumIntegerBytes + texts.reduce(0) { $0 + $1.longest + 2 }
  }

  private static func distances(
    in range: ClosedRange<Int64>, _ first: UInt64
  ) -> (base: Int64, first: UInt64, greatest: UInt64?, texts: (TextRanks, Int)?) {
    let distance = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    return (range.lowerBound, first, first + distance, nil)
  }

  /// The bits of an integer in a field; nil if it does not fit.
  @inline(__always)
  func bits(of value: Int64, inField index: Int) -> UInt64? {
    let field = fields[index]
    var value = value
    if field.isRanked {
      guard let rank = numbers[index]?.rank(of: value) else { return nil }
      value = rank
    }
    let distance = UInt64(bitPattern: value &- field.base)
    guard value >= field.base, distance <= field.greatest &- field.first else { return nil }
    return (distance &+ field.first) &<< field.shift
  }

  /// The number of fields, from the first, that two entries share.
  @inline(__always)
  func commonFields(_ entry: UInt64, _ other: UInt64) -> Int {
    let difference = entry ^ other
    var index = 0
    // The first field has a shift of 64 if it needs no bits.
    while index < fields.count && difference >> fields[index].shift == 0 { index &+= 1 }
    return index
  }

  /// Whether one of the first fields of an entry is NULL.
  func hasNull(_ entry: UInt64, fields count: Int) -> Bool {
    fields[..<count].contains { entry &>> $0.shift & $0.greatest < $0.first }
  }

  /// What a field of an entry has: NULL, an integer, or the rank of a text.
  enum StorageClass { case null, integer, text }

  /// The value of a field; nil if it is invalid, as in an entry of a file that is read back.
  @inline(__always)
  func value(
    of entry: UInt64, inField index: Int
  ) -> (storageClass: StorageClass, value: Int64)? {
    let code = entry &>> fields[index].shift & fields[index].greatest
    let first = fields[index].first
    if code < first { return (.null, 0) }
    let distance = Int64(bitPattern: code &- first)
    if fields[index].texts >= 0 {
      return distance < Int64(texts[fields[index].texts].count) ? (.text, distance) : nil
    }
    let value = fields[index].base &+ distance
    guard fields[index].isRanked else { return (.integer, value) }
    guard let number = numbers[index]?.number(of: value) else { return nil }
    return (.integer, number)
  }

  /// Writes the key of an entry at the start of `bytes`, which has room for the longest one and `EntryKey.slack`, and
  /// returns its range; nil for an invalid entry.
  func unpack(_ entry: UInt64, into bytes: inout ByteBuffer) -> Range<Int>? {
    var offset = 0
    for index in fields.indices {
      guard let (storageClass, value) = value(of: entry, inField: index) else { return nil }
      switch storageClass {
      case .null:
        bytes[offset] = EntryKey.null
        offset += 1
      case .integer: offset = EntryKey.put(value, in: &bytes, at: offset)
      case .text:
        if fields[index].isMarked {
          bytes[offset] = EntryKey.mark
          offset += 1
        }
        offset += texts[fields[index].texts].copy(value, to: offset, in: &bytes)
        bytes[offset] = EntryKey.end
        offset += 1
      }
    }
    return 0..<offset
  }
}
