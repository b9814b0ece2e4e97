import Platform
import SQLiteSwiftly

/// Collects the packed entries of an index as the rows of its table arrive, in sorted runs.
struct PackedRuns: ~Copyable, Sendable {
  /// A run of this size is sorted in the processor's second-level cache.
  private static let runEntries = 1 << 15
  static let entryBytes = 8

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
    try file.begin()
    for index in 0..<count { try file.append(entry: entries[index]) }
    runs.append(file.run)
    count = 0
  }

  /// Writes the runs again as runs of keys, since some entries do not fit.
  consuming func unpacked(in file: inout SpillFile) throws(FileError) -> [SpillFile.Run] {
    try spill(to: &file)
    try file.flush()
    var bytes = ByteBuffer(count: Self.runEntries * Self.entryBytes)
    var key = ByteBuffer(count: layout.longestKey + EntryKey.slack)
    var unpacked: [SpillFile.Run] = []
    for run in runs {
      try file.read(0..<run.bytes, of: run, into: &bytes, at: 0)
      try file.begin()
      for start in stride(from: 0, to: run.bytes, by: Self.entryBytes) {
        guard let range = layout.unpack(bytes.word(at: start), into: &key) else {
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
