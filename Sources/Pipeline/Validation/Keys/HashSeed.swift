/// The secret of the hashes of one run's key sets.
///
/// Whoever knew the hash could write a dump whose keys all belong into one slot, which a set would then
/// look through for each of them. The hash is a product, folded: with factors that nobody knows, any
/// two keys collide with a chance of about one in the number of slots, however they were chosen.
///
/// Nothing that is written may depend on it: equal dumps give equal bytes.
package struct HashSeed: Sendable {
  package let first: UInt64
  package let second: UInt64
  package let third: UInt64

  /// Draws the numbers, of the system's generator unless a test gives its own.
  package init(using generator: inout some RandomNumberGenerator) {
    first = generator.next()
    second = generator.next() | 1
    third = generator.next() | 1
  }

  package init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  /// The hash of a number; its low bits say the slot.
  @inline(__always)
  package func hash(of number: UInt64) -> UInt64 { Self.fold(number ^ first, second) }

  /// Both halves of a product, folded together, as wyhash mixes words
  /// (<https://github.com/wangyi-fudan/wyhash>).
  @inline(__always)
  package static func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = one.multipliedFullWidth(by: other)
    return product.high ^ product.low
  }
}
