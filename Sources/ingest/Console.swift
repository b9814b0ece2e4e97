import Platform
import Glibc
import IngestReport
import Synchronization
import Text

/// Standard output for results, or standard error for everything else.
///
/// The last line may be a status line, which is redrawn; all other output is printed before it.
final class Console: Sendable {
  static let output = Console(descriptor: STDOUT_FILENO)
  static let error = Console(descriptor: STDERR_FILENO)

  /// Prints the results of a command; returns its exit status.
  static func printResults(_ lines: [String]) -> ExitStatus { ended(output.print(lines)) }

  static func writeResults(_ text: String) -> ExitStatus { ended(output.write(text)) }

  private static func ended(_ isWritten: Bool) -> ExitStatus {
    if isWritten { return .published }
    error.print(
      ["ingest: cannot write the results to standard output; check where it leads"], .error)
    return .inputOutput
  }

  private let descriptor: Int32
  private let isJournal: Bool
  private let lastLine = Mutex(LastLine())

  private struct LastLine {
    /// The text on the terminal; empty if there is no status line.
    var text = ""
    var isEnded = false

    /// The control codes that remove it, with the rows that it occupies on a narrower terminal.
    mutating func erasure() -> String {
      defer { text = "" }
      return text.isEmpty ? "" : "\r\u{1b}[J"
    }
  }

  private init(descriptor: Int32) {
    self.descriptor = descriptor
    isJournal = Self.isJournal(descriptor)
  }

  /// Whether a stream is connected to the journal (`JOURNAL_STREAM` in systemd.exec(5)).
  ///
  /// A child process with another stream also inherits the variable.
  private static func isJournal(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard let stream = unsafe getenv("JOURNAL_STREAM"), unsafe fstat(descriptor, &status) == 0
    else { return false }
    return unsafe String(cString: stream) == "\(status.st_dev):\(status.st_ino)"
  }

  /// Writes lines; returns false on failure.
  ///
  /// All text for people passes through here. Control characters and line breaks in names are escaped.
  ///
  /// In the journal, each line has its level as a prefix (sd-daemon(3)), so that no name that begins like one
  /// counts as a level.
  @discardableResult
  func print(
    _ lines: [String], _ level: LogEvent.Level = .info, ifReady: Bool = false
  ) -> Bool {
    // The journal has no blank lines.
    let marked = isJournal ? lines.filter { !$0.isEmpty }.map { "<\(level.rawValue)>\($0)" } : lines
    let lines = marked.map { $0.printable(keepingLineFeeds: false) + "\n" }
    return write(lines.joined(), ifReady: ifReady)
  }

  /// Writes text unchanged; returns false on failure or, with `ifReady`, if the stream would block.
  ///
  /// With `ifReady`, the status line is not shown again.
  @discardableResult
  func write(_ text: String, ifReady: Bool = false) -> Bool {
    guard ifReady else { return lastLine.withLock { writeAll($0.erasure() + text) } }
    // Another thread may be blocked in a write.
    for _ in 0..<Self.attempts {
      let isDone = lastLine.withLockIfAvailable { last in
        last.isEnded = true
        guard isReady else { return false }
        return writeAll(last.erasure() + text)
      }
      if let isDone { return isDone }
      usleep(10_000)
    }
    return false
  }

  private static let attempts = 20

  var canReplaceLines: Bool {
    guard isatty(descriptor) == 1, let kind = unsafe getenv("TERM") else { return false }
    return unsafe !["", "dumb"].contains(String(cString: kind))
  }

  var columns: Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// Redraws the status line; returns false if it was ended.
  func showLine(_ text: String) -> Bool {
    lastLine.withLock { last in
      guard !last.isEnded else { return false }
      // A background job must not write to the terminal, and a stopped terminal would block.
      let text = text.printable(keepingLineFeeds: false)
      guard !isInBackground, isReady, text != last.text else { return true }
      last.text = text
      // The cursor stays at the beginning of the line, also if the terminal becomes narrower or the
      // user types.
      return writeAll("\r\(text)\u{1b}[J\r")
    }
  }

  func endLine() {
    lastLine.withLock { last in
      last.isEnded = true
      _ = writeAll(last.erasure())
    }
  }

  private var isInBackground: Bool {
    let group = tcgetpgrp(descriptor)
    return group > 0 && group != getpgrp()
  }

  private var isReady: Bool {
    var stream = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&stream, 1, 0) == 1 && stream.revents & Int16(POLLOUT) != 0
  }

  private func writeAll(_ text: String) -> Bool {
    descriptor.writeAll(text.utf8Span.span) == text.utf8.count
  }
}

/// Aligns the cells of rows: the first column to the left, the others to the right.
func columns(_ rows: [[String]]) -> [String] {
  let rows = rows.map { $0.map { $0.printable(keepingLineFeeds: false) } }
  let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  return rows.map { row in
    row.enumerated().map { column, cell in
      let padding = String(repeating: " ", count: widths[column] - cell.count)
      return column == 0 ? cell + padding : padding + cell
    }.joined(separator: "  ")
  }
}
