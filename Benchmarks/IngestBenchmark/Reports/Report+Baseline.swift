extension Report {
  /// The lines of a comparison with an earlier run.
  ///
  /// A regression is a figure whose best round is worse than the worst of the earlier run. If a figure has a ratio,
  /// the ratio counts, because it depends less on the machine. Subjects that are not in this run are skipped.
  func changes(since baseline: Report) -> [String] {
    let subjects = Set(measurements.map(\.subject))
    let earlier = baseline.measurements.filter { subjects.contains($0.subject) }
    let fallen = measurements.compactMap { now in
      baseline.measurement(now.subject, now.name, now.unit).flatMap(now.fall)
    }
    let added = measurements.filter {
      baseline.measurement($0.subject, $0.name, $0.unit) == nil
    }
    let gone = earlier.filter { measurement($0.subject, $0.name, $0.unit) == nil }
    let verdict = fallen.isEmpty ? ["no regressions"] : fallen
    return verdict + added.map { "not in the baseline: \($0.title)" }
      + gone.map { "only in the baseline: \($0.title)" }
  }
}

extension Measurement {
  /// Subject, name and unit, which identify it.
  fileprivate var title: String { "\(subject.rawValue), \(name), \(unit.rawValue)" }

  /// The line for a regression since `before`; nil without one.
  fileprivate func fall(since before: Measurement) -> String? {
    let (own, other, sign, moreIsBetter) =
      if let comparison, let earlier = before.comparison,
        comparison.reference == earlier.reference
      {
        (comparison.ratio, earlier.ratio, "x \(comparison.reference)", !isBoundedAbove)
      } else {
        (figure, before.figure, unit.rawValue, unit.moreIsBetter)
      }
    guard own.isWorse(than: other, moreIsBetter: moreIsBetter) else { return nil }
    return "regression: \(title): \(own.text(unit: sign)), before \(other.text(unit: sign))"
  }

  /// Whether a great ratio is a bad one.
  private var isBoundedAbove: Bool {
    if case .atMost = bar { true } else { false }
  }
}

extension Spread {
  /// Whether all of it is on the bad side of all of another one.
  fileprivate func isWorse(than other: Spread, moreIsBetter: Bool) -> Bool {
    moreIsBetter ? greatest < other.least : least > other.greatest
  }
}
