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

  /// Waits for its end, and expects its exit status.
  @discardableResult
  func outcome(
    status: Int32, at location: SourceLocation = #_sourceLocation
  ) throws -> ChildProcess.Outcome {
    try outcome().expecting(status, location)
  }

  /// The same, without blocking a thread.
  @discardableResult
  func outcome(
    status: Int32, at location: SourceLocation = #_sourceLocation
  ) async throws -> ChildProcess.Outcome {
    try await outcome().expecting(status, location)
  }
}

extension ChildProcess.Outcome {
  /// Itself, whose exit status must be this one, if any is given.
  func expecting(_ status: Int32?, _ location: SourceLocation) -> Self {
    if let status { #expect(self.status == status, "\(self)", sourceLocation: location) }
    return self
  }
}
