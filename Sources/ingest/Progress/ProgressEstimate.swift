import Vocabulary

/// Estimates the share of a run that is done, and the time remaining.
///
/// The share of the reading is measured in bytes. Later stages take about the same share of every run, so their time
/// is estimated from that of the reading.
struct ProgressEstimate {
  /// The share of the run that is done, from 0 to 1; it never falls.
  private(set) var share = 0.0
  /// The seconds to the end of the run; nil while there is too little data for an estimate.
  private(set) var secondsLeft: Double?
  /// The records read per second since the start; nil before the first.
  private(set) var recordsPerSecond: Double?

  private let plan: [(stage: RunProgress.Stage, weight: Double)]
  private var stage = RunProgress.Stage.read
  private var start: Double?
  private var stageStart = 0.0
  private var readingSeconds = 0.0
  private var wholeSeconds: Double?

  /// The relative times of the stages, measured with Rebrickable's dumps of 2020, which have all tables.
  private static let weights: [RunProgress.Stage: Double] = [
    .read: 30, .derive: 8, .search: 22, .index: 10, .verify: 29, .compare: 6, .publish: 1,
  ]

  /// Starts an estimate for a run with these stages; the time of `sql` is unknown and counts as zero.
  init(_ stages: [RunProgress.Stage]) {
    let weights = stages.map { Self.weights[$0, default: 0] }
    let sum = weights.reduce(0, +)
    plan = Array(zip(stages, weights.map { $0 / sum }))
  }

  /// Updates the estimate; `now` is in seconds since a fixed moment.
  mutating func update(_ counts: RunProgress.Counts, at now: Double) {
    let start = start ?? now
    self.start = start
    if counts.stage != stage {
      if stage == .read { readingSeconds = now - start }
      (stage, stageStart) = (counts.stage, now)
    }
    let before = plan.prefix { $0.stage != stage }.reduce(0) { $0 + $1.weight }
    let weight = plan.first { $0.stage == stage }?.weight ?? 0
    share = max(share, before + weight * shareOfStage(counts, at: now, weight: weight))
    let elapsed = now - start
    recordsPerSecond = stage == .read && elapsed > 0 ? Double(counts.records) / elapsed : nil
    guard elapsed >= Self.leastSeconds, share >= Self.leastShare else { return }
    let whole = elapsed / share
    // Smoothing: a fast or slow table must not make the estimate jump.
    let smooth = wholeSeconds.map { $0 + (whole - $0) * Self.smoothing } ?? whole
    wholeSeconds = smooth
    secondsLeft = max(smooth - elapsed, 0)
  }

  private static let leastSeconds = 1.0
  private static let leastShare = 0.02
  private static let smoothing = 0.1
  /// The greatest share of a stage that takes longer than expected.
  private static let mostOfStage = 0.95

  private func shareOfStage(
    _ counts: RunProgress.Counts, at now: Double, weight: Double
  ) -> Double {
    if stage == .read {
      return counts.bytes > 0 ? Double(counts.bytesRead) / Double(counts.bytes) : 0
    }
    let reading = plan.first { $0.stage == .read }?.weight ?? 0
    guard reading > 0, weight > 0, readingSeconds > 0 else { return 0 }
    let expected = readingSeconds * weight / reading
    return min((now - stageStart) / expected, Self.mostOfStage)
  }
}
