package import Foundation

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

  package func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/dumps/" + name))
  }

  package func bytesOfOutput() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: output)) }
}
