/// One figure of a report: what was measured, how it came out round by round, and what it should be.
struct Measurement: Equatable {
  let subject: Subject
  /// What was measured; no other measurement of the subject has both its name and its unit.
  let name: String
  let unit: Unit
  let figure: Spread
  /// The comparison with its reference.
  var comparison: Comparison?
  /// What the ratio must reach or, without a comparison, the figure.
  var bar: Bar?

  /// A comparison of two figures.
  struct Comparison: Equatable {
    /// The name of the other one.
    let reference: String
    /// The ratio, round by round: how many times as good it is, or as large if the bar is `atMost`.
    let ratio: Spread
  }

  /// Whether the bar is met by the median; nil without a bar.
  var isMet: Bool? {
    bar.map { $0.isMet(by: (comparison?.ratio ?? figure).median) }
  }
}

/// What a figure counts.
enum Unit: String, CaseIterable {
  case millionRowsPerSecond = "M rows/s"
  case millionEntriesPerSecond = "M entries/s"
  case megabytesPerSecond = "MB/s"
  case seconds = "s"
  case milliseconds = "ms"
  case megabytes = "MB"
  case allocationsPerMillionRows = "allocations/M rows"

  /// Whether the greater of two figures is the better one.
  var moreIsBetter: Bool {
    switch self {
    case .millionRowsPerSecond, .millionEntriesPerSecond, .megabytesPerSecond: true
    case .seconds, .milliseconds, .megabytes, .allocationsPerMillionRows: false
    }
  }
}

/// The bar for a figure.
enum Bar: Equatable {
  case atLeast(Double)
  case atMost(Double)

  /// Whether a figure reaches it.
  func isMet(by figure: Double) -> Bool {
    switch self {
    case .atLeast(let least): figure >= least
    case .atMost(let most): figure <= most
    }
  }
}

/// The figures of one way of doing the work, round by round.
struct Series {
  let name: String
  let unit: Unit
  let figures: [Double]

  /// The comparison with a figure of the same unit, measured in the same rounds.
  func compared(with reference: Series) -> Measurement.Comparison {
    let ratios = zip(figures, reference.figures).map { own, other in
      unit.moreIsBetter ? own / other : other / own
    }
    return Measurement.Comparison(reference: reference.name, ratio: Spread(ratios))
  }

  /// The measurement of these figures.
  func measurement(
    of subject: Subject, against reference: Series? = nil, bar: Bar? = nil
  ) -> Measurement {
    Measurement(
      subject: subject, name: name, unit: unit, figure: Spread(figures),
      comparison: reference.map(compared), bar: bar)
  }
}
