package import Foundation
package import SQLiteSwiftly

/// A temporary folder for one test, removed with the value.
package final class Workplace: Sendable {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory.path + "/ingest-test-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: path + "/dumps", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package var output: String { path + "/out.sqlite" }
  package var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  /// Runs statements on the output.
  package func changeOutput(_ statements: SQL...) throws { try changeDatabase(output, statements) }

  /// Writes a file beside the dumps.
  package func put(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
  }

  /// Writes a dump.
  package func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/dumps/" + name))
  }

  package func bytesOfOutput() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: output)) }
}
