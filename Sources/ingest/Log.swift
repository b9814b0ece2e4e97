import Glibc
import IngestReport

/// The log of a run: lines on standard error.
struct Log: Sendable {
  enum Format: String, CaseIterable {
    case text, json
  }

  private enum Form {
    case text
    /// Each line with its level as a prefix for the journal (sd-daemon(3)).
    case journal
    /// Each event as an object with the random ID of the run.
    case json(run: String)
  }

  private let form: Form

  init(_ format: Format) {
    switch format {
    // The lower bound ensures sixteen digits.
    case .json: form = .json(run: String(UInt64.random(in: 1 << 60...UInt64.max), radix: 16))
    case .text: form = Self.isJournal ? .journal : .text
    }
  }

  /// Whether standard error is connected to the journal (`JOURNAL_STREAM` in systemd.exec(5)).
  ///
  /// A child process with another standard error also inherits the variable.
  private static var isJournal: Bool {
    var status = stat()
    guard let stream = unsafe getenv("JOURNAL_STREAM"), unsafe fstat(STDERR_FILENO, &status) == 0
    else { return false }
    return unsafe String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }

  /// Whether the log is for programs, and has only events.
  var isJSON: Bool { if case .json = form { true } else { false } }

  /// Writes an event; waits for a slow reader only if `isPatient`.
  func write(_ event: LogEvent, isPatient: Bool = true) {
    switch form {
    case .json(let run):
      Console.error.write(event.json(of: run) + "\n", ifReady: !isPatient)
    case .text, .journal:
      Console.error.print(marked([event.text], event.level), ifReady: !isPatient)
    }
  }

  func print(_ lines: [String], _ level: LogEvent.Level) {
    if !isJSON { Console.error.print(marked(lines, level)) }
  }

  private func marked(_ lines: [String], _ level: LogEvent.Level) -> [String] {
    guard case .journal = form else { return lines }
    // The journal has no blank lines.
    return lines.filter { !$0.isEmpty }.map { "<\(level.rawValue)>\($0)" }
  }
}
