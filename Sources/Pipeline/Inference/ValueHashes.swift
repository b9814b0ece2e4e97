import Validation

/// The hashes of values, for they are all that is kept of them.
///
/// Two values have one hash by accident with a chance of one in 2 to the power of 64. The seed is drawn anew for
/// each run, so nobody can write values that have.
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
