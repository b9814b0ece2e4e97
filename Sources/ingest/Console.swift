import Files
import Glibc
import Synchronization

/// A stream of the process: results go to standard output, all else to standard error.
///
/// It may have a line at its end that is replaced again and again; whatever is printed comes before it.
final class Console: Sendable {
  static let output = Console(descriptor: STDOUT_FILENO)
  static let error = Console(descriptor: STDERR_FILENO)

  private let descriptor: Int32
  private let lastLine = Mutex(LastLine())

  private struct LastLine {
    /// What the terminal shows; nothing if there is no such line.
    var text = ""
    var isEnded = false

    /// What removes it from the terminal, and the rows below it that a narrower one needs for it.
    mutating func erasure() -> String {
      defer { text = "" }
      return text.isEmpty ? "" : "\r\u{1b}[J"
    }
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  /// Writes lines; returns false if the stream does not take them.
  ///
  /// Whatever names of files, tables and columns are in a line, it controls no terminal, and no part of it is a
  /// line of its own: all text for people passes here.
  @discardableResult
  func print(_ lines: [String], ifReady: Bool = false) -> Bool {
    let lines = lines.map { $0.printable(keepingLineFeeds: false) + "\n" }
    return write(lines.joined(), ifReady: ifReady)
  }

  /// Writes a document as it is, which has its own rules for what is in it; returns false if the stream does not
  /// take it, or, with `ifReady`, if that cannot be done at once.
  ///
  /// With `ifReady`, no line is shown any more at the end.
  @discardableResult
  func write(_ text: String, ifReady: Bool = false) -> Bool {
    guard ifReady else { return lastLine.withLock { writeAll($0.erasure() + text) } }
    // Whoever is writing may never come to an end.
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

  /// The width of the terminal; nil if it is none, or does not say.
  var columns: Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// Shows a line at the end, in the place of the last; returns false if no more is to be shown.
  func showLine(_ text: String) -> Bool {
    lastLine.withLock { last in
      guard !last.isEnded else { return false }
      // The terminal of a job in the background belongs to others, and one that is stopped waits.
      let text = text.printable(keepingLineFeeds: false)
      guard !isInBackground, isReady, text != last.text else { return true }
      last.text = text
      // The cursor waits at its beginning, where it stays when the terminal becomes narrower, and where what
      // is typed does not begin another row.
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
    let descriptor = descriptor
    return unsafe text.utf8Span.span.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
        let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        written += count
      }
      return true
    }
  }
}
