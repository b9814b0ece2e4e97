import Glibc
import IngestReport

/// Where a run is told of: standard error, line by line.
struct Log: Sendable {
  enum Format: String, CaseIterable {
    case text, json
  }

  private enum Form {
    case text
    /// Each line after its level, as the journal takes it from what a service prints (sd-daemon(3)).
    case journal
    /// Each event as an object, with the random name of the run in it.
    case json(run: String)
  }

  private let form: Form

  init(_ format: Format) {
    switch format {
    // From there on numbers have sixteen digits.
    case .json: form = .json(run: String(UInt64.random(in: 1 << 60...UInt64.max), radix: 16))
    case .text: form = Self.isJournal ? .journal : .text
    }
  }

  /// Whether standard error leads to the journal; a child that prints elsewhere inherits the variable, too
  /// (`JOURNAL_STREAM` in systemd.exec(5)).
  private static var isJournal: Bool {
    var status = stat()
    guard let stream = unsafe getenv("JOURNAL_STREAM"), unsafe fstat(STDERR_FILENO, &status) == 0
    else { return false }
    return unsafe String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }

  /// Whether programs read it, who are told nothing but events.
  var isJSON: Bool { if case .json = form { true } else { false } }

  /// Tells an event; a reader that is slow is waited for only if `isPatient`.
  func tell(_ event: LogEvent, isPatient: Bool = true) {
    switch form {
    case .json(let run):
      Console.error.write(event.json(of: run) + "\n", ifReady: !isPatient)
    case .text, .journal:
      Console.error.print(marked([event.text], event.level), ifReady: !isPatient)
    }
  }

  /// Tells lines that are only for people.
  func tell(_ lines: [String], _ level: LogEvent.Level) {
    if !isJSON { Console.error.print(marked(lines, level)) }
  }

  private func marked(_ lines: [String], _ level: LogEvent.Level) -> [String] {
    guard case .journal = form else { return lines }
    // The journal has no blank lines.
    return lines.filter { !$0.isEmpty }.map { "<\(level.rawValue)>\($0)" }
  }
}
