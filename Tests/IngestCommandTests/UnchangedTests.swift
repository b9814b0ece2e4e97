import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// `--if-changed` does nothing if a run would make the same database.
@Suite struct UnchangedTests {
  /// A change between two runs, the second with `--if-changed`.
  struct Change: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let isSkipped: Bool
    /// The options of both runs, and those of the second.
    var options: [String] = []
    var more: [String] = []
    let apply: @Sendable (Command, DumpCopy) throws -> Void
  }

  private static func execute(_ command: Command, _ statements: SQL...) throws {
    let connection = try Connection(command.catalog, opening: .openExisting)
    for statement in statements { _ = try connection.query(statement) }
    try connection.close()
  }

  private static func write(_ text: String, _ command: Command, _ name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(command.folder)/\(name)"))
  }

  /// Runs a shell script in the source folder.
  private static func shell(_ script: String, _ dumps: DumpCopy) throws {
    let outcome = try ChildProcess("/bin/sh", ["-ec", script], folder: dumps.path).run()
    #expect(outcome.status == 0, "\(outcome)")
  }

  static let changes = [
    Change(testDescription: "nothing", isSkipped: true) { _, _ in },
    Change(testDescription: "times of files", isSkipped: true) { _, dumps in
      try shell("touch *; cp themes.csv.gz copy; mv copy themes.csv.gz", dumps)
    },
    Change(
      testDescription: "limits that are kept", isSkipped: true,
      more: ["--max-shrink=0%", "--max-key-memory=1G"]
    ) { _, _ in },
    Change(testDescription: "a record, in a file of the same size", isSkipped: false) { _, dumps in
      try shell("gunzip themes.csv.gz; sed -i '2s/a/b/;t;2s/e/f/' themes.csv", dumps)
      try shell("gzip -n -1 themes.csv", dumps)
    },
    Change(testDescription: "the checksum at a dump's end", isSkipped: false) { _, dumps in
      try dumps.changeBytes(of: "themes") { Data($0.dropLast(8)) + Data(repeating: 1, count: 8) }
    },
    Change(testDescription: "the time stamp of a dump", isSkipped: false) { _, dumps in
      try dumps.changeBytes(of: "themes") { $0.prefix(4) + Data([1, 2, 3, 4]) + $0.dropFirst(8) }
    },
    Change(testDescription: "a dump that is not compressed any more", isSkipped: false) {
      _, dumps in try shell("gunzip themes.csv.gz", dumps)
    },
    Change(
      testDescription: "a dump that is absent", isSkipped: false,
      options: ["--allow-missing=all", "--max-shrink=100%"]
    ) { _, dumps in _ = try dumps.removing("elements") },
    Change(testDescription: "the catalog, by a view", isSkipped: false) { command, _ in
      try execute(command, "CREATE VIEW mine AS SELECT 1")
    },
    Change(testDescription: "the catalog, and back again", isSkipped: false) { command, _ in
      try execute(command, "UPDATE themes SET name = name || 'x'")
      try execute(command, "UPDATE themes SET name = substr(name, 1, length(name) - 1)")
    },
    Change(testDescription: "the catalog, by a log and back again", isSkipped: false) {
      command, _ in
      try execute(command, "PRAGMA journal_mode = WAL", "DELETE FROM elements")
      try execute(command, "PRAGMA journal_mode = DELETE")
    },
    Change(testDescription: "the length of the catalog", isSkipped: false) { command, _ in
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: command.catalog))
      try file.truncate(atOffset: file.seekToEnd() - 4096)
      try file.close()
    },
    Change(testDescription: "rejected records of a run that was not published", isSkipped: false) {
      command, _ in
      _ = try command.load(Command.fixtures + "/broken/duplicate-key")
      try #require(try command.names().contains("catalog.sqlite.rejects"))
    },
    Change(testDescription: "no catalog", isSkipped: false) { command, _ in
      try FileManager.default.removeItem(atPath: command.catalog)
    },
    Change(testDescription: "other versions", isSkipped: false) { command, _ in
      // As if another version had written the file.
      try execute(
        command,
        "UPDATE ingest_catalog SET tool_version = '0.9', change_counter = change_counter + 1")
    },
    Change(testDescription: "a limit of rejects", isSkipped: false, more: ["--max-rejects=5"]) {
      _, _ in
    },
    Change(testDescription: "an option", isSkipped: false, more: ["--no-search"]) { _, _ in },
    Change(testDescription: "strictness", isSkipped: false, more: ["--strict-schema"]) { _, _ in },
    Change(testDescription: "SQL that stays", isSkipped: true, options: ["--sql", "dumps/a.sql"]) {
      command, _ in try write("CREATE VIEW a AS SELECT 1;", command, "dumps/a.sql")
    },
    Change(testDescription: "SQL", isSkipped: false, options: ["--sql", "dumps/a.sql"]) {
      command, _ in try write("CREATE VIEW a AS SELECT 2;", command, "dumps/a.sql")
    },
  ]

  /// The inode and change time of the database from `stat`; replacing or writing changes them.
  private static func timeOfCatalog(_ command: Command) throws -> String {
    try ChildProcess("stat", ["-c", "%i %y %z", command.catalog]).run().output
  }

  @Test(arguments: changes)
  func `a run is skipped only if it would change nothing`(change: Change) throws {
    let command = try Command()
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    try Self.write("CREATE VIEW a AS SELECT 1;", command, "dumps/a.sql")
    let words = ["--source", "dumps"] + change.options
    #expect(try command.run(words + ["--out", "catalog.sqlite", "--quiet"]).status == 0)
    try change.apply(command, dumps)
    let before = try command.names()
    let time = try Self.timeOfCatalog(command)
    let limits = change.more.contains("--max-shrink=0%") ? [] : ["--max-shrink=100%"]
    let second = words + change.more + limits
    let result = try command.run(second + ["--out", "catalog.sqlite", "--if-changed"])
    #expect(
      result.output.contains("\n2,871 rows from the same 12 source files")
        == change.isSkipped, "\(result)")
    guard change.isSkipped else { return }
    #expect(result.status == 0 && result.errors == "", "\(result)")
    #expect(try command.names() == before)
    #expect(try Self.timeOfCatalog(command) == time)
    // The result of a full run.
    #expect(try command.run(second + ["--out", "other.sqlite", "--quiet"]).status == 0)
    #expect(
      try command.bytesOfCatalog()
        == Data(contentsOf: URL(fileURLWithPath: command.folder + "/other.sqlite")))
  }

  @Test(arguments: [
    ("gunzip parts.csv.gz", "sed -i '2s/[a-d]/e/' parts.csv"),
    (
      """
      gunzip parts.csv.gz; mv parts.csv plain; gzip -nc plain >parts.csv.gz
      head -c 9 /dev/zero >>parts.csv.gz
      """,
      """
      size=$(stat -c %s parts.csv.gz); sed -i '2s/[a-d]/e/' plain; gzip -nc plain >new
      head -c $((size - $(stat -c %s new))) /dev/zero >>new; mv new parts.csv.gz
      """
    ),
    (
      """
      gunzip parts.csv.gz; head -n 9 parts.csv >a; tail -n +10 parts.csv >b; rm parts.csv
      (gzip -nc a; gzip -nc b; head -c 9 /dev/zero) >parts.csv.gz
      """,
      """
      size=$(stat -c %s parts.csv.gz); sed -i '2s/[a-d]/e/' a
      (gzip -nc a; gzip -nc b; head -c 9 /dev/zero) >parts.csv.gz; truncate -s "$size" parts.csv.gz
      """
    ),
  ])
  func `a ZIP entry with a checksum only in the directory is read`(make: String, change: String)
    throws
  {
    let command = try Command()
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    try Self.shell(make, dumps)
    #expect(try command.load("dumps").status == 0)
    #expect(try command.load("dumps", "--if-changed").output.contains(": unchanged, "))
    try Self.shell(change, dumps)
    #expect(try !command.load("dumps", "--if-changed").output.contains(": unchanged, "))
  }

  @Test func `a database with rejected records is up to date within the limit`() throws {
    let command = try Command()
    let broken = Command.fixtures + "/broken/duplicate-key"
    let options = ["--source", broken, "--out", command.catalog, "--if-changed"]
    #expect(try command.run(options + ["--max-rejects=1"]).status == 3)
    let again = try command.run(options + ["--max-rejects=1", "--report", "a.json"])
    #expect(again.status == 3)
    #expect(again.output.contains("source files, without 1 rejected record, in "), "\(again)")
    let report = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: command.folder + "/a.json")))
    let unchanged = (report as? [String: Any])?["unchanged"] as? [String: Any]
    #expect(unchanged?["rejected"] as? Int == 1)
    let verdict = (report as? [String: Any])?["verdict"] as? [String: Any]
    #expect(verdict?["outcome"] as? String == "unchanged")
    #expect(try command.run(options).status == 65)
  }

  @Test func `an unknown file produces a warning, or fails with --strict-schema`() throws {
    let command = try Command()
    _ = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    #expect(try command.load("dumps", "--strict-schema").status == 0)
    try Self.write("a\n1\n", command, "dumps/news.csv")
    #expect(try command.load("dumps", "--strict-schema", "--if-changed").status == 65)
    #expect(try command.load("dumps").status == 0)
    let result = try command.load("dumps", "--if-changed")
    #expect(result.output.contains(": unchanged, "), "\(result)")
    #expect(result.errors.contains("    file-unknown news.csv\n"), "\(result)")
  }

  @Test func `a run that waited checks the file again`() throws {
    let command = try Command()
    let script = """
      "$0" --source "$1" --out first.sqlite --quiet
      exec 9>.catalog.sqlite.ingest.lock; echo "process 1 on x, since y" >&9; flock 9
      (sleep 1; mv first.sqlite catalog.sqlite) & exec 9>&-
      "$0" --source "$1" --out catalog.sqlite --if-changed --wait 3600 >summary; wait
      """
    _ = try command.shell(script, [Command.fixtures + "/dumps"])
    let summary = try String(contentsOfFile: command.folder + "/summary", encoding: .utf8)
    #expect(summary.contains("catalog.sqlite: unchanged, "), "\(summary)")
    #expect(try command.names() == ["catalog.sqlite", "summary"])
  }
}
