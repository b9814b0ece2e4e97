import Foundation
import Testing

/// A command that was started.
final class RunningCommand {
  private let process: Process
  // Files, not pipes: however much is printed, the command never waits for a reader.
  private let output: String
  private let errors: String

  init(_ process: Process) throws {
    self.process = process
    let name =
      FileManager.default.temporaryDirectory.path + "/ingest-command-" + UUID().uuidString
    (output, errors) = (name + ".stdout", name + ".stderr")
    process.standardOutput = try Command.newFile(output)
    process.standardError = try Command.newFile(errors)
    try process.run()
  }

  /// The number of its process.
  var number: Int32 { process.processIdentifier }

  /// Sends it a signal.
  func send(_ signal: Int32) { #expect(kill(number, signal) == 0) }

  /// What it has printed to standard error so far.
  func errorsSoFar() throws -> String { try String(contentsOfFile: errors, encoding: .utf8) }

  /// Waits for its end; a process that a signal has killed has the status 128 and its number.
  func result() throws -> Command.Result {
    process.waitUntilExit()
    defer { for path in [output, errors] { try? FileManager.default.removeItem(atPath: path) } }
    let wasKilled = process.terminationReason == .uncaughtSignal
    return Command.Result(
      status: process.terminationStatus + (wasKilled ? 128 : 0),
      output: try String(contentsOfFile: output, encoding: .utf8),
      errors: try String(contentsOfFile: errors, encoding: .utf8))
  }

  /// Waits until something is so; the test fails if it never is.
  func wait(until isSo: () throws -> Bool) throws {
    for _ in 0..<1200 {
      if try isSo() { return }
      usleep(25_000)
    }
    Issue.record("it was waited for in vain for half a minute")
  }
}
