import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// The history that a database carries, and `ingest history`.
struct HistoryTests {
  private let command: Command
  private let dumps: DumpCopy

  /// The database of two runs: one on the fixtures, and one without part names.
  private static let catalog = Result {
    let command = try Command()
    try command.putCatalog()
    try withoutNames(for: command)
    #expect(try run(command).status == 4)
    return try command.bytesOfCatalog()
  }

  init() throws {
    command = try Command()
    dumps = try Self.withoutNames(for: command)
    try Self.catalog.get().write(to: URL(fileURLWithPath: command.catalog))
  }

  @discardableResult
  private static func withoutNames(for command: Command) throws -> DumpCopy {
    let dumps = try DumpCopy(of: FixtureCatalog.today.dumps, for: command)
    try dumps.changeFields(of: "parts") { $0[1] = "#N/A" }
    return dumps
  }

  private func run(_ options: String...) throws -> ChildProcess.Outcome {
    try Self.run(command, options)
  }

  private static func run(
    _ command: Command, _ options: [String] = []
  ) throws -> ChildProcess.Outcome {
    try command.run(
      ["--source", "dumps", "--out", "catalog.sqlite", "--detailed-status"] + options)
  }

  @Test func `the runs are printed with the warnings that last`() throws {
    let printed = try command.run(["history", "catalog.sqlite"])
    #expect(printed.status == 0 && printed.errors == "", "\(printed)")
    #expect(
      printed.output == """
        run   verdict   rows  keys added  removed  changed  rejected  data of
        1       clean  2,871           -        -        -         0        -
        2    warnings  2,871           0        0      200         0        -

        column-constant: name is "#N/A" in 100% of the rows of parts, up from 0% in run 1, for example \
        3099pr0001: "Bar 5 x 3 with Coral Hearts Pattern", now "#N/A"; 3029px0002: "Duplo Brick 7 x 9 x 3 with \
        Curved Top with Black…", now "#N/A"; 3186pr0002: "Neckwear Cape 2 x 15 with Side Supports with Lav…", \
        now "#N/A"

        """)
  }

  @Test func `the JSON has the runs and their tables`() throws {
    let printed = try command.run(["history", "catalog.sqlite", "--json"])
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(printed.output.utf8)) as? [String: Any])
    let runs = try #require(document["runs"] as? [[String: Any]])
    #expect(runs.map { $0["run"] as? Int } == [1, 2])
    #expect(runs.map { $0["state"] as? String } == ["clean", "warnings"])
    let tables = try runs.map { try #require($0["tables"] as? [[String: Any]]) }
    #expect(tables.map(\.count) == [12, 12])
    let parts = try #require(tables[1].first { $0["name"] as? String == "parts" })
    #expect(parts["keys"] as? [String: Int] == ["added": 0, "removed": 0, "changed": 200])
    #expect(parts["rows"] as? Int == 200 && parts["is_unusual"] as? Bool == true)
    let lasting = try #require(document["lasting_warnings"] as? [[String: Any]])
    #expect(lasting.map { $0["code"] as? String } == ["column-constant"])
    #expect(lasting.map { $0["run"] as? Int } == [2])
  }

  @Test func `the report of a run that repeats a warning has its facts`() throws {
    var facts: [[String: Any]] = []
    for option in ["--if-changed", "--if-changed", "--detailed-status"] {
      let printed = try run(option, "--report=json:-")
      #expect(
        printed.status == 4 && printed.errors.contains("unchanged") == (option.hasPrefix("--if")))
      let report = try #require(
        try JSONSerialization.jsonObject(with: Data(printed.output.utf8)) as? [String: Any])
      let warnings = try #require(report["warnings"] as? [[String: Any]])
      facts.append(try #require(warnings.first?["difference"] as? [String: Any]))
    }
    let history = try command.run(["history", "catalog.sqlite", "--json"]).output
    let document = try JSONSerialization.jsonObject(with: Data(history.utf8)) as? [String: Any]
    let lasting = document?["lasting_warnings"] as? [[String: Any]]
    facts.append(try #require(lasting?.first?["difference"] as? [String: Any]))
    let texts = try facts.map { facts in
      try JSONSerialization.data(withJSONObject: facts, options: .sortedKeys)
    }
    #expect(Set(texts).count == 1)
    #expect(facts[0]["percent"] as? Int == 100 && facts[0]["value"] as? String == "#N/A")
    let examples = try #require(facts[0]["examples"] as? [[String: Any]])
    #expect(examples.map { $0["before"] as? String }[0] == "Bar 5 x 3 with Coral Hearts Pattern")
  }

  @Test func `a suppressed change is accepted, and does not accept another`() throws {
    let line = "column-constant parts.name: as of run 2"
    try Data("\(line)\n".utf8).write(to: URL(fileURLWithPath: command.folder + "/known.txt"))
    #expect(try run("--suppress", "known.txt").status == 0)
    #expect(
      try command.run(["history", "catalog.sqlite"]).output.contains("(suppressed): name is"))
    // The line is not reported as unused although it is carried out.
    try dumps.changeFields(of: "themes") { $0[1] += "!" }
    let next = try run("--suppress", "known.txt")
    #expect(next.status == 4 && !next.errors.contains("of parts"), "\(next)")
    #expect(!next.errors.contains("acceptance-unused"), "\(next)")
    #expect(
      next.errors.contains("name has changed for 60 of the 60 keys of themes since"), "\(next)")
    try dumps.changeFields(of: "parts") { $0[1] += "A" }
    let another = try run("--suppress", "known.txt")
    #expect(another.errors.contains("name is \"#N/AA\" in 100% of the rows of parts"), "\(another)")
    #expect(another.errors.contains("    column-constant parts.name: as of run 4\n"), "\(another)")
  }

  @Test func `more changes than --max-change allows are refused`() throws {
    let bytes = try command.bytesOfCatalog()
    try dumps.changeFields(of: "themes") { fields in
      if let id = Int(fields[0]), id.isMultiple(of: 2) { fields[1] += "!" }
    }
    let changed = try dumps.lines(of: "themes").dropFirst().count { $0.contains(0x21) }
    let refused = try run("--max-change", "parts=100%", "--max-change", "10%")
    #expect(refused.status == 65, "\(refused)")
    #expect(
      refused.errors.contains(
        "catalog-changed: \(changed) changed and 0 removed of the 60 keys of themes, 50%, more than --max-change "
          + "10% allows. Nothing was published. "),
      "\(refused)")
    #expect(try command.bytesOfCatalog() == bytes)
    #expect(try command.names().contains("catalog.sqlite.refused"))
    #expect(try run("--max-change", "themes=100%").status == 4)
  }

  @Test func `a database that recorded no runs is compared once and recorded`() throws {
    let tables = ["history", "history_tables", "history_warnings", "baseline"]
    try changeDatabase(command.catalog, tables.map { "DROP TABLE \(identifier: "ingest_" + $0)" })
    let none = try command.run(["history", "catalog.sqlite"])
    #expect(none.output == "catalog.sqlite: no runs are recorded\n")
    try dumps.changeLines(of: "elements") { $0.removeLast(60) }
    for _ in 0..<2 {
      let fewer = try run()
      #expect(
        fewer.errors.contains(
          "elements shrank from 300 to 240 rows since the previous database, 20% fewer"), "\(fewer)"
      )
    }
    let printed = try command.run(["history", "catalog.sqlite"])
    #expect(printed.output.contains("\n0     unknown  2,871 "), "\(printed)")
    #expect(printed.output.contains("\n1    warnings  2,811 "), "\(printed)")
  }

  static let tamperings = [
    "UPDATE ingest_baseline SET sample = 'abc'",
    "UPDATE ingest_baseline SET sample = substr(sample, 1, 100)",
    "UPDATE ingest_baseline SET sample = CAST(zeroblob(1000000) AS TEXT)",
    "UPDATE ingest_baseline SET sample = replace(sample, char(9), char(10))",
    "UPDATE ingest_baseline SET columns = '[[1]]'", "UPDATE ingest_baseline SET columns = '['",
    "UPDATE ingest_baseline SET rows = -9223372036854775808, run = 9223372036854775807",
    "UPDATE ingest_baseline SET data_time = 9223372036854775807, version = 2",
    "UPDATE ingest_history_tables SET shares = '[[\\\"changed\\\",\\\"name\\\",\\\"x\\\"]]'",
    "UPDATE ingest_history_warnings SET position = -position, run = -9223372036854775808",
    "UPDATE ingest_history SET run = 9223372036854775807 WHERE run = 2",
    "UPDATE ingest_history SET run = -5, sources = -1, data_time = char(27) WHERE run = 1",
    "UPDATE ingest_history_tables SET rows = -9223372036854775808, added = 9223372036854775807",
    "UPDATE ingest_history_tables SET rows = 9223372036854775807",
    "DROP TABLE ingest_baseline", "DROP TABLE ingest_history_tables",
    "DROP TABLE ingest_history",
    "DELETE FROM ingest_history; DELETE FROM ingest_history_tables",
    """
    INSERT INTO ingest_history WITH RECURSIVE n (i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)
    SELECT i, NULL, i, 'clean' FROM n
    """,
  ]

  @Test(arguments: tamperings) func `a damaged history does not fail a run`(script: String) throws {
    try command.shell(
      "sqlite3 catalog.sqlite \"PRAGMA ignore_check_constraints = 1; $1\"", [script])
    let next = try run("--max-shrink", "100%")
    #expect([0, 4].contains(next.status), "\(next)")
    // Without its baseline, a table begins anew.
    let isKnown = !script.contains("ingest_baseline")
    #expect(
      next.errors.contains("column-constant: catalog.sqlite: name is \"#N/A\"") == isKnown,
      "\(next)")
    #expect(try command.run(["history", "catalog.sqlite"]).status == 0)
    if LongTests.areOn { #expect(try command.run(["check", "catalog.sqlite"]).status == 0) }
    #expect(try command.rows("SELECT count(*) < 401 FROM ingest_history") == [[1]])
  }
}
