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

  /// Starts a run that waits with its file created.
  private func heldRun(_ options: String..., by program: [String] = []) throws -> HeldRun {
    try command.start(
      ["--source", dumps, "--out", command.catalog, "--quiet", "--max-shrink", "100%"] + options,
      by: program, heldAt: .open, ".catalog.sqlite.ingest/database", number: 2)
  }

  private func names() throws -> [String] { try command.names() }

  @Test(arguments: signals.indices) func `a signal ends the run and keeps the previous file`(
    index: Int
  ) throws {
    let (signal, name, status) = Self.signals[index]
    try command.putCatalog()
    let before = try command.bytesOfCatalog()
    let held = try heldRun("--report", "report.json")
    held.running.send(signal)
    let result = try held.running.outcome(status: status)
    #expect(
      result.errors
        == "ingest: ended by \(name). Nothing was published, and all temporary files were "
        + "removed.\n")
    #expect(try command.bytesOfCatalog() == before)
    #expect(try names() == ["catalog.sqlite", "report.json"])
    let report = try command.json("report.json")
    #expect(report["exit_code"] as? Int32 == status)
    let verdict = try #require(report["verdict"] as? [String: Any])
    #expect(verdict["outcome"] as? String == "not_published")
    let failures = try #require(verdict["failures"] as? [[String: Any]])
    #expect(failures.map { $0["kind"] as? String } == ["interrupted"])
  }

  /// The database is published, and later steps are completed.
  @Test func `a signal after publishing changes neither the status nor the report`() throws {
    let held = try command.start(
      ["--source", dumps, "--out", command.catalog, "--report", "report.json"], heldAt: .sync,
      command.folder)
    #expect(try command.names().contains("catalog.sqlite"))
    held.running.send(SIGTERM)
    let result = try held.outcome(status: 0)
    #expect(result.output.contains("published"))
    let report = try command.json("report.json")
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
    try command.shell(script, [dumps])
    #expect(try command.names() == ["catalog.sqlite", "pipe"])
  }

  @Test func `a second signal ends the run at once, and the next run cleans up`() throws {
    let held = try heldRun()
    // Both are pending when the process continues; the lower number comes first.
    for signal in [SIGSTOP, SIGINT, SIGTERM, SIGCONT] { held.running.send(signal) }
    let result = try held.running.outcome()
    // The first may have been handled before the second arrived.
    #expect([143, 130].contains(result.status), "\(result)")
    #expect(try command.load(dumps, "--quiet").status == 0)
    #expect(try names() == ["catalog.sqlite"])
  }

  @Test func `a signal ignored by the caller stays ignored`() throws {
    let held = try heldRun(by: ["/bin/sh", "-c", "trap '' HUP; exec \"$0\" \"$@\""])
    held.running.send(SIGHUP)
    #expect(try held.outcome().status == 0)
    #expect(try names() == ["catalog.sqlite"])
  }

  @Test func `a waiting run can be interrupted`() throws {
    let first = try heldRun()
    let second = try command.start(["--source", dumps, "--out", command.catalog, "--wait", "3600"])
    try second.wait { try second.errorsSoFar().contains("waiting for another run") }
    second.send(SIGTERM)
    #expect(try second.outcome().status == 143)
    #expect(try names() == [".catalog.sqlite.ingest", ".catalog.sqlite.ingest.lock"])
    #expect(try first.outcome().status == 0)
    #expect(try names() == ["catalog.sqlite"])
  }

  @Test func `incomplete rejected records are removed, and those of the last run are kept`() throws
  {
    let broken = Command.fixtures + "/broken/not-an-integer"
    #expect(try command.load(broken, "--quiet").status == 65)
    let rejects = command.catalog + ".rejects"
    let before = try FileManager.default.contentsOfDirectory(atPath: rejects).sorted()
    // The records of one table are rejected, and the next is about to be read.
    let bad = try command.makeDumps([
      "themes.csv": Array("id,name,parent_id\nx,not a number,\n".utf8),
      "colors.csv": Array("id,name,rgb,is_trans\n1,Red,FF0000,f\n".utf8),
    ])
    let held = try command.start(
      ["--source", bad, "--out", command.catalog, "--quiet", "--allow-missing", "all"],
      heldAt: .open, "colors.csv")
    #expect(try names().contains("catalog.sqlite.rejects.new"))
    held.running.send(SIGTERM)
    #expect(try held.running.outcome().status == 143)
    #expect(try names() == ["catalog.sqlite.rejects", "dumps"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: rejects).sorted() == before)
  }

  @Test(arguments: [
    ">/dev/full", ">&-", ">/dev/full 2>/dev/full", ">&- 2>&- <&-", "| true",
    "2>&1 | head -1 >/dev/null", "--verbose 2>&1 | true",
  ]) func `a blocked output does not harm the database`(redirection: String) throws {
    let script = "\"$0\" --source \"$1\" --out catalog.sqlite \(redirection)"
    try command.shell(script, [dumps])
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
