import SQLiteSwiftly

/// The texts of a key column in order, each with its rank, the number that replaces it in sorted entries.
///
/// Memory holds the texts, and 20 to 36 bytes for each.
final class TextRanks: Sendable {
  /// With more, ranks would take more memory than they save.
  static let mostTexts = 1 << 20

  /// The texts in order.
  private let bytes: ByteBuffer
  /// The start of each text, and the end of the last.
  private let starts: [UInt32]
  /// In the slot of a hash its highest bits and, in the others, the rank plus 1; 0 if it is free.
  private let slots: [UInt64]
  private let seed: UInt64
  let longest: Int

  private static let rankMask = UInt64(2 * mostTexts - 1)
  /// More probes mean that the hashes collide.
  private static let mostProbes = 64

  /// Fails if two texts have nearly the same hash.
  fileprivate init?(
    _ bytes: consuming ByteBuffer, _ starts: [UInt32], longest: Int, seed: UInt64
  ) {
    var slots = [UInt64](repeating: 0, count: 64)
    while slots.count < 2 * starts.count { slots += slots }
    for rank in 0..<starts.count - 1 {
      let place = Int(starts[rank])..<Int(starts[rank + 1])
      let hash = Self.hash(ofTextAt: place, of: bytes.span(0..<bytes.count), seed)
      var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
      while slots[slot] != 0 {
        guard (slots[slot] ^ hash) & ~Self.rankMask != 0 else { return nil }
        slot = (slot + 1) & (slots.count - 1)
      }
      slots[slot] = hash & ~Self.rankMask | UInt64(rank + 1)
    }
    self.bytes = bytes
    self.starts = starts
    self.slots = slots
    self.longest = longest
    self.seed = seed
  }

  var count: Int { starts.count - 1 }

  @inline(__always)
  private static func hash(ofTextAt range: Range<Int>, of bytes: Span<UInt8>, _ seed: UInt64)
    -> UInt64
  {
    var hash = EntryHash(seed: seed)
    hash.add(textAt: range, of: bytes)
    return hash.value
  }

  /// Sets the ranks of the texts in a column of a batch, plus 1; 0 for NULL, and for a text that is not among these.
  ///
  /// Another text has a rank with a probability of 2^-43 for each text in its slots. The checksum of
  /// the index, computed from the rows, would then differ from that of its pages.
  func find(column: Int, of batch: borrowing RowBatch, into ranks: inout [UInt32], at first: Int) {
    var ranks = ranks.mutableSpan
    let (values, classes, text) = (batch.values, batch.classes, batch.text.span)
    let slotArray = slots
    let slots = slotArray.span
    var cell = column
    for row in 0..<batch.rows {
      ranks[first &+ row] = 0
      if classes[cell] == RowBatch.StorageClass.text {
        let (start, count) = RowBatch.textPlace(values[cell])
        let hash = Self.hash(ofTextAt: start..<start + count, of: text, seed)
        var slot = Int(truncatingIfNeeded: hash) & (slots.count &- 1)
        for _ in 0..<Self.mostProbes {
          let found = slots[slot]
          if found == 0 { break }
          if (found ^ hash) & ~Self.rankMask == 0 {
            ranks[first &+ row] = UInt32(truncatingIfNeeded: found & Self.rankMask)
            break
          }
          slot = (slot &+ 1) & (slots.count &- 1)
        }
      }
      cell &+= batch.columns
    }
  }

  /// The position of the text of a rank, which must exist.
  @inline(__always)
  private func place(_ rank: Int64) -> Range<Int> {
    let rank = Int(rank)
    return Int(starts[rank])..<Int(starts[rank &+ 1])
  }

  /// Copies the text of a rank, which must exist, and returns its size in bytes.
  @inline(__always)
  func copy(_ rank: Int64, to offset: Int, in target: inout ByteBuffer) -> Int {
    let place = place(rank)
    target.copy(place, of: bytes, to: offset)
    return place.count
  }

  /// Appends the text of a rank, which must exist.
  @inline(__always)
  func append(_ rank: Int64, to target: inout [UInt8]) {
    for index in place(rank) { target.append(bytes[index]) }
  }
}

/// Takes up the texts of a key column; it is owned by one `ParentKeys`.
final class TextCollection: @unchecked Sendable {
  private static let mostBytes = 16 << 20

  private var bytes = ByteBuffer(count: 64 << 10)
  private var places: [Range<UInt32>] = []
  private var end = 0
  private var isUsable = true

  func add(textAt range: Range<Int>, of text: Span<UInt8>) {
    guard isUsable else { return }
    isUsable = places.count < TextRanks.mostTexts && end + range.count <= Self.mostBytes
    // An escape would be needed.
    for index in range where text[index] == 0 { isUsable = false }
    guard isUsable else {
      bytes = ByteBuffer(count: 0)
      return places = []
    }
    bytes.grow(to: max(end + range.count, min(2 * bytes.count, end + range.count + (1 << 20))))
    for index in range { bytes[end + index - range.lowerBound] = text[index] }
    places.append(UInt32(end)..<UInt32(end + range.count))
    end += range.count
  }

  /// The ranks of the texts, which must be different; nil if there are too many.
  func ranks() -> TextRanks? {
    guard isUsable else { return nil }
    var sorter = KeySorter(capacity: places.count)
    for range in places { sorter.add(Int(range.lowerBound)..<Int(range.upperBound), of: bytes) }
    sorter.sort(bytes)
    var sorted = ByteBuffer(count: end)
    var starts: [UInt32] = []
    var (next, longest) = (0, 0)
    for index in places.indices {
      let range = sorter.range(index)
      starts.append(UInt32(next))
      sorted.copy(range, of: bytes, to: next)
      next += range.count
      longest = max(longest, range.count)
    }
    starts.append(UInt32(next))
    return TextRanks(sorted, starts, longest: longest, seed: .random(in: .min ... .max))
  }
}
