package import Foundation

/// The catalogs of the fixtures, each of which the built command loads once for all tests of a process.
package enum FixtureCatalog: String, CaseIterable, Sendable {
  case today = "dumps"
  case older = "dumps-2020"

  private static let contentsOfToday = Result { try today.load() }
  private static let contentsOfOlder = Result { try older.load() }

  /// The package's own folder.
  private static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// Its source files.
  package var dumps: String { Self.package + "/fixtures/" + rawValue }

  /// The bytes of the catalog, which are the same at each loading.
  package var contents: Data {
    get throws {
      switch self {
      case .today: try Self.contentsOfToday.get()
      case .older: try Self.contentsOfOlder.get()
      }
    }
  }

  /// Copies it to a path, as if it had been loaded there.
  package func put(at path: String) throws { try contents.write(to: URL(fileURLWithPath: path)) }

  private func load() throws -> Data {
    guard let bundle = CommandLine.arguments.first(where: { $0.hasSuffix(".xctest") }) else {
      throw ChildProcess.Failure(description: "the test bundle's path is unknown")
    }
    let command = URL(fileURLWithPath: bundle).deletingLastPathComponent().path + "/ingest"
    let workplace = try Workplace()
    let outcome = try ChildProcess(
      command, ["--source", dumps, "--out", workplace.output, "--quiet"]
    ).run()
    guard outcome.status == 0 else { throw ChildProcess.Failure(description: "\(outcome)") }
    return try workplace.bytesOfOutput()
  }
}
