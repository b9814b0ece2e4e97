import Platform
import SQLiteSwiftly

/// The entries of an index of the current table: packed ones, until one does not fit, and then keys.
///
/// It is on the heap so that an array can hold it, and owned by one `IndexCollector`.
final class IndexEntries: @unchecked Sendable {
  private let place: Int
  private let layout: EntryLayout
  private let usableBytes: Int
  private var packed: PackedRuns?
  private var keys: SortedRuns?

  init(_ place: Int, _ layout: EntryLayout, _ packing: PackedLayout?, usableBytes: Int) {
    self.place = place
    self.layout = layout
    self.usableBytes = usableBytes
    if let packing {
      packed = PackedRuns(packing, usableBytes: usableBytes)
    } else {
      keys = SortedRuns(layout, usableBytes: usableBytes)
    }
  }

  func add(
    _ batch: borrowing RowBatch, _ ranks: RowRanks, spilling file: inout SpillFile
  ) throws(FileError) {
    let fitting = try packed?.add(batch, ranks, spilling: &file) ?? 0
    guard fitting < batch.rows else { return }
    if let packed = packed.take() {
      keys = try SortedRuns(layout, continuing: packed, in: &file)
    }
    try keys?.add(batch, from: fitting, spilling: &file)
  }

  /// Ends the index, which then has no more entries.
  func finish(table: Int, spilling file: inout SpillFile) throws(FileError) -> CollectedIndex {
    if var packed = packed.take() {
      try packed.spill(to: &file)
      return collected(
        table, packed.runs, packed.layout, packed.totals, longestKey: packed.layout.longestKey)
    }
    var runs = keys.take() ?? SortedRuns(layout, usableBytes: usableBytes)
    try runs.finish(spilling: &file)
    return collected(table, runs.runs, nil, runs.totals, longestKey: runs.longestKey)
  }

  private func collected(
    _ table: Int, _ runs: [SortedRuns.Run], _ packing: PackedLayout?, _ totals: EntryTotals,
    longestKey: Int
  ) -> CollectedIndex {
    CollectedIndex(
      table: table, place: place, checksum: totals.checksum, layout: layout, runs: runs,
      packing: packing, sizes: totals.sizes, longestKey: longestKey)
  }
}
