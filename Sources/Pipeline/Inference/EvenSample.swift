/// A sample of a column's values, as hashes: at most a number of them, evenly spread over all that were added.
struct EvenSample {
  private(set) var elements: [UInt64] = []
  private let most: Int
  private var distance = 1
  private var added = 0

  init(most: Int) { self.most = most }

  /// Adds the hash of the next value, which is computed only if it is kept.
  mutating func add(_ hash: @autoclosure () -> UInt64) {
    defer { added += 1 }
    guard added.isMultiple(of: distance) else { return }
    if elements.count == most {
      distance *= 2
      elements = stride(from: 0, to: most, by: 2).map { elements[$0] }
      guard added.isMultiple(of: distance) else { return }
    }
    elements.append(hash())
  }

  /// The number of different values in the sample.
  var distinct: Int { Set(elements).count }

  /// The share of pairs of records with the same value, from 0 to 1.
  var equalPairs: Double {
    guard elements.count > 1 else { return 0 }
    var counts: [UInt64: Int] = [:]
    for hash in elements { counts[hash, default: 0] += 1 }
    let equal = counts.values.reduce(0) { $0 + $1 * ($1 - 1) }
    return Double(equal) / Double(elements.count * (elements.count - 1))
  }
}
