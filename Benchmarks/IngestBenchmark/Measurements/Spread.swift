/// The median of figures, with the least and the greatest.
struct Spread: Equatable {
  let median: Double
  let least: Double
  let greatest: Double

  init(median: Double, least: Double, greatest: Double) {
    self.median = median
    self.least = least
    self.greatest = greatest
  }

  /// Sums up at least one figure.
  init(_ figures: [Double]) {
    let sorted = figures.sorted()
    let middle = sorted.count / 2
    median =
      sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    least = sorted[0]
    greatest = sorted[sorted.count - 1]
  }
}
