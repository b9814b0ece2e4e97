import Foundation
import TestSupport
import Testing

@testable import ingest

/// Runs with an invalid `--schema`: monitoring depends on the report and the metrics.
@Suite struct FaultyDescriptionTests {
  private static let faulty =
    #"{"resources": [{"name": "a", "path": "../a.csv", "schema": {"fields": [{"name": "i", "type": "integr"}]}}]}"#
  private static let unsupported =
    #"{"resources": [{"name": "a", "path": "a.csv", "schema": {"fields": [{"name": "o", "type": "object", "#
    + #""constraints": {"jsonSchema": {}}}]}}]}"#

  private struct Report: Decodable {
    struct Verdict: Decodable {
      let state: String
      let outcome: String
      let previous_database: String?
      let failures: [Failure]
    }
    struct Failure: Decodable {
      let kind: String
      let code: String?
      let message: String
    }
    let verdict: Verdict
    let exit_code: Int32
  }

  /// Runs with a description, a report and metrics.
  private func run(
    _ command: Command, _ description: String?, _ options: String...
  ) throws -> (status: Int32, errors: String, report: Report, metrics: String) {
    if let description { try command.write("p.json", description) }
    let outcome = try command.run(
      [
        "--schema", "p.json", "--out", command.catalog, "--report", "r.json", "--report", "r.html",
        "--metrics", "m.prom",
      ] + options)
    let report = try JSONDecoder().decode(Report.self, from: Data(command.text("r.json").utf8))
    let page = try command.text("r.html")
    for failure in report.verdict.failures {
      #expect(page.contains("<code>\(failure.code ?? "")</code>"))
    }
    return (outcome.status, outcome.errors, report, try command.text("m.prom"))
  }

  @Test func `faults are in the reports and metrics`()
    throws
  {
    let command = try Command()
    // The tables are unknown.
    let end = try run(command, Self.faulty, "--max-rejects", "sets=3", "--allow-missing", "parts")
    #expect(end.status == 65 && end.report.exit_code == 65)
    let failures = end.report.verdict.failures
    #expect(failures.map(\.code) == ["path-unsafe", "property-invalid"])
    #expect(failures.allSatisfy { $0.kind == "data" })
    #expect(
      failures[0].message == "p.json:1: /resources/0/path: the path leads out of the folder: "
        + "\"../a.csv\"; expected a path below the folder of the description; download remote files "
        + "first")
    #expect(end.report.verdict.state == "not_published", "\(end.report.verdict)")
    #expect(end.report.verdict.previous_database == "absent")
    #expect(end.metrics.contains("ingest_exit_status{") && end.metrics.contains("} 65\n"))
    #expect(end.errors.hasSuffix("The description is invalid.\n"), "\(end.errors)")
  }

  @Test func `a missing description is a missing input`() throws {
    let end = try run(try Command(), nil)
    #expect(end.status == 66 && end.report.exit_code == 66)
    #expect(end.report.verdict.failures.map(\.kind) == ["input_missing"])
    #expect(end.report.verdict.failures.map(\.code) == ["description-unreadable"])
  }

  @Test func `unsupported features are reported with a hint`() throws {
    let end = try run(try Command(), Self.unsupported)
    #expect(end.status == 65, "\(end.errors)")
    #expect(end.report.verdict.failures.map(\.code) == ["feature-unsupported"])
    #expect(end.errors.contains("--ignore-unsupported ignores"))
  }

  @Test func `unsupported features are reported with other faults`() throws {
    // Neither resource has a schema, so none becomes a table.
    let description =
      #"{"resources": [{"name": "a", "path": "a.csv"}, {"name": "b", "path": "b.csv"}]}"#
    let end = try run(try Command(), description)
    #expect(end.status == 65)
    #expect(
      end.errors == """
        p.json:1: /resources/0: the resource has no schema; expected a schema: ingest describe can write one \
        from the data (feature-unsupported)
        p.json:1: /resources/1: the resource has no schema; expected a schema: ingest describe can write one \
        from the data (feature-unsupported)
        The description is invalid; --ignore-unsupported ignores unsupported features.

        """, "\(end.errors)")
    let both = try run(
      try Command(), #"{"resources": [{"name": "a", "path": "../a.csv"}, {"data": []}]}"#)
    #expect(
      both.report.verdict.failures.map(\.code) == ["feature-unsupported", "property-missing"],
      "\(both.errors)")
    let ignoring = try run(try Command(), description, "--ignore-unsupported")
    #expect(ignoring.report.verdict.failures.map(\.code) == ["property-invalid"])
  }

  @Test(arguments: [
    (["--schema", "a"], false), (["--ignore-unsupported"], true),
    (["--schema", "a", "--ignore-unsupported", "--out", "b"], true),
    (["--", "--ignore-unsupported"], false), (["--ignore-unsupported=yes"], false),
  ])
  func `an option is found before the others are parsed`(
    words: [String], isGiven: Bool
  ) {
    #expect(CommandWords(words).has("--ignore-unsupported") == isGiven)
  }

  @Test func `the choice is found in a file of options`() throws {
    let command = try Command()
    let path = try command.write("n.conf", "--schema a.json\n--ignore-unsupported\n")
    let words = CommandWords(["@" + path])
    #expect(words.has("--ignore-unsupported") && !words.has("--source"))
  }

  @Test func `JSON messages are for programs`() throws {
    let end = try run(try Command(), Self.faulty, "--log-format", "json")
    let lines = end.errors.split(separator: "\n").map { Data($0.utf8) }
    let events = try lines.map { try JSONSerialization.jsonObject(with: $0) as? [String: Any] }
    #expect(events.last??["event"] as? String == "end", "\(end.errors)")
  }

  /// Table `b` is optional in the description; it had rows, and now its source file is missing.
  @Test func `an optional table that has lost all rows is not attributed to --allow-missing`()
    throws
  {
    let command = try Command()
    let description = """
      {"resources": [
        {"name": "a", "path": "a.csv", "schema": {"fields": [{"name": "i", "type": "integer"}]}},
        {"name": "b", "path": "b.csv", "ingest": {"optional": true},
          "schema": {"fields": [{"name": "i", "type": "integer"}]}}]}
      """
    try command.write("p.json", description)
    for name in ["a.csv", "b.csv"] { try command.write(name, "i\n1\n") }
    let options = ["--schema", "p.json", "--out", command.catalog]
    #expect(try command.run(options).status == 0)
    try FileManager.default.removeItem(atPath: command.path("b.csv"))
    for more in [[], ["--dry-run"]] {
      let outcome = try command.run(options + more, status: 65)
      #expect(
        outcome.errors.contains(
          "source file of b missing (optional): b shrank from 1 to 0 rows, 100% fewer"),
        "\(outcome.errors)")
      #expect(!outcome.errors.contains("--allow-missing"), "\(outcome.errors)")
    }
  }
}
