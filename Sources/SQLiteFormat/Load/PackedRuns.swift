import Platform
import SQLiteSwiftly

/// Collects the packed entries of an index as the rows of its table arrive, in sorted runs.
struct PackedRuns: ~Copyable, Sendable {
  /// A run of this size is sorted in the processor's second-level cache.
  private static let runEntries = 1 << 15
  static let entryBytes = 8
  /// The size of an entry precedes it, as that of any key.
  private static let storedBytes = 1 + entryBytes

  let layout: PackedLayout
  private(set) var runs: [SpillFile.Run] = []
  private(set) var totals: EntryTotals
  private(set) var rows = 0
  private var entries: [UInt64]
  private var others: [UInt64]
  private var count = 0

  init(_ layout: PackedLayout, usableBytes: Int) {
    self.layout = layout
    totals = EntryTotals(usableBytes: usableBytes)
    entries = [UInt64](repeating: 0, count: Self.runEntries)
    others = entries
  }

  /// Adds the entries of rows up to the first that does not fit; returns their number.
  mutating func add(
    _ batch: borrowing RowBatch, _ ranks: RowRanks, spilling file: inout SpillFile
  ) throws(FileError) -> Int {
    let (values, classes, text) = (batch.values, batch.classes, batch.text.span)
    for row in 0..<batch.rows {
      if count == Self.runEntries { try spill(to: &file) }
      let isAdded = add(row &* batch.columns, values, classes, text, ranks, row)
      guard isAdded else { return row }
      rows &+= 1
    }
    return batch.rows
  }

  @inline(__always)
  private mutating func add(
    _ firstCell: Int, _ values: Span<Int64>, _ classes: Span<UInt8>, _ text: Span<UInt8>,
    _ ranks: RowRanks, _ row: Int
  ) -> Bool {
    var entry = EntryTotals.Entry()
    var packed: UInt64 = 0
    for index in layout.fields.indices {
      let place = layout.fields[index].place
      let value = place < 0 ? Int64(rows &+ 1) : values[firstCell &+ place]
      switch place < 0 ? RowBatch.StorageClass.integer : classes[firstCell &+ place] {
      case RowBatch.StorageClass.integer:
        guard let bits = layout.bits(of: value, inField: index) else { return false }
        packed |= bits
        entry.add(value)
      case RowBatch.StorageClass.text:
        let (first, count) = RowBatch.textPlace(value)
        let range = first..<first + count
        let rank = ranks.rank(column: layout.fields[index].ranks, row: row)
        guard rank >= 0, let bits = layout.bits(of: Int64(rank), inField: index) else {
          return false
        }
        packed |= bits
        entry.add(textAt: range, of: text)
      default:
        guard layout.fields[index].first > 0 else { return false }
        entry.addNull()
      }
    }
    guard packed != PackedLayout.end else { return false }
    totals.add(entry)
    entries[count] = packed
    count &+= 1
    return true
  }

  mutating func spill(to file: inout SpillFile) throws(FileError) {
    guard count > 0 else { return }
    sort()
    var bytes = ByteBuffer(count: Self.entryBytes)
    try file.begin()
    for index in 0..<count {
      bytes.put(entries[index], at: 0)
      try file.append(key: 0..<Self.entryBytes, of: bytes)
    }
    runs.append(file.run)
    count = 0
  }

  /// Writes the runs again as runs of keys, since some entries do not fit.
  consuming func unpacked(in file: inout SpillFile) throws(FileError) -> [SpillFile.Run] {
    try spill(to: &file)
    try file.flush()
    var bytes = ByteBuffer(count: Self.runEntries * Self.storedBytes)
    var key = ByteBuffer(count: layout.longestKey + EntryKey.slack)
    var unpacked: [SpillFile.Run] = []
    for run in runs {
      try file.read(0..<run.bytes, of: run, into: &bytes, at: 0)
      try file.begin()
      for start in stride(from: 0, to: run.bytes, by: Self.storedBytes) {
        guard let range = layout.unpack(bytes.word(at: start + 1), into: &key, at: 0) else {
          throw FileError(code: damagedFile)
        }
        try file.append(key: range, of: key)
      }
      unpacked.append(file.run)
    }
    return unpacked
  }

  /// Sorts by one byte after the other, beginning with the lowest, as `KeySorter` does.
  private mutating func sort() {
    var (all, any) = (UInt64.max, UInt64(0))
    for index in 0..<count {
      all &= entries[index]
      any |= entries[index]
    }
    // Only bytes that differ.
    let bits = all ^ any
    for shift in stride(from: UInt64(0), to: 64, by: 8) where bits &>> shift & 0xff != 0 {
      distribute(by: shift)
      swap(&entries, &others)
    }
  }

  private mutating func distribute(by shift: UInt64) {
    let (entryArray, count) = (entries, count)
    let entries = entryArray.span
    var otherArray = exchange(&others, with: [])
    defer { swap(&others, &otherArray) }
    var others = otherArray.mutableSpan
    var places = InlineArray<256, Int32>(repeating: 0)
    for index in 0..<count { places[Int(entries[index] &>> shift & 0xff)] &+= 1 }
    var sum: Int32 = 0
    for value in 0..<256 {
      let own = places[value]
      places[value] = sum
      sum &+= own
    }
    for index in 0..<count {
      let value = Int(entries[index] &>> shift & 0xff)
      others[Int(places[value])] = entries[index]
      places[value] &+= 1
    }
  }
}

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

  /// Writes the key of an entry at `start` of `bytes`, which has room for the longest one and
  /// `EntryKey.slack`, and returns its range; nil for an invalid entry, as a file may contain when it is read back.
  @inline(__always)
  func unpack(_ entry: UInt64, into bytes: inout ByteBuffer, at start: Int) -> Range<Int>? {
    var offset = start
    for index in fields.indices {
      let code = entry &>> fields[index].shift & fields[index].greatest
      let first = fields[index].first
      if code < first {
        bytes[offset] = EntryKey.null
        offset &+= 1
      } else if fields[index].texts < 0 {
        var value = fields[index].base &+ Int64(bitPattern: code &- first)
        if fields[index].isRanked {
          guard let number = numbers[index]?.number(of: value) else { return nil }
          value = number
        }
        offset = EntryKey.put(value, in: &bytes, at: offset)
      } else {
        if fields[index].isMarked {
          bytes[offset] = EntryKey.mark
          offset &+= 1
        }
        guard let end = texts[fields[index].texts].put(code &- first, in: &bytes, at: offset) else {
          return nil
        }
        offset = end
      }
    }
    return start..<offset
  }
}
