/// A sum over the entries of an index that does not depend on their order.
///
/// It is made of the values of the rows when they are written, and of the values in the finished file:
/// an entry that is missing, is there twice, or has another value gives another sum.
package struct EntryChecksum: Equatable, Sendable {
  /// The entries.
  package private(set) var entries = 0
  /// The sum of their hashes.
  private(set) var sum: UInt64 = 0

  /// Adds an entry.
  @inline(__always)
  mutating func add(_ entry: EntryHash) {
    entries += 1
    sum &+= entry.value
  }
}

/// The hash of the values of one entry, in their order.
struct EntryHash {
  private(set) var value: UInt64 = 0x2545_f491_4f6c_dd1d

  @inline(__always)
  mutating func addNull() { value = value.mixed(with: 0x5851_f42d_4c95_7f2d) }

  @inline(__always)
  mutating func add(_ integer: Int64) {
    value = value.mixed(with: UInt64(bitPattern: integer))
  }

  /// Adds the text at `range` of `bytes`.
  @inline(__always)
  mutating func add(textAt range: Range<Int>, of bytes: Span<UInt8>) {
    var place = range.lowerBound
    while range.upperBound &- place >= 8 {
      value = value.mixed(with: bytes.word(at: place))
      place &+= 8
    }
    if place < range.upperBound {
      value = value.mixed(with: bytes.word(at: place).prefix(range.upperBound &- place))
    }
    addCount(range.count)
  }

  /// Adds the text at `range` of `bytes`, whose first word is `word`.
  @inline(__always)
  mutating func add(
    textAt range: Range<Int>, beginningWith word: UInt64, of bytes: borrowing ByteBuffer
  ) {
    if !range.isEmpty { value = value.mixed(with: word) }
    var place = range.lowerBound &+ 8
    while place < range.upperBound {
      value = value.mixed(with: bytes.word(at: place).prefix(range.upperBound &- place))
      place &+= 8
    }
    addCount(range.count)
  }

  @inline(__always)
  private mutating func addCount(_ count: Int) {
    value = (value &+ 1).mixed(with: UInt64(truncatingIfNeeded: count))
  }
}
