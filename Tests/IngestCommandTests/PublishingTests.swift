import CLinux
import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// The lock of an output, and the file that is replaced.
@Suite struct PublishingTests {
  private let command: Command
  private let dumps = Command.fixtures + "/dumps"

  init() throws { command = try Command() }

  /// Starts a run that waits while it holds the lock, before it writes.
  private func heldRun(_ options: String...) throws -> HeldRun {
    try command.start(
      ["--source", dumps, "--out", command.catalog, "--max-shrink", "100%"] + options,
      heldAt: .open, ".catalog.sqlite.ingest/database", number: 2)
  }

  private func names() throws -> [String] { try command.names() }

  // MARK: - Lock

  @Test func `a second run fails at once and reports the first`() throws {
    let first = try heldRun()
    let second = try command.load(dumps, status: 75)
    #expect(
      second.errors.contains(
        "ingest: \(command.catalog): another run is writing to it (process \(first.running.number) on "
      ),
      "\(second)")
    #expect(second.errors.contains(" UTC). Try again later, or wait with --wait SECONDS."))
    #expect(!second.errors.contains("\nNothing"))
    #expect(try first.outcome().status == 0)
    #expect(try names() == ["catalog.sqlite"])
  }

  @Test func `a run can wait for another`() throws {
    let first = try heldRun()
    let second = try command.start(
      ["--source", dumps, "--out", command.catalog, "--wait", "3600", "--max-shrink=100%"])
    let message = "waiting for another run (process \(first.running.number) on "
    try second.wait { try second.errorsSoFar().contains(message) }
    #expect(try first.outcome().status == 0)
    let result = try second.outcome(status: 0)
    #expect(result.errors.components(separatedBy: "waiting for").count == 2)
    #expect(try names() == ["catalog.sqlite"])
    try FixtureCatalog.today.put(at: command.folder + "/expected")
    try command.run(["diff", "expected", command.catalog], status: 0)
    #expect(try command.run(["check", "-q", command.catalog]).status == 0)
    try FileManager.default.removeItem(atPath: command.folder + "/expected")
  }

  @Test func `waiting times out`() async throws {
    let first = try heldRun()
    let second = try command.start(["--source", dumps, "--out", command.catalog, "--wait", "1"])
    #expect(try await second.outcome().status == 75)
    #expect(try first.outcome().status == 0)
  }

  // MARK: - Previous file and its users

  @Test(
    arguments: LongTests.areOn
      ? ["DELETE", "TRUNCATE", "PERSIST", "MEMORY", "OFF"] : ["DELETE", "PERSIST"])
  func `readers keep the previous file, and writing to it fails`(journal: String) throws {
    try command.putCatalog()
    let reader = try Connection(command.catalog, opening: .openExisting)
    _ = try reader.query(SQL(generated: "PRAGMA journal_mode = \(journal)"))
    try reader.execute("BEGIN")
    let before = try reader.value(of: "SELECT crc32 FROM ingest_sources WHERE table_name = 'sets'")
    try command.load(Command.fixtures + "/dumps-2020", "--quiet", "--max-shrink=100%", status: 0)
    #expect(
      try reader.value(of: "SELECT crc32 FROM ingest_sources WHERE table_name = 'sets'") == before)
    try reader.execute("COMMIT")
    let other = try Connection(command.catalog, opening: .readOnly)
    #expect(
      try other.value(of: "SELECT crc32 FROM ingest_sources WHERE table_name = 'sets'") != before)
    // Its journal would become that of the new file.
    let error = #expect(throws: SQLiteError.self) { try reader.execute("DELETE FROM colors") }
    #expect(error?.extendedCode.name == "SQLITE_READONLY")
    #expect(
      try reader.value(of: "SELECT crc32 FROM ingest_sources WHERE table_name = 'sets'") == before)
    #expect(try command.names() == ["catalog.sqlite"])
  }

  @Test func `an old file with another name is kept`() throws {
    try command.putCatalog()
    let before = try command.bytesOfCatalog()
    let copy = command.folder + "/yesterday.sqlite"
    try FileManager.default.linkItem(atPath: command.catalog, toPath: copy)
    let writer = try Connection(command.catalog, opening: .openExisting)
    try command.load(Command.fixtures + "/dumps-2020", "--quiet", "--max-shrink=100%", status: 0)
    #expect(FileManager.default.contents(atPath: copy) == before)
    let error = #expect(throws: SQLiteError.self) { try writer.execute("DELETE FROM colors") }
    #expect(error?.extendedCode.name == "SQLITE_READONLY_DBMOVED")
  }

  @Test(arguments: [false, true]) func `a file locked by a writer is not replaced`(
    hasWritten: Bool
  ) async throws {
    try command.putCatalog()
    let before = try command.bytesOfCatalog()
    let writer = try Connection(command.catalog, opening: .openExisting)
    try writer.execute("BEGIN IMMEDIATE")
    if hasWritten { try writer.execute("DELETE FROM inventory_sets") }
    let result = try await command.start(["--source", dumps, "--out", command.catalog]).outcome(
      status: 75)
    #expect(
      result.errors.contains(
        "catalog.sqlite: another program (process \(getpid())) is writing to the database."),
      "\(result)")
    try writer.execute("ROLLBACK")
    #expect(try command.bytesOfCatalog() == before)
    #expect(try command.load(dumps, "--quiet").status == 0)
    #expect(try command.names() == ["catalog.sqlite"])
  }

  @Test(arguments: [false, true]) func `a run waits for a writer that starts later`(
    isFinished: Bool
  ) async throws {
    try command.putCatalog()
    let before = try command.bytesOfCatalog()
    let held = try isFinished ? heldRun("--wait", "3600") : heldRun()
    let writer = try Connection(command.catalog, opening: .openExisting)
    try writer.execute("BEGIN IMMEDIATE")
    try held.release()
    if isFinished {
      try held.running.wait {
        try held.running.errorsSoFar().contains("waiting for another program")
      }
      try writer.execute("ROLLBACK")
    }
    let result = try await held.running.outcome()
    #expect(result.status == (isFinished ? 0 : 75), "\(result)")
    if !isFinished {
      #expect(result.errors.contains("(process \(getpid())) is writing"), "\(result)")
      try writer.execute("ROLLBACK")
      #expect(try command.bytesOfCatalog() == before)
    }
    #expect(try names() == ["catalog.sqlite"])
  }

  /// Reading is blocked as well, as during a commit: before the run starts, or while it loads.
  @Test(arguments: [true, false]) func `a lock does not fail a run that waits for it`(
    isEarly: Bool
  ) throws {
    try command.putCatalog()
    let options = ["--source", dumps, "--out", command.catalog, "--wait", "3600"]
    let held = try isEarly ? nil : heldRun("--wait", "3600")
    let holder = try Connection(command.catalog, opening: .openExisting)
    try holder.execute("BEGIN EXCLUSIVE")
    try held?.release()
    let running = try held?.running ?? command.start(options)
    try running.wait { try running.errorsSoFar().contains("waiting for another program") }
    #expect(try command.names().contains(".catalog.sqlite.ingest") != isEarly)
    try holder.execute("ROLLBACK")
    try running.outcome(status: 0)
    #expect(try names() == ["catalog.sqlite"])
  }

  @Test func `a run waits up to --wait, which does not count as run time`() async throws {
    try command.putCatalog()
    let holder = try Connection(command.catalog, opening: .openExisting)
    try holder.execute("BEGIN EXCLUSIVE")
    let waiting = try command.start([
      "--source", dumps, "--out", command.catalog, "--wait", "3600", "--report", "r.json",
    ])
    try waiting.wait { try waiting.errorsSoFar().contains("waiting for") }
    // Longer than without the option.
    try await Task.sleep(for: .seconds(5.5))
    try holder.execute("ROLLBACK")
    let result = try await waiting.outcome(status: 0)
    #expect(
      result.errors
        == "ingest: \(command.catalog): waiting for another program (process \(getpid())) to "
        + "finish writing\n")
    let line = try #require(
      result.output.firstMatch(
        of: /MB, in (\d+\.\d\d) s, after waiting (\d+\.\d\d) s for a lock/))
    // They are parts of the time of the process.
    let printed = try (#require(Double(line.1)), #require(Double(line.2)))
    #expect(printed.1 > 5 && printed.0 + printed.1 < result.seconds + 0.02)
    let json = try command.json("r.json")
    let seconds = try #require(json["seconds"] as? Double)
    let waits = try #require(json["waits"] as? [String: Double])
    let waited = try #require(waits["lock_seconds"])
    #expect(waited > 5 && seconds + waited < result.seconds + 0.02)
  }
}
