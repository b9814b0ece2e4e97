import Foundation
import TestSupport
import Testing

extension ChildProcess.Running {
  /// Sends it a signal.
  func send(_ signal: Int32) { #expect(kill(number, signal) == 0) }

  /// Waits until a condition holds; the test fails if it never does.
  func wait(until isSo: () throws -> Bool) throws {
    for _ in 0..<6000 {
      if try isSo() { return }
      usleep(5000)
    }
    Issue.record("it was waited for in vain for half a minute")
  }
}
