/// The numbers of a key column in order, each with its rank, which needs fewer bits than its distance from the least one.
///
/// Memory holds 8 bytes for each number, and 2 for each integer in their range.
final class NumberRanks: Sendable {
  /// The greatest distance from the least number to the greatest.
  static let mostDistance: Int64 = 1 << 16 - 1
  /// With more, ranks would save no bit.
  static let mostNumbers = Int(mostDistance / 2)

  let range: ClosedRange<Int64>
  private let numbers: [Int64]
  /// For each distance from the least number, its rank plus 1, or 0.
  private let ranks: [UInt16]

  /// Fails if ranks would save no bit, or would take too much memory.
  init?(_ numbers: [Int64]) {
    let numbers = numbers.sorted()
    guard let least = numbers.first, let greatest = numbers.last else { return nil }
    let (distance, isTooLarge) = greatest.subtractingReportingOverflow(least)
    guard !isTooLarge, distance <= Self.mostDistance, 2 * Int64(numbers.count) <= distance else {
      return nil
    }
    var ranks = [UInt16](repeating: 0, count: Int(distance) + 1)
    for (rank, number) in numbers.enumerated() { ranks[Int(number - least)] = UInt16(rank + 1) }
    self.numbers = numbers
    self.ranks = ranks
    range = least...greatest
  }

  var count: Int { numbers.count }

  @inline(__always)
  func rank(of number: Int64) -> Int64? {
    let distance = UInt64(bitPattern: number &- range.lowerBound)
    guard distance < UInt64(ranks.count), ranks[Int(distance)] > 0 else { return nil }
    return Int64(ranks[Int(distance)]) &- 1
  }

  @inline(__always)
  func number(of rank: Int64) -> Int64? {
    rank < Int64(numbers.count) ? numbers[Int(rank)] : nil
  }
}
