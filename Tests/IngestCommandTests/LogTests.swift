import Foundation
import TestSupport
import Testing

/// `--log-format` of the built command, and its journal output.
@Suite(.needs(.jsonschema)) struct LogTests {
  private typealias Object = [String: Any]

  private let command: Command
  private let dumps = Command.fixtures + "/dumps"
  /// Source files with two faults in the last color, which has another line ending, and a file without a table.
  private let faulty: DumpCopy

  init() throws {
    command = try Command()
    faulty = try DumpCopy(of: dumps, for: command)
    try faulty.changeLines(of: "colors") {
      $0.append(Data("9001,<script>\u{2028}\u{85},GG0000,maybe,0,0,,\n".utf8))
    }
    try command.shell("cp \"$1/sets.csv.gz\" \"$1/b\u{1b}$(printf '\\377').csv.gz\"", [faulty.path])
  }

  /// The printed events, which must belong to one run.
  private func events(_ result: ChildProcess.Outcome) throws -> [Object] {
    let events = try result.errors.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? Object)
    }
    #expect(Set(events.map { $0["run"] as? String }).count == min(1, events.count))
    return events
  }

  /// Validates events against the schema.
  private func validate(_ log: String) throws {
    try command.write("log", log)
    let check = [Command.package + "/Tests/System", "Reports.schema", "--log", command.path("log")]
    let outcome = try ChildProcess(Tool.pythonPath, check).run()
    #expect(outcome.status == 0, "\(outcome)")
  }

  private func names(_ events: [Object]) -> [String] {
    events.compactMap { $0["event"] as? String }
  }

  @Test func `every line is an event, and the verdict is the last`() throws {
    let runs: [(options: [String], status: Int32, events: [String])] = [
      (["--source", dumps], 0, ["end"]),
      (
        ["--source", faulty.path, "--max-rejects=1"], 3,
        ["warning", "warning", "reject", "reject", "end"]
      ),
      (
        ["--source", faulty.path, "--report=json:-"], 65,
        ["warning", "warning", "reject", "reject", "failure", "end"]
      ),
      (["--source", dumps, "--report=html:-"], 0, ["end"]),
      (["--source", dumps, "--dry-run"], 0, ["end"]),
      (["--source", "nowhere"], 66, ["failure", "end"]),
      (["--source", dumps, "--report=no/a.json"], 73, ["failure"]),
      (["--source", dumps, "--quiet"], 0, []),
      (
        ["--source", faulty.path, "--max-rejects=1", "--quiet"], 3,
        ["reject", "reject", "warning", "end"]
      ),
      (
        ["--source", faulty.path, "--quiet"], 65, ["failure", "reject", "reject", "warning", "end"]
      ),
      (
        ["--source", dumps, "--verbose", "--if-changed"], 0,
        ["changed"] + [String](repeating: "table", count: 12) + ["end"]
      ),
    ]
    var log = ""
    for run in runs {
      let result = try command.run(
        ["--out", command.catalog, "--log-format", "json"] + run.options)
      log += result.errors
      #expect(result.status == run.status, "\(run.options): \(result)")
      let events = try events(result)
      #expect(names(events).filter { $0 != "stage" } == run.events, "\(run.options): \(result)")
      #expect(names(events).contains("stage") == run.options.contains("--verbose"))
      if run.events.last == "end" {
        #expect(events.last?["exit_status"] as? Int32 == run.status)
      }
    }
    try validate(log)
  }

  @Test func `names that are not text, and controls, are escaped`() throws {
    let result = try command.load(faulty.path, "--max-rejects=1", "--log-format=json")
    try validate(result.errors)
    let events = try events(result)
    let warning = try #require(events.first { $0["event"] as? String == "warning" })
    #expect(warning["code"] as? String == "file-unknown")
    #expect((warning["file"] as? String)?.contains("b\u{1b}\u{fffd}") == true, "\(warning)")
    let reject = try #require(events.first { $0["event"] as? String == "reject" })
    #expect(reject["table"] as? String == "colors" && reject["file"] as? String == "colors.csv")
    #expect(reject["code"] as? String == "wrong-format" && reject["column"] as? String == "rgb")
    #expect(!result.errors.contains("\u{1b}") && !result.errors.contains("\u{2028}"))
    #expect(events.last?["rejects"] as? Int == 1)
    let rows = try #require(events.last?["rows"] as? Int)
    #expect(
      result.output.contains(
        "\n\(rows.formatted(.number.locale(.init(identifier: "en_US")))) rows, "), "\(result)")
  }

  @Test func `runs have different IDs, and usage errors are text`() throws {
    let runs = try (1...2).map { _ in
      try events(command.load(dumps, "--log-format", "json", "--dry-run"))[0]["run"] as? String
    }
    #expect(runs[0] != runs[1])
    let wrong = try command.load(dumps, "--log-format=json", "--max-reject")
    #expect(wrong.status == 64 && wrong.errors.hasPrefix("ingest: unknown option"))
    let unknown = try command.load(dumps, "--log-format=xml")
    #expect(
      unknown.errors.hasPrefix(
        "ingest: invalid value 'xml' for --log-format: expected text or json\n"))
  }

  @Test func `lines for the journal have a level`() throws {
    let script = """
      exec 2>errors
      JOURNAL_STREAM=$(stat -c %d:%i errors) "$0" "$@" >/dev/null
      """
    func lines(_ status: Int32, _ options: String...) throws -> [Substring] {
      try command.shell(script, ["--out", command.catalog] + options, status: status)
      return try command.text("errors")
        .split(separator: "\n")
    }
    func levels(_ lines: [Substring]) -> [Substring] { lines.map { $0.prefix(3) } }
    let published = try lines(3, "--source", faulty.path, "--max-rejects=1")
    #expect(levels(published) == ["<6>"] + [Substring](repeating: "<4>", count: 6), "\(published)")
    let refused = try lines(65, "--source", faulty.path)
    #expect(
      levels(refused) == ["<6>", "<4>", "<4>", "<3>", "<3>", "<3>", "<4>", "<4>", "<4>"]
        + [Substring](repeating: "<6>", count: refused.count - 9), "\(refused)")
    #expect(refused[3].hasPrefix("<3>\(command.catalog): not published: "), "\(refused)")
    #expect(refused[5].hasPrefix("<3>ingest: rejects-over-limit: "))
    let wrong = try lines(64, "--sorce", "x")
    #expect(wrong.count == 3 && wrong.allSatisfy { $0.hasPrefix("<3>") })
    // JSON has its own level, and another file is not the journal.
    let json = try lines(0, "--source", dumps, "--log-format=json", "--max-shrink=100%")
    #expect(json.count == 1 && json[0].hasPrefix("{"))
    let plain = try command.shell("JOURNAL_STREAM=1:2 \"$0\" --sorce x", status: 64)
    #expect(plain.errors.hasPrefix("ingest: unknown option"))
  }

  @Test func `a signal is logged as an event`() throws {
    let held = try command.start(
      [
        "--source", Command.fixtures + "/dumps", "--out", command.catalog, "--log-format=json",
        "--metrics", "ingest.prom",
      ], heldAt: .open, ".catalog.sqlite.ingest/database", number: 2)
    held.running.send(SIGTERM)
    let result = try held.running.outcome(status: 143)
    let events = try events(result)
    #expect(names(events) == ["failure", "end"])
    #expect(events[0]["level"] as? String == "error")
    #expect(events[1]["exit_status"] as? Int == 143)
    let metrics = try command.text("ingest.prom")
    #expect(metrics.contains("ingest_exit_status{catalog=\"\(command.catalog)\"} 143\n"))
  }
}
