import Foundation
import Testing

@testable import ingest

/// Compares `ExitStatus.publication` with all texts and programs that depend on an exit status.
@Suite struct StatusTableTests {
  private static let statuses = ExitStatus.allCases.filter { $0.publication != .unrelated }

  private static func numbers(_ text: Substring) -> [Int32] {
    text.matches(of: /\d+/).compactMap { Int32($0.0) }
  }

  private static func expression(of alert: String) throws -> (comparison: String, number: Int32) {
    let rules = try Command.text(of: "Packaging/prometheus/ingest.rules.yml")
    let rule = try #require(
      rules.components(separatedBy: "- alert: ").first { $0.hasPrefix(alert) })
    let match = try #require(rule.firstMatch(of: /expr: ingest_exit_status (>|==) (\d+)\n/))
    return (String(match.1), try #require(Int32(match.2)))
  }

  @Test func `an explanation states whether anything was published`() {
    for status in Self.statuses {
      let isPublished = status.publication == .published
      #expect(status.meaning.hasPrefix("The database was published") == isPublished, "\(status)")
      #expect(status.meaning.contains("Nothing was published") != isPublished, "\(status)")
    }
    #expect(ExitStatus.inputOutput.meaning.contains("'possibly published'"))
    #expect(ExitStatus.different.publication == .unrelated)
  }

  @Test func `the failure alert covers the statuses that do not publish`() throws {
    let failed = try Self.expression(of: "IngestFailed")
    #expect(failed.comparison == ">")
    for status in Self.statuses {
      #expect((status.rawValue > failed.number) == (status.publication != .published), "\(status)")
    }
    let unfinished = try Self.expression(of: "IngestIncomplete")
    #expect(unfinished == ("==", ExitStatus.incomplete.rawValue))
    // One status covers databases that are possibly published.
    let rules = try Command.text(of: "Packaging/prometheus/ingest.rules.yml")
    #expect(!rules.contains("was not published") && !rules.contains("has never been published"))
  }

  @Test func `health check and dashboard agree with the published statuses`() throws {
    let article = try Command.text(of: "Sources/ingest/ingest.docc/Monitoring.md")
    let published = Self.statuses.filter { $0.publication == .published }.map(\.rawValue)
    let check = try #require(article.firstMatch(of: /ingest_exit_status\{\.\*\} \[(\d+)\]\$/))
    #expect(check.1.compactMap(\.wholeNumberValue).map(Int32.init) == published)
    let panel = try #require(article.firstMatch(of: /ingest_exit_status <= bool (\d+)/))
    #expect(Int32(panel.1) == published.max())
  }

  /// A service restarts only after failures that may be temporary.
  @Test(
    arguments: [
      "Packaging/systemd/ingest.service", "Sources/ingest/ingest.docc/NightlyJob.md",
    ])
  func `a service restarts only after a lock`(path: String) throws {
    let text = try Command.text(of: path)
    let success = try #require(text.firstMatch(of: /SuccessExitStatus=(.*)\n/))
    #expect(Self.numbers(success.1) == [3, 4])
    let prevented = try #require(text.firstMatch(of: /RestartPreventExitStatus=(.*)\n/))
    // A success, a lock, and the signals.
    let others = Self.statuses.map(\.rawValue).filter {
      ![0, 3, 4, 75, 129, 130, 137, 143].contains($0)
    }
    #expect(Self.numbers(prevented.1) == others)
  }
}
