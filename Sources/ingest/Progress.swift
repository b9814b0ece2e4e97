import IngestReport
import Vocabulary
import Platform
import Glibc
import SQLiteSwiftly
import Schema
import Text

enum ProgressMode: String, CaseIterable {
  /// On a terminal, unless the run is quiet.
  case auto
  case always, never
}

/// Shows the progress line on standard error, updated ten times a second by its own thread.
final class ProgressDisplay: Sendable {
  private let tables: [String]
  private let stages: [StageTime.Stage]

  private static let interval: useconds_t = 100_000
  /// The width if that of the terminal is unknown.
  private static let defaultColumns = 80

  init?(_ arguments: Arguments, _ schema: SchemaDescription) {
    switch arguments.progress {
    case .never: return nil
    case .auto:
      guard arguments.verbosity >= .normal, arguments.logFormat == .text,
        Console.error.canReplaceLines
      else { return nil }
    case .always: break
    }
    tables = schema.tables.map { $0.name.printable(keepingLineFeeds: false) }
    let options = arguments.options
    stages =
      options.isDryRun
      ? [.read, .compare]
      : [.read, .derive] + (options.hasSearch ? [.search] : []) + [.index, .sql, .verify, .publish]
  }

  func start(following progress: RunProgress) {
    // If this thread cannot be started, the run's own threads fail as well, with a message.
    _ = try? Worker("progress") { [self] in
      var estimate = ProgressEstimate(stages)
      let begin = ContinuousClock.now
      while true {
        usleep(Self.interval)
        guard let counts = progress.counts else { continue }
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        estimate.update(counts, at: seconds)
        let columns = Console.error.columns ?? Self.defaultColumns
        let line = line(counts, estimate)
        guard Console.error.showLine(line.text(columns: columns)) else { return }
      }
    }
  }

  func end() { Console.error.endLine() }

  private func line(_ counts: RunProgress.Counts, _ estimate: ProgressEstimate) -> ProgressLine {
    let isReading = counts.stage == .read
    let names = tables + ProgressEstimate.weights.keys.map(\.title)
    return ProgressLine(
      share: estimate.share, name: isReading ? tables[counts.table] : counts.stage.title,
      nameColumns: names.map(\.count).max() ?? 0,
      recordsPerSecond: estimate.recordsPerSecond, rejected: counts.rejected,
      secondsLeft: estimate.secondsLeft)
  }
}

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

  private let plan: [(stage: StageTime.Stage, weight: Double)]
  private var stage = StageTime.Stage.read
  private var start: Double?
  private var stageStart = 0.0
  private var readingSeconds = 0.0
  private var wholeSeconds: Double?

  /// The relative times of the stages, measured with Rebrickable's dumps of 2020, which have all tables.
  fileprivate static let weights: [StageTime.Stage: Double] = [
    .read: 35, .derive: 11, .search: 18, .index: 11, .verify: 24, .compare: 7, .publish: 1,
  ]

  /// Starts an estimate for a run with these stages; the time of `sql` is unknown and counts as zero.
  init(_ stages: [StageTime.Stage]) {
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

struct ProgressLine: Equatable {
  var share: Double
  /// The table being read, or the stage.
  var name: String
  var nameColumns: Int
  /// The records read per second; nil after the reading.
  var recordsPerSecond: Double?
  var rejected: Int
  /// The seconds to the end of the run; nil while unknown.
  var secondsLeft: Double?

  /// The line for a terminal, in ASCII.
  ///
  /// The last column stays free, because some terminals wrap there. A narrow terminal gets fewer parts, not shorter
  /// ones.
  func text(columns: Int) -> String {
    let room = max(columns - 1, 0)
    var (parts, free) = ([percent, name.filled(to: nameColumns), left], room)
    free -= parts.reduce(-2) { $0 + $1.count + 2 }
    for (part, place) in [(rejections, 2), (rate, 2)] where part.count + 2 <= free {
      parts.insert(part, at: place)
      free -= part.count + 2
    }
    if free >= Self.leastBar + 2 { parts.insert(bar(columns: min(free - 2, Self.mostBar)), at: 0) }
    return String(parts.joined(separator: "  ").prefix(room))
  }

  private static let leastBar = 8
  private static let mostBar = 42

  private var percent: String { "\(Int(share * 100))%".filled(from: 4) }

  private var rejections: String { "\(rejected.grouped) rejected".filled(from: 16) }

  private var rate: String {
    let text = recordsPerSecond.map { "\(Int($0 / 1000))k rows/s" } ?? ""
    return text.filled(from: 12)
  }

  private var left: String {
    guard let secondsLeft else { return "".filled(from: 10) }
    let seconds = Int(secondsLeft.rounded())
    let digits = "\(seconds % 60)"
    return "\(seconds / 60):\(digits.count < 2 ? "0" : "")\(digits) left".filled(from: 10)
  }

  private func bar(columns: Int) -> String {
    let inner = columns - 2
    let done = Int(share * Double(inner))
    return "[\(String(repeating: "#", count: done))\(String(repeating: ".", count: inner - done))]"
  }
}

extension String {
  /// The text, padded or cut to a width.
  fileprivate func filled(to columns: Int) -> String {
    prefix(columns) + String(repeating: " ", count: max(columns - count, 0))
  }

  /// The text, padded on the left to a width.
  fileprivate func filled(from columns: Int) -> String {
    String(repeating: " ", count: max(columns - count, 0)) + self
  }
}
