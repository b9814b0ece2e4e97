import Facts
import Validation

/// A sample of a column's values, as hashes, to estimate how often two records have the same value, and how many values
/// differ.
struct ValueSample {
  private static let seed = HashSeed()
  private var hashes = EvenSample<UInt64>(most: 1024)

  mutating func add(_ place: Range<Int>, of bytes: Span<UInt8>) {
    hashes.add(Self.seed.hash(place, of: bytes))
  }

  /// The number of different values in the sample.
  var distinct: Int { Set(hashes.elements).count }

  /// The share of pairs of records with the same value, from 0 to 1.
  var equalPairs: Double {
    let hashes = hashes.elements
    guard hashes.count > 1 else { return 0 }
    var counts: [UInt64: Int] = [:]
    for hash in hashes { counts[hash, default: 0] += 1 }
    let equal = counts.values.reduce(0) { $0 + $1 * ($1 - 1) }
    return Double(equal) / Double(hashes.count * (hashes.count - 1))
  }
}
