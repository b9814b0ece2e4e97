import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// A dry run ends like a real run, and changes nothing.
@Suite struct DryRunTests {
  /// A situation; all have the fixtures' database unless they remove it.
  struct Situation: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let status: Int32
    /// The text that both runs print: in the summary, or for a failure on standard error.
    let message: String
    var options: [String] = []
    /// Prepares the situation.
    let prepare: @Sendable (Command, DumpCopy) throws -> Void
  }

  private static func execute(_ command: Command, _ statements: SQL...) throws {
    let connection = try Connection(command.catalog, opening: .openExisting)
    for statement in statements { try connection.execute(statement) }
    try connection.close()
  }

  private static func write(_ text: String, _ command: Command, _ name: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(command.folder)/\(name)"))
  }

  private static func makeFolder(_ command: Command, _ name: String) throws {
    try FileManager.default.createDirectory(
      atPath: "\(command.folder)/\(name)", withIntermediateDirectories: true)
  }

  private static func keep(_ count: Int, of table: String, _ dumps: DumpCopy) throws {
    try dumps.changeLines(of: table) { $0 = Array($0.prefix(1 + count)) }
  }

  static let situations = [
    Situation(testDescription: "the same dumps", status: 0, message: "") { _, _ in },
    Situation(testDescription: "no catalog yet", status: 0, message: "") { command, _ in
      try FileManager.default.removeItem(atPath: command.catalog)
    },
    Situation(
      testDescription: "a table that has shrunk", status: 65,
      message: "catalog-shrunk: elements shrank from 300 to 4 rows, 98.7% fewer"
    ) { _, dumps in try keep(4, of: "elements", dumps) },
    Situation(
      testDescription: "one that may", status: 0,
      message: "table-shrunk: catalog.sqlite: elements shrank from 300 to 4 rows",
      options: ["--max-shrink", "elements=100%"]
    ) { _, dumps in try keep(4, of: "elements", dumps) },
    Situation(
      testDescription: "an absent dump", status: 65,
      message:
        "catalog-shrunk: source file of elements missing (allowed by --allow-missing): elements ",
      options: ["--allow-missing", "elements"]
    ) { _, dumps in _ = try dumps.removing("elements") },
    Situation(
      testDescription: "a table of somebody's own", status: 65,
      message: "catalog-shrunk: mine, which had 1 row, is gone"
    ) { command, _ in
      try execute(command, "CREATE TABLE mine (a)", "INSERT INTO mine VALUES (1)")
    },
    Situation(
      testDescription: "one that SQL makes again", status: 0, message: "",
      options: ["--sql", "mine.sql"]
    ) { command, _ in
      try write("CREATE TABLE mine AS SELECT 1 AS a;", command, "mine.sql")
      try execute(command, "CREATE TABLE mine (a)", "INSERT INTO mine VALUES (1)")
    },
    Situation(
      testDescription: "a view of somebody's own", status: 0,
      message:
        "objects-lost: catalog.sqlite: in the previous database, but not in the new one: view mine"
    ) { command, _ in try execute(command, "CREATE VIEW mine AS SELECT 1") },
    Situation(
      testDescription: "a column that has become empty", status: 0,
      message: "nulls-risen: catalog.sqlite: img_url is NULL in 100% of the rows of sets"
    ) { _, dumps in
      try dumps.changeLines(of: "sets") { lines in
        for index in lines.indices.dropFirst() {
          let fields = lines[index].dropLast().split(
            separator: 0x2c, omittingEmptySubsequences: false)
          lines[index] = Data(fields.dropLast().joined(separator: [0x2c]) + [0x2c, 0x0a])
        }
      }
    },
    Situation(
      testDescription: "a damaged catalog", status: 0,
      message: "catalog-unreadable: catalog.sqlite: "
    ) { command, _ in
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: command.catalog))
      try file.seek(toOffset: 100)
      try file.write(contentsOf: Data(repeating: 0xff, count: 5000))
      try file.close()
    },
    Situation(
      testDescription: "no folder", status: 73,
      message: "none/c.sqlite: cannot be created: No such",
      options: ["--out", "none/c.sqlite"]
    ) { _, _ in },
    Situation(
      testDescription: "somebody else's file", status: 73, message: "was not made by ingest",
      options: ["--out", "other"]
    ) { command, _ in try write("text", command, "other") },
    Situation(
      testDescription: "a folder", status: 73, message: "not a regular file",
      options: ["--out", "other"]
    ) { command, _ in try makeFolder(command, "other") },
    Situation(
      testDescription: "a folder where the new file would be written", status: 73,
      message: ".catalog.sqlite.ingest nothing, or a folder "
    ) { command, _ in try makeFolder(command, ".catalog.sqlite.ingest") },
    Situation(
      testDescription: "a name that is too long for what stands beside it", status: 73,
      message: "File name too long", options: ["--out", String(repeating: "x", count: 245)]
    ) { _, _ in },
    Situation(
      testDescription: "a write-ahead log", status: 73,
      message: "the database uses a write-ahead log"
    ) { command, _ in
      let connection = try Connection(command.catalog, opening: .openExisting)
      _ = try connection.query("PRAGMA journal_mode = WAL")
      try connection.close()
    },
    Situation(
      testDescription: "a lock that is something else", status: 73,
      message: "not a lock file of ingest, which needs this name"
    ) { command, _ in try write("text", command, ".catalog.sqlite.ingest.lock") },
    Situation(
      testDescription: "rejects that are somebody else's", status: 73,
      message: "catalog.sqlite.rejects: not a rejects folder made by ingest"
    ) { command, _ in
      try makeFolder(command, "catalog.sqlite.rejects")
      try write("text", command, "catalog.sqlite.rejects/text")
    },
  ]

  @Test(arguments: situations)
  func `a dry run has the status of the run and changes nothing`(situation: Situation) throws {
    let command = try Command()
    #expect(try command.load(Command.fixtures + "/dumps", "--quiet").status == 0)
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    try situation.prepare(command, dumps)
    let before = try command.names()
    let bytes = try? command.bytesOfCatalog()
    let output = situation.options.contains("--out") ? [] : ["--out", "catalog.sqlite"]
    let words = ["--source", "dumps"] + output + situation.options
    let dry = try command.run(words + ["--dry-run"])
    #expect(dry.status == situation.status, "\(dry)")
    #expect(says(situation.message, dry), "\(dry)")
    #expect(try command.names() == before)
    #expect((try? command.bytesOfCatalog()) == bytes)
    let real = try command.run(words)
    #expect(real.status == situation.status, "\(real)")
    #expect(says(situation.message, real), "\(real)")
    // Keys can only be compared after a load.
    let ofKeys = ["changes-unusual", "column-constant"]
    #expect(
      warnings(dry) == warnings(real).filter { line in !ofKeys.contains { line.contains($0) } })
  }

  private func says(_ text: String, _ outcome: ChildProcess.Outcome) -> Bool {
    // Foundation does not find an empty string in a string.
    if text.isEmpty { return outcome.errors == "" && warnings(outcome) == [] }
    return outcome.errors.contains(text)
  }

  /// The list below a verdict, without the line on the previous database.
  private func warnings(_ outcome: ChildProcess.Outcome) -> [Substring] {
    (outcome.output + outcome.errors).split(separator: "\n").filter {
      $0.hasPrefix("  ") && !$0.contains("previous database")
    }
  }

  @Test func `a dry run waits for another run and times out with status 75`() throws {
    let command = try Command()
    #expect(try command.load(Command.fixtures + "/dumps", "--quiet").status == 0)
    let script = """
      exec 9>.catalog.sqlite.ingest.lock; echo "process 1 on x, since y" >&9; flock 9
      "$0" --source "$1" --out catalog.sqlite --dry-run --quiet; echo $? >first
      (sleep 1; exec 9>&-) & exec 9>&-
      "$0" --source "$1" --out catalog.sqlite --dry-run --quiet --wait 3600; echo $? >second; wait
      """
    _ = try command.shell(script, [Command.fixtures + "/dumps"])
    #expect(try String(contentsOfFile: command.folder + "/first", encoding: .utf8) == "75\n")
    #expect(try String(contentsOfFile: command.folder + "/second", encoding: .utf8) == "0\n")
  }

  @Test func `a dry run reports row counts and what it did not check`() throws {
    let command = try Command()
    #expect(try command.load(Command.fixtures + "/dumps", "--quiet").status == 0)
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    try Self.keep(290, of: "elements", dumps)
    let result = try command.load(dumps.path, "--dry-run", "--report", "a.json")
    #expect(
      result.output.contains(
        "changed table  rows before  after\nelements               300    290\n"), "\(result)")
    #expect(
      result.output.hasSuffix(
        "not checked in a dry run: which keys would be added, removed and changed; free space for more "
          + "than a quarter of the previous database's size\n"), "\(result)")
    let report = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: command.folder + "/a.json")))
    let changes = try #require((report as? [String: Any])?["changes"] as? [String: Any])
    let tables = try #require(changes["tables"] as? [[String: Any]])
    let elements = try #require(tables.first { $0["name"] as? String == "elements" })
    #expect(elements["rows_before"] as? Int == 300 && elements["rows_after"] as? Int == 290)
    #expect(elements["keys"] is NSNull)
    let alone = try command.run(["--source", dumps.path, "--dry-run"])
    #expect(
      alone.output.contains(
        "not checked in a dry run: whether a database can be replaced, and how it would change "
          + "(without --out); free space for the database"),
      "\(alone)")
  }
  /// The real run fails, so a dry run must not be silent.
  @Test(arguments: ["", "--quiet"])
  func `a quiet dry run names the custom SQL that it does not check`(option: String) throws {
    let command = try Command()
    try Self.write("SELECT * FROM nowhere;", command, "views.sql")
    let words =
      ["--source", Command.fixtures + "/dumps", "--out", "catalog.sqlite", "--sql", "views.sql"]
      + (option.isEmpty ? [] : [option])
    let dry = try command.run(words + ["--dry-run"])
    #expect(dry.status == 0, "\(dry)")
    #expect(
      dry.errors
        == (option == "--quiet"
          ? "ingest: not checked in a dry run: custom SQL in views.sql\n" : "")
    )
    #expect(dry.output.contains("whether the custom SQL runs, and its results") == option.isEmpty)
    #expect(try command.run(words).status == 65)
    let clean = try command.run(
      ["--source", Command.fixtures + "/dumps", "--out", "catalog.sqlite", "--dry-run", "--quiet"])
    #expect(clean.output + clean.errors == "" && clean.status == 0)
  }
}
