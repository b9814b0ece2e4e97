import Glibc
import IngestPipeline

/// A stream of the process: results go to standard output, all else to standard error.
struct Console {
  /// Results.
  static let output = Console(descriptor: STDOUT_FILENO)
  /// Messages.
  static let error = Console(descriptor: STDERR_FILENO)

  private let descriptor: Int32

  /// Writes a line if that can be done at once; returns false if it cannot.
  @discardableResult
  func printIfReady(_ line: String) -> Bool {
    var stream = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&stream, 1, 0) == 1, stream.revents & Int16(POLLOUT) != 0 else {
      return false
    }
    return print(line)
  }

  /// Writes a line, or several; returns false if the stream does not take it.
  ///
  /// Whatever names of files and tables are in it, it controls no terminal.
  @discardableResult
  func print(_ line: String) -> Bool { write(line.printable(keepingLineFeeds: true) + "\n") }

  /// Writes text as it is; returns false if the stream does not take it.
  @discardableResult
  func write(_ text: String) -> Bool {
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
