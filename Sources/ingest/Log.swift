import IngestReport

/// The log of a run: lines on standard error.
struct Log: Sendable {
  enum Format: String, CaseIterable {
    case text, json
  }

  private enum Form {
    case text
    /// Each event as an object with the random ID of the run.
    case json(run: String)
  }

  private let form: Form

  init(_ format: Format) {
    switch format {
    // The lower bound ensures sixteen digits.
    case .json: form = .json(run: String(UInt64.random(in: 1 << 60...UInt64.max), radix: 16))
    case .text: form = .text
    }
  }

  /// Whether the log is for programs, and has only events.
  var isJSON: Bool { if case .json = form { true } else { false } }

  /// Writes an event; waits for a slow reader only if `isPatient`.
  func write(_ event: LogEvent, isPatient: Bool = true) {
    switch form {
    case .json(let run):
      Console.error.write(event.json(of: run) + "\n", ifReady: !isPatient)
    case .text: Console.error.print([event.text], event.level, ifReady: !isPatient)
    }
  }

  func print(_ lines: [String], _ level: LogEvent.Level) {
    if !isJSON { Console.error.print(lines, level) }
  }
}
