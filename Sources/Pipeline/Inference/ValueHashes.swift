import Validation

/// The hashes of values, which are kept in place of the values.
///
/// Two values collide with a probability of 1 in 2^64. The seed is random for each run, so collisions cannot be
/// constructed.
extension HashSeed {
  func hash(_ place: Range<Int>, of bytes: Span<UInt8>) -> UInt64 {
    var hash = self.hash(of: UInt64(place.count))
    for start in stride(from: place.lowerBound, to: place.upperBound, by: 8) {
      let count = min(8, place.upperBound - start)
      hash = Self.fold(hash ^ bytes.word(at: start, count: count), second)
    }
    return hash
  }

  func hash(_ hashes: [UInt64], of columns: [Int]) -> UInt64 {
    guard columns.count > 1 else { return hashes[columns[0]] }
    var hash = first
    for column in columns { hash = Self.fold(hash ^ hashes[column], third) }
    return hash
  }
}
