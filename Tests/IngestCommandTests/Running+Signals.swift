import Foundation
import TestSupport
import Testing

extension ChildProcess.Running {
  /// Sends it a signal.
  func send(_ signal: Int32) { #expect(kill(number, signal) == 0) }

  /// Waits until a condition holds; the test fails if the program ends before.
  func wait(until isSo: () throws -> Bool) throws {
    while try !isSo() {
      if hasEnded, try !isSo() {
        Issue.record("it ended before that: \(try errorsSoFar())")
        return
      }
      usleep(5000)
    }
  }
}
