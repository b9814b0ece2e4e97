import Foundation
import Testing

@testable import ingest_benchmark

/// A workbench with few rows in a folder of its own, gone with the value.
final class Bench {
  let workbench: Workbench
  private let folder: String

  init(rows: Int = 400, rounds: Int = 1) throws {
    folder = FileManager.default.temporaryDirectory.path + "/bench-test-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    workbench = Workbench(
      folder: folder, rounds: rounds, rows: rows, executable: try Self.executable())
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// What is in the folder, dumps aside.
  var leftovers: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix("dumps-") }
    }
  }

  /// The benchmark as it was built together with these tests.
  private static func executable() throws -> String {
    let bundle = try #require(
      CommandLine.arguments.first { $0.hasSuffix(".xctest") }, "the test bundle's path is unknown")
    return URL(fileURLWithPath: bundle).deletingLastPathComponent()
      .appendingPathComponent("ingest-benchmark").path
  }
}
