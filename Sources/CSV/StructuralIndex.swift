/// Finds the bytes up to the comma, 64 bytes at a time and without a branch for each byte.
///
/// These are the bytes with a meaning in CSV (comma, quote, CR, LF), the NUL byte, and some
/// harmless ones such as the space.
struct StructuralIndex {
  /// The block offset of bit 0 of `bits`.
  private let base: Int
  /// A bit for each structural byte in the window, and one for the end of the block.
  private let bits: UInt64
  /// All bytes of the window, or-ed, as eight bytes.
  private let window: UInt64
  /// The same for all windows since the mark.
  private var seen: UInt64

  /// Whether all windows since the mark, including bytes beyond its ends, contain only ASCII.
  var isASCII: Bool { seen & Self.highBits == 0 }

  /// Marks the beginning of a record, for `isASCII`.
  mutating func mark() { seen = window }

  /// Returns the first structural byte from `start`, or the end of `block`.
  ///
  /// Pass the block of the last call, and a `start` that is not before the last one.
  mutating func next(in block: Span<UInt8>, from start: Int) -> Int {
    assert(start >= base, "a window cannot move backwards")
    var index = start
    while true {
      if index - base < 64 {
        let rest = bits &>> UInt64(truncatingIfNeeded: index - base)
        if rest != 0 { return index + rest.trailingZeroBitCount }
        index = base + 64
      }
      // A new value, rather than a mutation, so that it can stay in registers.
      self = StructuralIndex(of: block, from: index, seen: seen)
    }
  }

  /// Creates an empty window before every block.
  init() {
    base = -64
    bits = 0
    window = 0
    seen = 0
  }

  private init(of block: Span<UInt8>, from start: Int, seen: UInt64) {
    var bits: UInt64 = 0
    var window: UInt64 = 0
    if block.count - start >= 64 {
      // Any eight bytes are a valid integer, and the load is bounds-checked by the span.
      let bytes = unsafe block.bytes
      for lane in 0..<8 {
        let word = unsafe bytes.unsafeLoadUnaligned(
          fromByteOffset: start + 8 * lane, as: UInt64.self
        ).littleEndian
        window |= word
        bits |= Self.structurals(in: word) &<< UInt64(truncatingIfNeeded: 8 * lane)
      }
    } else {
      for index in start..<block.count {
        window |= UInt64(block[index])
        if block[index] <= Byte.comma { bits |= 1 << UInt64(index - start) }
      }
      bits |= 1 << UInt64(block.count - start)
    }
    base = start
    self.bits = bits
    self.window = window
    self.seen = seen | window
  }

  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// A bit for each byte of `word` up to the comma, the lowest for the first byte.
  private static func structurals(in word: UInt64) -> UInt64 {
    // Adding to the lower seven bits sets the eighth for bytes above the comma.
    let above = (word & ~highBits) + (0x80 - UInt64(Byte.comma) - 1) * 0x0101_0101_0101_0101
    let flags = (~(above | word) & highBits) >> 7
    // The product moves the flag of byte i to bit 56 + i.
    return (flags &* 0x0102_0408_1020_4080) >> 56
  }
}
