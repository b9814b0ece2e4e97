/// A few bytes with a meaning in a dialect, stored without an allocation.
struct Mark: Equatable, Sendable {
  /// The bytes, the first in the lowest position.
  private let bytes: UInt64
  let count: Int

  static let mostBytes = 8

  var first: UInt8 { UInt8(truncatingIfNeeded: bytes) }

  var last: UInt8 { UInt8(truncatingIfNeeded: bytes >> UInt64(8 * (count - 1))) }

  init(_ byte: UInt8) {
    bytes = UInt64(byte)
    count = 1
  }

  init(_ text: String) {
    precondition(1...Self.mostBytes ~= text.utf8.count)
    bytes = text.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    count = text.utf8.count
  }

  /// The match at a position; a cut if the block ends too early to decide.
  enum Match { case none, cut, whole }

  func match(in block: Span<UInt8>, at index: Int) -> Match {
    var rest = bytes
    for place in index..<index + count {
      guard place < block.count else { return .cut }
      guard block[place] == UInt8(truncatingIfNeeded: rest) else { return .none }
      rest >>= 8
    }
    return .whole
  }
}

struct ByteSet: Equatable, Sendable {
  private var low: UInt64 = 0
  private var second: UInt64 = 0
  private var third: UInt64 = 0
  private var high: UInt64 = 0

  init(_ bytes: [UInt8]) {
    for byte in bytes {
      let bit: UInt64 = 1 << UInt64(byte & 63)
      switch byte >> 6 {
      case 0: low |= bit
      case 1: second |= bit
      case 2: third |= bit
      default: high |= bit
      }
    }
  }

  func contains(_ byte: UInt8) -> Bool {
    let bits =
      byte < 128 ? (byte < 64 ? low : second) : (byte < 192 ? third : high)
    return bits >> UInt64(byte & 63) & 1 == 1
  }
}
