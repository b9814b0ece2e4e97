@testable import Validation
@testable import Vocabulary
import Platform
import Foundation
import TestSupport
import Testing
@testable import IngestReport
import Text

@Suite struct LogEventTests {
  private static let time = timespec(tv_sec: 1_763_744_463, tv_nsec: 42_999_999)

  /// An event of every kind, and the ends of all kinds of runs.
  private static let events: [LogEvent] = {
    let facts = Reports.all.map(\.facts)
    let events: [IngestEvent] =
      [.waiting("another run"), .changed("sets.csv.gz: has changed"), .distributed("nodes by id")]
      + facts.flatMap { $0.outcome.rejects.map { .reject($0) } }
      + facts.flatMap { $0.outcome.warnings.map { .warning($0) } }
      + facts.map { .readingEnded($0.outcome.tables) }
      + [.tableWritten(name: "nodes", rows: 1234, seconds: 0.5)]
      + Reports.clean.outcome.stages.map { .stageEnded($0) }
    return events.flatMap(LogEvent.all) + facts.flatMap { $0.outcome.failures.map { LogEvent($0) } }
      + facts.map { LogEvent(endOf: $0.outcome, exitStatus: $0.exitCode) }
  }()

  private func json(_ event: LogEvent) -> String {
    event.json(of: "0123456789abcdef", at: Self.time)
  }

  @Test(.needs(.jsonschema)) func `events of every kind match the schema`() throws {
    let lines = Self.events.map(json)
    let kinds = LogEvent.Kind.allCases.filter { kind in
      lines.contains { $0.contains("\"event\": \"\(kind.rawValue)\"") }
    }
    #expect(kinds == LogEvent.Kind.allCases)
    let problems = try SchemaCheck.problems(of: [lines.joined(separator: "\n")], ["--log"])
    #expect(problems == [[]])
  }

  @Test(.needs(.jsonschema)) func `a modified event does not match the schema`()
    throws
  {
    let lines = Self.events.map(json)
    let changes = [
      ("\"event\": \"end\"", "\"event\": \"table\""), ("\"level\": \"error\"", "\"level\": 3"),
      (".042Z", "Z"), ("\"line\": 2", "\"line\": 0"), ("\"offset\": 10, ", ""),
      ("\"exit_status\": 65", "\"exit_status\": 256"), ("\"rejects\": 36", "\"rejected\": 36"),
      ("\"run\": \"0123", "\"run\": \"x123"), ("\"verdict\": \"clean\"", "\"verdict\": \"good\""),
      ("\"rows\": 1234, ", ""), ("\"event\": \"warning\"", "\"event\": \"note\""),
    ]
    let tampered = try changes.map { from, to in
      let line = try #require(lines.first { $0.contains(from) }, "\(from)")
      return line.replacing(from, with: to)
    }
    let problems = try SchemaCheck.problems(of: tampered, ["--log"])
    for (change, problem) in zip(changes, problems) { #expect(!problem.isEmpty, "\(change)") }
  }

  @Test func `each reason of a rejected record is an event with its place`() throws {
    let events = LogEvent.all(.reject(Reports.reject(3)))
    #expect(events.map(\.level) == [.warning, .warning])
    let doubt = "; the end of this record is uncertain; also check the lines after it"
    #expect(
      events.map(\.text) == [
        "nodes.csv.gz:4-5: byte 30, column parent: missing-parent: the parent is not there" + doubt,
        "nodes.csv.gz:4-5: byte 30: wrong-format: a line end in a name" + doubt,
      ])
    #expect(
      events.first.map(json)
        == "{\"code\": \"missing-parent\", \"column\": \"parent\", \"event\": \"reject\", "
        + "\"file\": \"nodes.csv.gz\", \"last_line\": 5, \"level\": \"warning\", \"line\": 4, "
        + "\"message\": \"the parent is not there\(doubt)\", \"offset\": 30, "
        + "\"run\": \"0123456789abcdef\", \"table\": \"nodes\", \"time\": \"2025-11-21T17:01:03.042Z\"}"
    )
  }

  @Test(
    arguments: [
      (Reports.clean, LogEvent.Level.info, "clean", 0, 1_000_000, 0),
      (Reports.rejects, .warning, "warnings", 3, 963, 37),
      (Reports.failed, .error, "not_published", 65, nil, 0),
      (Reports.unchanged, .warning, "warnings", 3, 1_000_000, 2),
      (Reports.empty, .error, "not_published", 75, nil, nil),
    ] as [(ReportFacts, LogEvent.Level, String, Int, Int?, Int?)])
  func `the last event has the verdict`(
    facts: ReportFacts, level: LogEvent.Level, verdict: String, status: Int, rows: Int?,
    rejects: Int?
  ) throws {
    let event = LogEvent(endOf: facts.outcome, exitStatus: facts.exitCode)
    #expect(event.level == level)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(json(event).utf8)) as? [String: Any])
    #expect(object["verdict"] as? String == verdict)
    #expect(object["exit_status"] as? Int == status)
    #expect(object["rows"] as? Int == rows)
    #expect(object["rejects"] as? Int == rejects)
    #expect(object["seconds"] as? Double == facts.outcome.seconds)
  }

  @Test func `a warning outside the verdict has level info`() throws {
    let warnings = Reports.rejects.outcome.warnings
    #expect(warnings.map(\.code) == [.columnUnknown, .blankLine, .fileUnknown])
    let events = warnings.flatMap { LogEvent.all(.warning($0)) }
    #expect(events.map(\.level) == [.warning, .info, .warning])
    #expect(
      events.last?.text
        == "more.csv.gz: warning: file-unknown: no table for this file; not loaded; line for "
        + "--suppress: file-unknown more.csv.gz: no table for this file; not loaded")
  }

  @Test func `nothing in an event controls a terminal or ends the line`() throws {
    for event in Self.events {
      for scalar in json(event).unicodeScalars {
        #expect(
          ![.control, .format, .lineSeparator, .paragraphSeparator].contains(
            scalar.properties.generalCategory), "\(scalar.escaped)")
      }
    }
    let failure = try #require(Reports.hostile.outcome.failure)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(json(LogEvent(failure)).utf8)) as? [String: Any])
    #expect(object["message"] as? String == Reports.attack)
  }
}
