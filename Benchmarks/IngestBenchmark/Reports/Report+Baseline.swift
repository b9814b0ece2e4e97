extension Report {
  /// What a comparison with an earlier run has to say, line by line.
  ///
  /// A figure fell if even its best round is worse than the worst one of the earlier run. Subjects
  /// that were not measured now are passed over.
  func changes(since baseline: Report) -> [String] {
    let subjects = Set(measurements.map(\.subject))
    let earlier = baseline.measurements.filter { subjects.contains($0.subject) }
    let fallen = measurements.compactMap { now in
      baseline.measurement(now.subject, now.name, now.unit).flatMap { before in
        now.figure.isWorse(than: before.figure, moreIsBetter: now.unit.moreIsBetter)
          ? "fell: \(now.title): \(now.figure.text(unit: now.unit.rawValue)), "
            + "before \(before.figure.text(unit: before.unit.rawValue))" : nil
      }
    }
    let added = measurements.filter {
      baseline.measurement($0.subject, $0.name, $0.unit) == nil
    }
    let gone = earlier.filter { measurement($0.subject, $0.name, $0.unit) == nil }
    let verdict = fallen.isEmpty ? ["nothing fell by more than the spread"] : fallen
    return verdict + added.map { "not in the baseline: \($0.title)" }
      + gone.map { "only in the baseline: \($0.title)" }
  }
}

extension Measurement {
  /// Subject, name and unit, by which it can be found again.
  fileprivate var title: String { "\(subject.rawValue), \(name), \(unit.rawValue)" }
}

extension Spread {
  /// Whether all of it is on the bad side of all of another one.
  fileprivate func isWorse(than other: Spread, moreIsBetter: Bool) -> Bool {
    moreIsBetter ? greatest < other.least : least > other.greatest
  }
}
