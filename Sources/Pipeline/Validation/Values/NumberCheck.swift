import Facts
import SQLiteSwiftly

struct NumberCheck {
  private var integers = NumberLimits(least: Int64.min, most: Int64.max)
  private var reals = NumberLimits(least: -Double.infinity, most: Double.infinity)

  init(_ parts: [ColumnDescription.Domain]) {
    for part in parts {
      switch part {
      case .atLeast(let minimum): integers.clamp(to: minimum, .max)
      case .atMost(let maximum): integers.clamp(to: .min, maximum)
      case .within(let range): integers.clamp(to: range.lowerBound, range.upperBound)
      case .oneOfIntegers(let values): integers.keep(values)
      case .between(let low, let high):
        reals.clamp(
          to: low.map { $0.isExclusive ? $0.value.nextUp : $0.value } ?? -.infinity,
          high.map { $0.isExclusive ? $0.value.nextDown : $0.value } ?? .infinity)
      case .oneOfReals(let values): reals.keep(values)
      default: continue
      }
    }
  }

  @inline(always)
  func fault(in value: Int64) -> RecordCode? { integers.contains(value) ? nil : .notAllowed }

  @inline(always)
  func fault(in value: Double) -> RecordCode? { reals.contains(value) ? nil : .notAllowed }
}

/// The allowed numbers: bounds, which allow none if the least exceeds the most, and listed numbers.
private struct NumberLimits<Number: Comparable> {
  var least: Number
  var most: Number
  private var listed: [Number]?

  init(least: Number, most: Number) { (self.least, self.most) = (least, most) }

  mutating func clamp(to least: Number, _ most: Number) {
    self.least = max(self.least, least)
    self.most = min(self.most, most)
  }

  mutating func keep(_ numbers: [Number]) {
    listed = numbers.filter { listed?.contains($0) ?? true }.sorted()
  }

  @inline(always)
  func contains(_ number: Number) -> Bool {
    guard least <= number, number <= most else { return false }
    guard let listed else { return true }
    var (low, high) = (0, listed.count)
    while low < high {
      let middle = (low + high) / 2
      if listed[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < listed.count && listed[low] == number
  }
}
