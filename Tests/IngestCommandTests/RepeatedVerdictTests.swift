import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// An unchanged run repeats the verdict of the run that loaded the database.
@Suite struct RepeatedVerdictTests {
  private static let rejected = Command.fixtures + "/broken/duplicate-key"
  private static let drift = Command.fixtures + "/broken/value-unknown"
  private static let files = [
    "--detailed-status", "--report", "a.json", "--report", "a.html", "--metrics", "m.prom",
  ]

  private func load(
    _ command: Command, _ source: String, _ options: String...
  ) throws -> ChildProcess.Outcome {
    try command.run(["--source", source, "--out", "catalog.sqlite"] + Self.files + options)
  }

  private func verdict(_ command: Command) throws -> [String: Any] {
    try #require(try command.json("a.json")["verdict"] as? [String: Any])
  }

  /// The metrics of the database, without times of this run.
  private func metrics(_ command: Command) throws -> [Substring] {
    let ofRun = [
      "last_run", "last_success", "published", "unchanged", "run_duration", "stage_duration",
      "table_key_changes",
    ]
    return try command.text("m.prom").split(separator: "\n").filter { line in
      !line.hasPrefix("#") && !ofRun.contains { line.hasPrefix("ingest_\($0)") }
    }
  }

  /// Loads fewer sets than the database has, which produces a warning although the source files are valid.
  private func loadFewerSets(_ command: Command) throws -> ChildProcess.Outcome {
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    #expect(try load(command, "dumps").status == 0)
    for table in ["inventory_parts", "elements"] {
      try dumps.changeLines(of: table) { $0.removeLast($0.count / 4) }
    }
    return try load(command, "dumps")
  }

  @Test func `an unchanged run keeps the status for rejected records`() throws {
    let command = try Command()
    let first = try load(command, Self.rejected, "--max-rejects=1")
    #expect(first.status == 3, "\(first)")
    let (words, measured) = (try command.text("a.json"), try metrics(command))
    let page = try command.text("a.html")
    let again = try load(command, Self.rejected, "--max-rejects=1", "--if-changed")
    #expect(again.status == 3, "\(again)")
    #expect(
      again.output.hasPrefix(
        "catalog.sqlite: unchanged, nothing was loaded; 1 warning\n"), "\(again)")
    #expect(again.errors.hasPrefix("  duplicate-key: 1 record rejected: "), "\(again)")
    #expect(again.output.contains("source files, without 1 rejected record, in "), "\(again)")
    #expect(
      again.output.contains("rejected records and their reasons are in catalog.sqlite.rejects"),
      "\(again)")
    #expect(try metrics(command) == measured)
    #expect(measured.contains { $0.hasPrefix("ingest_table_rows{") })
    #expect(try command.text("a.json") == words && command.text("a.html") == page)
    let quiet = try load(command, Self.rejected, "--max-rejects=1", "--if-changed", "--quiet")
    #expect(quiet.status == 3 && quiet.output == "", "\(quiet)")
    #expect(quiet.errors.contains("duplicate-key: 1 record rejected"), "\(quiet)")
  }

  @Test func `warnings of the comparison stay in the verdict`() throws {
    let command = try Command()
    let first = try loadFewerSets(command)
    #expect(first.status == 4 && first.errors.contains("table-shrunk"), "\(first)")
    let before = try command.json("a.json")
    let measured = try metrics(command)
    for name in ["a.json", "a.html"] {
      try FileManager.default.removeItem(atPath: "\(command.folder)/\(name)")
    }
    let again = try load(command, "dumps", "--if-changed")
    #expect(again.status == 4, "\(again)")
    #expect(again.errors == first.errors, "\(again)")
    #expect(try metrics(command) == measured)
    let after = try command.json("a.json")
    let warnings = try #require(before["warnings"] as? NSArray)
    #expect(warnings.count == 2 && after["warnings"] as? NSArray == warnings)
    let (was, verdict) = (try #require(before["verdict"] as? [String: Any]), try verdict(command))
    #expect(verdict["state"] as? String == "warnings")
    #expect(verdict["warnings"] as? NSArray == was["warnings"] as? NSArray)
    #expect(verdict["text"] as? String == "unchanged, nothing was loaded; 1 warning")
    #expect(after["exit_code"] as? Int == 4)
    let tables = try #require(after["tables"] as? [[String: Any]])
    let counts = tables.map { $0["inserted"] as? Int ?? -1 }
    #expect(counts == (before["tables"] as? [[String: Any]])?.map { $0["inserted"] as? Int ?? -2 })
    #expect(try command.text("a.html").contains("<code>table-shrunk</code>"))
  }

  @Test func `the verdict can be queried in the database`() throws {
    let command = try Command()
    #expect(try load(command, Self.rejected, "--max-rejects=1").status == 3)
    #expect(try command.rows("SELECT state, rejected FROM ingest_verdict") == [["warnings", 1]])
    #expect(
      try command.rows("SELECT inserted FROM ingest_verdict")
        == command.rows("SELECT sum(inserted) FROM ingest_sources"))
    let columns: SQL = """
      SELECT code, table_name, column_name, message, count, affects_verdict, is_suppressed
      FROM ingest_warnings ORDER BY position
      """
    #expect(
      try command.rows(columns)
        == [["duplicate-key", "part_categories", .null, "1 record rejected", 1, 1, 0]])
    try command.write("suppressed.txt", "value-unknown part_relationships.rel_type: \"X\"\n")
    #expect(try load(command, Self.drift, "--max-shrink=100%").status == 4)
    let warnings = try command.rows(columns)
    #expect(warnings.count == 1 && warnings[0][0] == "value-unknown", "\(warnings)")
    #expect(
      warnings[0][1] == "part_relationships" && warnings[0][2] == "rel_type" && warnings[0][6] == 0)
    #expect(try load(command, Self.drift, "--suppress", "suppressed.txt").status == 0)
    #expect(try command.rows("SELECT state FROM ingest_verdict") == [["clean"]])
    #expect(
      try command.rows("SELECT code, is_suppressed FROM ingest_warnings") == [
        ["value-unknown", 1]
      ])
  }

  @Test func `other reject limits or suppressions are a change`() throws {
    let command = try Command()
    try command.write("suppressed.txt", "value-unknown part_relationships.rel_type: \"X\"\n")
    let options = ["--source", Self.drift, "--out", "catalog.sqlite", "--if-changed"]
    func isSkipped(_ more: String...) throws -> Bool {
      try command.run(options + more).output.contains(": unchanged, ")
    }
    #expect(try !isSkipped("--max-rejects=1"))
    #expect(try isSkipped("--max-rejects=1"))
    #expect(try !isSkipped("--max-rejects=2"))
    #expect(try !isSkipped("--max-rejects=2", "--max-rejects=themes=1"))
    #expect(try isSkipped("--max-rejects=themes=1", "--max-rejects=2"))
    #expect(try !isSkipped())
    #expect(try isSkipped("--max-rejects=0"))
    #expect(try !isSkipped("--suppress", "suppressed.txt"))
    let suppressing = try command.run(options + ["--suppress", "suppressed.txt"])
    #expect(suppressing.output.contains(": unchanged, nothing was loaded\n"), "\(suppressing)")
    #expect(suppressing.output.contains("suppressed: value-unknown 1\n"), "\(suppressing)")
    #expect(suppressing.errors == "", "\(suppressing)")
    try command.write("suppressed.txt", "value-unknown part_relationships.rel_type: \"Y\"\n")
    #expect(try !isSkipped("--suppress", "suppressed.txt"))
    let unused = try command.run(options + ["--suppress", "suppressed.txt"])
    #expect(unused.output.contains(": unchanged, "), "\(unused)")
    #expect(unused.errors.contains("acceptance-unused: suppressed.txt: line 1"), "\(unused)")
    #expect(unused.errors.components(separatedBy: "acceptance-unused:").count == 2, "\(unused)")
  }

  @Test func `a report of another run is replaced`() throws {
    let command = try Command()
    let dumps = Command.fixtures + "/dumps"
    #expect(try load(command, dumps).status == 0)
    let words = try command.text("a.json")
    // As after a failed run.
    #expect(try load(command, Command.fixtures + "/broken/not-gzip").status == 65)
    #expect(try verdict(command)["outcome"] as? String == "not_published")
    #expect(try load(command, dumps, "--if-changed").status == 0)
    #expect(try verdict(command)["outcome"] as? String == "unchanged")
    #expect(try command.text("a.html").contains("<h1>Unchanged, nothing was loaded</h1>"))
    let unchanged = try command.text("a.json")
    #expect(try load(command, dumps, "--if-changed").status == 0)
    #expect(try command.text("a.json") == unchanged)
    // As after a run that could not write its reports: the older ones are there.
    try command.write("a.json", words)
    try command.shell("touch -d '1 hour ago' a.json")
    #expect(try load(command, dumps, "--if-changed").status == 0)
    #expect(try verdict(command)["outcome"] as? String == "unchanged")
    // As after a run that published, and failed to write its metrics.
    try command.write("a.json", words.replacing("\"exit_code\" : 0,", with: "\"exit_code\" : 5,"))
    #expect(try load(command, dumps, "--if-changed").status == 0)
    #expect(try verdict(command)["outcome"] as? String == "unchanged")
    let printed = try command.load(dumps, "--if-changed", "--report=json:-")
    #expect(printed.output.contains(#""outcome" : "unchanged""#), "\(printed)")
  }

  @Test func `without its rejected records a run is not unchanged`() throws {
    let command = try Command()
    let options = ["--source", Self.rejected, "--out", "catalog.sqlite", "--max-rejects=1"]
    #expect(try command.run(options).status == 3)
    try FileManager.default.removeItem(atPath: command.catalog + ".rejects")
    let lost = try command.run(options + ["--if-changed", "--verbose"])
    #expect(lost.status == 3 && !lost.output.contains(": unchanged, "), "\(lost)")
    #expect(
      lost.errors.contains(
        "catalog.sqlite.rejects: the rejected records of the database are missing"), "\(lost)")
    // Those of a run that published nothing.
    _ = try command.run(["--source", Self.drift + "/../missing-value", "--out", "catalog.sqlite"])
    let others = try command.run(options + ["--if-changed"])
    #expect(others.status == 3 && !others.output.contains(": unchanged, "), "\(others)")
    #expect(try command.run(options + ["--if-changed"]).output.contains(": unchanged, "))
  }

  @Test func `edited rejected records produce a warning until they are removed`() throws {
    let command = try Command()
    let dumps = Command.fixtures + "/dumps"
    #expect(try command.load(Self.rejected, "--max-rejects=1").status == 3)
    let path = command.catalog + ".rejects/part_categories.csv"
    let edited = try String(contentsOfFile: path, encoding: .utf8) + "9999,Mine\n"
    try Data(edited.utf8).write(to: URL(fileURLWithPath: path))
    let first = try load(command, dumps)
    #expect(first.status == 4 && first.errors.contains("rejects-edited"), "\(first)")
    // It concerns the folder, not the database, whose bytes do not depend on its path.
    let ofFolders: SQL = "SELECT count(*) FROM ingest_warnings WHERE code = 'rejects-edited'"
    #expect(try command.rows(ofFolders) == [[0]])
    let again = try load(command, dumps, "--if-changed")
    #expect(again.status == 4 && again.output.contains(": unchanged, "), "\(again)")
    #expect(again.errors.contains("rejects-edited: catalog.sqlite.rejects.previous: "), "\(again)")
    try FileManager.default.removeItem(atPath: command.catalog + ".rejects.previous")
    let clean = try load(command, dumps, "--if-changed")
    #expect(clean.output.contains(": unchanged, "), "\(clean)")
    #expect(!clean.errors.contains("rejects-edited"), "\(clean)")
  }

  @Test func `a refused database has no verdict and is loaded again`() throws {
    let command = try Command()
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    #expect(try command.load("dumps").status == 0)
    try dumps.changeLines(of: "elements") { $0.removeLast(9) }
    try #require(try command.load("dumps", "--max-shrink=0%").status == 65)
    try command.shell("mv catalog.sqlite.refused catalog.sqlite")
    #expect(try command.rows("SELECT * FROM ingest_verdict") == [])
    let next = try command.load("dumps", "--if-changed", "--verbose")
    #expect(next.status == 0 && !next.output.contains(": unchanged, "), "\(next)")
    #expect(next.errors.contains("the database records no verdict"), "\(next)")
  }

  @Test func `equal source files, options and previous database produce equal bytes`() throws {
    let command = try Command()
    _ = try loadFewerSets(command)
    let withWarning = try command.bytesOfCatalog()
    #expect(try command.rows("SELECT state FROM ingest_verdict") == [["warnings"]])
    // Nothing has changed since, but the cause of the warnings is still there.
    #expect(try load(command, "dumps").status == 4)
    #expect(try command.bytesOfCatalog() == withWarning)
    let other = URL(fileURLWithPath: command.folder + "/other.sqlite")
    let fresh = ["--source", "dumps", "--out", "other.sqlite"]
    #expect(try command.run(fresh).status == 0)
    let clean = try Data(contentsOf: other)
    #expect(clean != withWarning)
    #expect(try command.run(fresh).status == 0)
    #expect(try Data(contentsOf: other) == clean)
    try command.putCatalog()
    #expect(try load(command, "dumps").status == 4)
    #expect(try command.bytesOfCatalog() == withWarning)
  }

  @Test func `a run that waited checks the file again`() throws {
    let command = try Command()
    let script = """
      "$0" --source "$1" --out first.sqlite --quiet
      exec 9>.catalog.sqlite.ingest.lock; echo "process 1 on x, since y" >&9; flock 9
      (sleep 0.3; mv first.sqlite catalog.sqlite) & exec 9>&-
      "$0" --source "$1" --out catalog.sqlite --if-changed --wait 3600 >summary; wait
      """
    try command.shell(script, [Command.fixtures + "/dumps"])
    let summary = try command.text("summary")
    #expect(summary.contains("catalog.sqlite: unchanged, "), "\(summary)")
    #expect(try command.names() == ["catalog.sqlite", "summary"])
  }
}
