import Facts
import SQLiteSwiftly

/// The bounds of a column's numbers, and the values that are listed.
struct NumberCheck {
  private var integers = Int64.min...Int64.max
  private var reals = -Double.infinity...Double.infinity
  /// The values in order, if there is a list of them.
  private var listedIntegers: [Int64]?
  private var listedReals: [Double]?
  /// Whether no value can be within all bounds.
  private var isEmpty = false

  init(_ parts: [ColumnDescription.Domain]) {
    for part in parts {
      switch part {
      case .atLeast(let minimum): clamp(to: minimum...Int64.max)
      case .atMost(let maximum): clamp(to: Int64.min...maximum)
      case .within(let range): clamp(to: range)
      case .oneOfIntegers(let values):
        listedIntegers = values.filter { listedIntegers?.contains($0) ?? true }
      case .between(let low, let high):
        let least = low.map { $0.isExclusive ? $0.value.nextUp : $0.value } ?? -.infinity
        let most = high.map { $0.isExclusive ? $0.value.nextDown : $0.value } ?? .infinity
        clamp(to: least, most)
      case .oneOfReals(let values):
        listedReals = values.filter { listedReals?.contains($0) ?? true }
      default: continue
      }
    }
    listedIntegers?.sort()
  }

  private mutating func clamp(to range: ClosedRange<Int64>) {
    isEmpty = isEmpty || !integers.overlaps(range)
    integers = integers.clamped(to: range)
  }

  private mutating func clamp(to least: Double, _ most: Double) {
    let (least, most) = (max(least, reals.lowerBound), min(most, reals.upperBound))
    isEmpty = isEmpty || !(least <= most)
    if least <= most { reals = least...most }
  }

  @inline(always)
  func fault(in value: Int64) -> RecordCode? {
    guard integers.contains(value), !isEmpty else { return .notAllowed }
    guard let listedIntegers else { return nil }
    var (low, high) = (0, listedIntegers.count)
    while low < high {
      let middle = (low + high) / 2
      if listedIntegers[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low < listedIntegers.count && listedIntegers[low] == value ? nil : .notAllowed
  }

  @inline(always)
  func fault(in value: Double) -> RecordCode? {
    guard reals.contains(value), !isEmpty else { return .notAllowed }
    guard let listedReals else { return nil }
    return listedReals.contains(value) ? nil : .notAllowed
  }
}
