import Glibc
import IngestReport

/// Where a run is told of: standard error, line by line.
struct Log: Sendable {
  /// How it is written.
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

  /// Tells an event.
  ///
  /// - Parameters:
  ///   - event: the event.
  ///   - isPatient: whether to wait for a reader that is slow.
  func tell(_ event: LogEvent, isPatient: Bool = true) {
    let line =
      switch form {
      case .text: event.text
      case .journal: marked(event.text, event.level)
      case .json(let run): event.json(of: run)
      }
    // What is printed is made safe for terminals, which JSON is already, in its own way.
    switch (isJSON, isPatient) {
    case (true, true): Console.error.write(line + "\n")
    case (true, false): Console.error.writeIfReady(line + "\n")
    case (false, true): Console.error.print(line)
    case (false, false): Console.error.printIfReady(line)
    }
  }

  /// Tells lines that are only for people.
  func tell(_ lines: [String], _ level: LogEvent.Level) {
    guard !lines.isEmpty else { return }
    let text = lines.joined(separator: "\n")
    switch form {
    case .text: Console.error.print(text)
    case .journal: if !text.isEmpty { Console.error.print(marked(text, level)) }
    case .json: break
    }
  }

  private func marked(_ text: String, _ level: LogEvent.Level) -> String {
    // The journal has no blank lines.
    text.split(separator: "\n").map { "<\(level.rawValue)>\($0)" }.joined(separator: "\n")
  }
}
