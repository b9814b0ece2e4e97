import Platform
import Text

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

    /// Seconds down to the microsecond.
    init(seconds: Double, _ labels: (name: String, value: String)...) {
      self.labels = labels
      value = "\((seconds * 1e6).rounded() / 1e6)"
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
