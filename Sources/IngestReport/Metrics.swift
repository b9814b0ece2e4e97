import Files

/// Metrics in the text format of Prometheus
/// (<https://prometheus.io/docs/instrumenting/exposition_formats/>), all of them gauges: they tell of one run,
/// and start anew with the next.
struct Metrics {
  /// A value, and the labels that set it apart from others of its name.
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
  /// What sets the catalog apart from others that the same machine loads.
  private let catalog: String

  /// Begins with the metrics of a catalog, by the path that the operator has given.
  init(of catalog: String) { self.catalog = catalog }

  /// Adds a metric, with its name after `ingest_`; one without samples is left out.
  mutating func add(_ name: String, _ help: String, _ samples: [Sample]) {
    guard !samples.isEmpty else { return }
    text += "# HELP ingest_\(name) \(help)\n# TYPE ingest_\(name) gauge\n"
    for sample in samples { text += series(name, sample.labels) + "\(sample.value)\n" }
  }

  /// The beginning of the line of a sample: its name and labels, and a space.
  func series(_ name: String, _ labels: [(name: String, value: String)] = []) -> String {
    let pairs = ([("catalog", catalog)] + labels).map { "\($0)=\"\($1.escapedLabel)\"" }
    return "ingest_\(name){\(pairs.joined(separator: ","))} "
  }
}

extension String {
  /// The text as the value of a label; what would control a terminal appears as in messages.
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
