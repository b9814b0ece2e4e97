import Foundation
import TestSupport
import Testing

/// Signals that end a run.
@Suite struct SignalTests {
  private static let signals: [(signal: Int32, name: String, status: Int32)] = [
    (SIGINT, "SIGINT", 130), (SIGTERM, "SIGTERM", 143), (SIGHUP, "SIGHUP", 129),
  ]
  private let command: Command
  private let dumps = Command.fixtures + "/dumps"

  init() throws { command = try Command() }

  /// Starts a slow run, and pauses it once its file exists.
  private func stoppedRun(_ options: String..., by program: [String] = []) throws
    -> ChildProcess.Running
  {
    let running = try command.start(
      ["--source", LargeDumps(for: command).path, "--out", command.catalog, "--quiet"]
        + ["--allow-missing", "all", "--max-shrink", "100%"] + options, by: program)
    try running.wait { try command.names().contains(".catalog.sqlite.ingest") }
    running.send(SIGSTOP)
    return running
  }

  private func names() throws -> [String] { try command.names().filter { !$0.hasPrefix("large") } }

  @Test(arguments: signals.indices) func `a signal ends the run and keeps the previous file`(
    index: Int
  ) throws {
    let (signal, name, status) = Self.signals[index]
    try command.putCatalog()
    let before = try command.bytesOfCatalog()
    let json = command.folder + "/report.json"
    let running = try stoppedRun("--report", json)
    running.send(signal)
    running.send(SIGCONT)
    let result = try running.outcome()
    #expect(result.status == status, "\(result)")
    #expect(
      result.errors
        == "ingest: ended by \(name). Nothing was published, and all temporary files were "
        + "removed.\n")
    #expect(try command.bytesOfCatalog() == before)
    #expect(try names() == ["catalog.sqlite", "report.json"])
    let data = try Data(contentsOf: URL(fileURLWithPath: json))
    let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(report["exit_code"] as? Int32 == status)
    let verdict = try #require(report["verdict"] as? [String: Any])
    #expect(verdict["outcome"] as? String == "not_published")
    let failures = try #require(verdict["failures"] as? [[String: Any]])
    #expect(failures.map { $0["kind"] as? String } == ["interrupted"])
  }

  /// The database is published, and later steps are completed.
  @Test(.needs(.strace))
  func `a signal after publishing changes neither the status nor the report`() async throws {
    let json = command.folder + "/report.json"
    let slowSyncs = [
      "/usr/bin/strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync", "-e",
      "inject=fsync:delay_enter=1500000:when=3+",
    ]
    let running = try command.start(
      ["--source", dumps, "--out", command.catalog, "--report", json], by: slowSyncs)
    try running.wait { try command.names().contains("catalog.sqlite") }
    running.send(SIGTERM)
    let result = try await running.outcome()
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains("published"))
    let data = try Data(contentsOf: URL(fileURLWithPath: json))
    let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(report["exit_code"] as? Int32 == 0)
    #expect(try names() == ["catalog.sqlite", "report.json"])
  }

  @Test func `a signal ends blocked printing with the status of the run`() throws {
    // A full pipe without a reader.
    let script = """
      mkfifo pipe; exec 3<>pipe; dd if=/dev/zero of=pipe oflag=nonblock bs=65536 count=1 2>/dev/null
      "$0" --source "$1" --out catalog.sqlite >pipe & run=$!
      until [ -e catalog.sqlite ]; do sleep 0.05; done; sleep 0.5; kill -TERM $run; wait $run
      """
    #expect(try command.shell(script, [dumps]) == 0)
    #expect(try command.names() == ["catalog.sqlite", "pipe"])
  }

  @Test func `a second signal ends the run at once, and the next run cleans up`() throws {
    let running = try stoppedRun()
    // Both are pending when the process continues; the lower number comes first.
    running.send(SIGINT)
    running.send(SIGTERM)
    running.send(SIGCONT)
    let result = try running.outcome()
    // The first may have been handled before the second arrived.
    #expect([143, 130].contains(result.status), "\(result)")
    #expect(try command.load(dumps, "--quiet").status == 0)
    #expect(try names() == ["catalog.sqlite"])
  }

  @Test func `a signal ignored by the caller stays ignored`() throws {
    let running = try stoppedRun(by: ["/bin/sh", "-c", "trap '' HUP; exec \"$0\" \"$@\""])
    running.send(SIGHUP)
    running.send(SIGCONT)
    #expect(try running.outcome().status == 0)
    #expect(try names() == ["catalog.sqlite"])
  }

  @Test func `a waiting run can be interrupted`() throws {
    let first = try stoppedRun()
    let second = try command.start(
      ["--source", dumps, "--out", command.catalog, "--wait", "600"])
    try second.wait { try second.errorsSoFar().contains("waiting for another run") }
    second.send(SIGTERM)
    #expect(try second.outcome().status == 143)
    #expect(try names() == [".catalog.sqlite.ingest", ".catalog.sqlite.ingest.lock"])
    first.send(SIGCONT)
    #expect(try first.outcome().status == 0)
    #expect(try names() == ["catalog.sqlite"])
  }

  @Test func `incomplete rejected records are removed, and those of the last run are kept`() throws
  {
    let broken = Command.fixtures + "/broken/not-an-integer"
    #expect(try command.load(broken, "--quiet").status == 65)
    let rejects = command.catalog + ".rejects"
    let before = try FileManager.default.contentsOfDirectory(atPath: rejects).sorted()
    let large = try LargeDumps(for: command, first: "x,not a number,\n")
    let running = try command.start(
      ["--source", large.path, "--out", command.catalog, "--quiet", "--allow-missing", "all"])
    try running.wait { try command.names().contains("catalog.sqlite.rejects.new") }
    running.send(SIGTERM)
    #expect(try running.outcome().status == 143)
    #expect(try names() == ["catalog.sqlite.rejects"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: rejects).sorted() == before)
  }

  @Test(arguments: [
    (">/dev/full", 0), (">&-", 0), (">/dev/full 2>/dev/full", 0), (">&- 2>&- <&-", 0),
    ("| true", 0), ("2>&1 | head -1 >/dev/null", 0), ("--verbose 2>&1 | true", 0),
  ]) func `a blocked output does not harm the database`(
    redirection: String, status: Int32
  ) throws {
    let script = "\"$0\" --source \"$1\" --out catalog.sqlite \(redirection)"
    #expect(try command.shell(script, [dumps]) == status)
    #expect(try command.bytesOfCatalog() == FixtureCatalog.today.contents)
    #expect(try command.names() == ["catalog.sqlite"])
  }
}

/// Signals in all stages, on real dumps: reading, sorting, verifying, comparing.
@Suite(
  .enabled(if: Snapshot.isThere, "real dumps are not beside the package"),
  .enabled(if: LongTests.areOn, "LONG_TESTS is not set"))
struct SignalsInRealRunTests {
  @Test func `a signal at any time leaves the previous file or the complete new one`() throws {
    let command = try Command()
    #expect(try command.load(Snapshot.complete, "--quiet").status == 0)
    let expected = try command.bytesOfCatalog()
    for step in 0..<12 {
      let running = try command.start(
        ["--source", Snapshot.complete, "--out", command.catalog, "--quiet"])
      usleep(UInt32(step * 400_000))
      // It may have ended already.
      kill(running.number, SIGTERM)
      let result = try running.outcome()
      #expect([0, 143].contains(result.status), "\(result)")
      #expect(try command.bytesOfCatalog() == expected)
      #expect(try command.names() == ["catalog.sqlite"])
    }
  }
}
