import Platform
import Schema
import SQLiteSwiftly
import Text
import Vocabulary

/// Metrics in the text format of Prometheus
/// (<https://prometheus.io/docs/instrumenting/exposition_formats/>), all of them gauges that
/// describe one run.
struct Metrics {
  struct Sample {
    let labels: [(name: String, value: String)]
    let value: String

    init(_ value: Int, _ labels: (name: String, value: String)...) {
      self.labels = labels
      self.value = "\(value)"
    }

    /// A number with six decimal places, such as seconds.
    init(_ number: Double, _ labels: (name: String, value: String)...) {
      self.labels = labels
      value = "\((number * 1e6).rounded() / 1e6)"
    }
  }

  private(set) var text = ""
  private let catalog: String

  /// Starts the metrics of a database, identified by its path in the options.
  init(of catalog: String) { self.catalog = catalog }

  /// Adds a metric, with the prefix `ingest_`; a metric without samples is omitted.
  mutating func add(_ name: String, _ help: String, _ samples: [Sample]) {
    guard !samples.isEmpty else { return }
    text += "# HELP ingest_\(name) \(help)\n# TYPE ingest_\(name) gauge\n"
    for sample in samples { text += series(name, sample.labels) + "\(sample.value)\n" }
  }

  /// The beginning of a sample's line: name, labels and a space.
  func series(_ name: String, _ labels: [(name: String, value: String)] = []) -> String {
    let pairs = ([("catalog", catalog)] + labels).map { "\($0)=\"\($1.escapedLabel)\"" }
    return "ingest_\(name){\(pairs.joined(separator: ","))} "
  }
}

extension String {
  /// The text as the value of a label, with control characters escaped as in messages.
  fileprivate var escapedLabel: String {
    printable(keepingLineFeeds: true).rewritten { scalar in
      switch scalar {
      case "\\": "\\\\"
      case "\"": "\\\""
      case "\n": "\\n"
      default: nil
      }
    }
  }
}

extension ReportFacts {
  /// The run as metrics for Prometheus; the previous metrics, if any, have the time of the last success.
  func metrics(after old: String?) -> String {
    var metrics = Metrics(of: options.output.name)
    addRun(to: &metrics, after: old)
    addCatalog(to: &metrics)
    return metrics.text
  }

  private func addRun(to metrics: inout Metrics, after old: String?) {
    metrics.add(
      "info", "Versions of ingest and SQLite.",
      [.init(1, ("version", toolVersion), ("sqlite_version", SQLiteLibrary.version))])
    metrics.add("last_run_timestamp_seconds", "Time when the last run ended.", [.init(time)])
    metrics.add(
      "last_success_timestamp_seconds",
      "Time when the last run ended that published the database or found it up to date.",
      [lastSuccess(metrics, old)].compactMap { $0.map { .init($0) } })
    metrics.add("exit_status", "Exit status of the last run.", [.init(Int(exitCode))])
    metrics.add(
      "published", "Whether the last run published the database (1) or not (0).",
      // Unknown if the connection to the server was lost.
      outcomeName == "unknown" ? [] : [.init(outcome.isPublished ? 1 : 0)])
    metrics.add(
      "unchanged", "Whether the last run found the database up to date (1) or not (0).",
      [.init(outcome.isUnchanged ? 1 : 0)])
    metrics.add(
      "run_duration_seconds", "Duration of the last run, without waiting for locks.",
      [.init(outcome.seconds)])
    metrics.add(
      "stage_duration_seconds",
      "Duration of each stage of the last run; stages overlap, and some are parts of others.",
      StageTime.Stage.allCases.compactMap { stage in
        let times = outcome.stages.filter { $0.stage == stage }
        guard !times.isEmpty else { return nil }
        return .init(times.reduce(0) { $0 + $1.seconds }, ("stage", stage.rawValue))
      })
    metrics.add(
      "verdict_warnings", "Number of warnings in the verdict of the last run.",
      [.init(outcome.verdict.warnings.count)])
    metrics.add(
      "warnings", "Number of warnings of the last run that are not suppressed, by code.",
      WarningCode.allCases.compactMap { code in
        let count = outcome.warnings.count { $0.code == code }
        return count == 0 ? nil : .init(count, ("code", code.rawValue))
      })
    metrics.add(
      "change_percent", "Share of a table's keys or rows with a warned change, by code and column.",
      outcome.warnings.compactMap { warning in
        warning.difference?.figures.map {
          .init(
            $0.percent, ("code", warning.code.rawValue), ("table", warning.table ?? ""),
            ("column", warning.column ?? ""))
        }
      })
  }

  private func addCatalog(to metrics: inout Metrics) {
    metrics.add(
      "catalog_size_bytes", "Size of the database that the last run published or found up to date.",
      [outcome.bytes].compactMap { $0.map { .init($0) } })
    metrics.add(
      "data_timestamp_seconds", "When the newest source file was written.",
      [outcome.tables.dataTime(at: time)].compactMap { $0.map { .init($0.seconds) } })
    metrics.add("rejects", "Number of rejected records in the last run.", [.init(outcome.rejected)])
    metrics.add(
      "table_rejects", "Number of rejected records per table, by the code of their first reason.",
      outcome.tables.flatMap { table in
        table.rejectedCodes.map {
          .init($0.count, ("table", table.table), ("code", $0.code.rawValue))
        }
      })
    metrics.add(
      "table_rows", "Number of rows per table in the database of the last run.",
      isCounted ? outcome.tables.map { .init($0.inserted, ("table", $0.table)) } : [])
    metrics.add(
      "table_key_changes",
      "Number of keys per table added, removed or changed since the previous database.",
      keyChanges.flatMap { table, keys in
        [("added", keys.added), ("removed", keys.removed), ("changed", keys.changed)].map {
          .init($1, ("table", table), ("change", $0))
        }
      })
  }

  /// The key changes of tables with a key; zero for an unchanged run.
  private var keyChanges: [(table: String, keys: DatabaseChanges.Keys)] {
    guard !outcome.isUnchanged else {
      return schema.tables.filter { !$0.primaryKey.isEmpty }.map { ($0.name, .init()) }
    }
    return (outcome.changes?.tables ?? []).compactMap { table in table.keys.map { (table.name, $0) }
    }
  }

  /// The time of the last success: now, or the time in the previous metrics.
  private func lastSuccess(_ metrics: Metrics, _ old: String?) -> Int? {
    if !options.isDryRun, outcome.bytes != nil { return time }
    let series = metrics.series("last_success_timestamp_seconds")
    let line = old?.split(separator: "\n").first { $0.hasBytePrefix(series) }
    // A time in the future, from a wrong clock, would look recent for years.
    return line.flatMap { Int($0.dropping(prefix: series)) }.flatMap { $0 <= time ? $0 : nil }
  }
}
