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
  private let stages: [RunProgress.Stage]

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
    let names = tables + RunProgress.Stage.allCases.map(\.title)
    return ProgressLine(
      share: estimate.share, name: isReading ? tables[counts.table] : counts.stage.title,
      nameColumns: names.map(\.count).max() ?? 0,
      recordsPerSecond: estimate.recordsPerSecond, rejected: counts.rejected,
      secondsLeft: estimate.secondsLeft)
  }
}

extension RunProgress.Stage {
  fileprivate var title: String {
    switch self {
    case .read: "reading"
    case .derive: "derived tables"
    case .search: "search"
    case .index: "indexes"
    case .sql: "custom SQL"
    case .verify: "verifying"
    case .compare: "comparing"
    case .publish: "publishing"
    }
  }
}
