import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// The summary of a dry run, its status, and its lock.
@Suite struct DryRunTests {
  private let command: Command
  private let dumps = FixtureCatalog.today.dumps

  init() throws { command = try Command() }

  @Test func `a dry run reports the expected result and writes nothing`() throws {
    let sound = try command.run(["--dry-run", "--source", dumps])
    #expect(
      sound.status == 0 && sound.output.hasPrefix("dry run: would be published, clean\n"),
      "\(sound)")
    #expect(
      sound.output.contains(
        "\n2,871 of 2,871 records passed all checks; nothing was written, in "), "\(sound)")
    #expect(
      sound.output.contains(
        "not checked in a dry run: whether a database can be replaced, and how it would change "
          + "(without --out); free space for the database"), "\(sound)")
    let broken = Command.fixtures + "/broken/duplicate-key"
    let refused = try command.load(broken, "--dry-run")
    #expect(refused.status == 65 && refused.output == "")
    #expect(refused.errors.contains("part_categories.csv:4: byte "))
    let tolerated = try command.load(broken, "--dry-run", "--max-rejects", "1", status: 3)
    #expect(tolerated.output.contains("\n110 of 111 records passed"), "\(tolerated)")
    #expect(try command.names() == [])
  }

  @Test func `a dry run waits for another run and times out with status 75`() throws {
    try command.putCatalog()
    let script = """
      exec 9>.catalog.sqlite.ingest.lock; echo "process 1 on x, since y" >&9; flock 9
      "$0" --source "$1" --out catalog.sqlite --dry-run --quiet; test $? = 75 || exit 1
      (sleep 0.3; exec 9>&-) & exec 9>&-
      "$0" --source "$1" --out catalog.sqlite --dry-run --quiet --wait 3600
      """
    try command.shell(script, [dumps])
  }

  @Test func `a dry run reports row counts and what it did not check`() throws {
    try command.putCatalog()
    let copy = try DumpCopy(of: dumps, for: command)
    try copy.changeLines(of: "elements") { $0 = Array($0.prefix(291)) }
    let result = try command.load(copy.path, "--dry-run", "--report", "a.json")
    #expect(
      result.output.contains(
        "changed table  rows before  after\nelements               300    290\n"), "\(result)")
    #expect(
      result.output.hasSuffix(
        "not checked in a dry run: which keys would be added, removed and changed; free space for more "
          + "than a quarter of the previous database's size\n"), "\(result)")
    let changes = try #require(try command.json("a.json")["changes"] as? [String: Any])
    let tables = try #require(changes["tables"] as? [[String: Any]])
    let elements = try #require(tables.first { $0["name"] as? String == "elements" })
    #expect(elements["rows_before"] as? Int == 300 && elements["rows_after"] as? Int == 290)
    #expect(elements["keys"] is NSNull)
  }

  /// The real run fails, so a dry run must not be silent.
  @Test(arguments: ["", "--quiet"])
  func `a quiet dry run names the custom SQL that it does not check`(option: String) throws {
    try command.write("views.sql", "SELECT * FROM nowhere;")
    let words = ["--source", dumps, "--out", "catalog.sqlite", "--sql", "views.sql"]
    let dry = try command.run(words + ["--dry-run"] + (option.isEmpty ? [] : [option]))
    let isQuiet = option == "--quiet"
    #expect(
      dry.errors
        == (isQuiet ? "ingest: not checked in a dry run: custom SQL in views.sql\n" : ""), "\(dry)")
    #expect(dry.status == 0)
    #expect(dry.output.contains("whether the custom SQL runs, and its results") != isQuiet)
    #expect(
      dry.output.contains("SQL: views.sql is readable; a dry run does not run it\n") != isQuiet)
  }
}
