/// The secret seed for the hashes of one run's key sets, on which no output may depend.
///
/// With a known hash, an attacker could write a source file whose keys all collide. The hash is a folded product: with
/// secret factors, any two keys collide with a probability of about one in the number of slots.
package struct HashSeed: Sendable {
  package let first: UInt64
  package let second: UInt64
  package let third: UInt64

  /// Draws the numbers from the system's generator, or from that of a test.
  package init(using generator: inout some RandomNumberGenerator) {
    first = generator.next()
    second = generator.next() | 1
    third = generator.next() | 1
  }

  package init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  /// The hash of a number, whose low bits are the slot.
  @inline(__always)
  package func hash(of number: UInt64) -> UInt64 { Self.fold(number ^ first, second) }

  /// The two halves of a product, folded as in wyhash (<https://github.com/wangyi-fudan/wyhash>).
  @inline(__always)
  package static func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = one.multipliedFullWidth(by: other)
    return product.high ^ product.low
  }
}
