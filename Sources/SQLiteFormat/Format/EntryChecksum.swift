/// A checksum over the entries of an index that does not depend on their order.
///
/// It is computed once from the rows to write and once from the finished file: a missing, duplicate
/// or different entry changes it.
package struct EntryChecksum: Equatable, Sendable {
  package private(set) var entries = 0
  private(set) var sum: UInt64 = 0

  @inline(__always)
  mutating func add(_ entry: EntryHash) {
    entries += 1
    sum &+= entry.value
  }
}

/// The hash of the values of one entry, in order.
struct EntryHash {
  private(set) var value: UInt64

  init(seed: UInt64 = 0x2545_f491_4f6c_dd1d) { value = seed }

  @inline(__always)
  mutating func addNull() { value = value.mixed(with: 0x5851_f42d_4c95_7f2d) }

  @inline(__always)
  mutating func add(_ integer: Int64) {
    value = value.mixed(with: UInt64(bitPattern: integer))
  }

  @inline(__always)
  mutating func add(textAt range: Range<Int>, of bytes: Span<UInt8>) {
    let count = range.count
    let seed = UInt64(truncatingIfNeeded: count) ^ value
    if count <= 8 {
      value = seed.mixed(with: bytes.word(at: range.lowerBound).prefix(count))
    } else {
      value = seed.mixed(withTextAt: range, of: bytes)
    }
  }
}

extension UInt64 {
  /// The number, mixed with a text of more than eight bytes, sixteen at a time; the last bytes may be used twice.
  fileprivate func mixed(withTextAt range: Range<Int>, of bytes: Span<UInt8>) -> UInt64 {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= bytes.count && range.count > 8,
      "beyond the bytes")
    var value = self
    var place = range.lowerBound
    let raw = unsafe bytes.bytes
    while place &+ 16 < range.upperBound {
      // Both are within the range, which is within the bytes.
      let (first, second) = (
        unsafe raw.unsafeLoadUnaligned(fromUncheckedByteOffset: place, as: UInt64.self),
        unsafe raw.unsafeLoadUnaligned(fromUncheckedByteOffset: place &+ 8, as: UInt64.self)
      )
      value = (value ^ first).mixed(with: second)
      place &+= 16
    }
    let first = bytes.word(at: Swift.min(place, range.upperBound &- 8))
    return (value ^ first).mixed(with: bytes.word(at: range.upperBound &- 8))
  }
}
