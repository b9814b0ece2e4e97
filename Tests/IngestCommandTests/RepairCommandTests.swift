import Foundation
import SQLiteSwiftly
import Schema
import TestSupport
import Testing

/// Repairs, on the fixtures with missing parents.
@Suite struct RepairCommandTests {
  private static let fixture = Command.fixtures + "/missing-parents"
  private static let night = [
    "--source", fixture + "/dumps", "--allow-missing", "all", "--out", "catalog.sqlite",
  ]

  @Test func `the fixture is published only with its repairs`() throws {
    let command = try Command()
    let without = try command.run(Self.night, status: 65)
    #expect(without.errors.contains("missing-parent: 172 more records, 182 in all"))
    #expect(without.errors.contains("182 of 2,302 records are rejected"))
    let repairs = ["--repairs", Self.fixture + "/repairs"]
    let with = try command.run(Self.night + repairs + ["--report", "report.json"], status: 0)
    #expect(with.output.contains("\nrepairs: 17 records added, 0 replaced, 0 skipped\n"))
    #expect(
      try command.rows(
        "SELECT count(*), count(DISTINCT part_num) FROM inventory_parts WHERE part_num LIKE '9995__'"
      ) == [[182, 17]])
    #expect(
      try command.rows(
        "SELECT table_name, kind, file_name, records, applied, needless, inapplicable FROM ingest_repairs"
      ) == [["parts", "add", "parts.add.csv", 17, 17, 0, 0]])
    #expect(try command.run(["check", command.catalog]).status == 0)
    let bytes = try command.bytesOfCatalog()
    let script = "cp -R \"$1\" elsewhere"
    try command.shell(script, [Self.fixture + "/repairs"])
    #expect(try command.run(Self.night + ["--repairs", "elsewhere/"]).status == 0)
    #expect(try command.bytesOfCatalog() == bytes)
    let files = try #require(try command.json("report.json")["repairs"] as? [[String: Any]])
    #expect(files.count == 1 && files[0]["applied"] as? Int == 17)
  }

  @Test func `parts added to the rejected records are loaded and become repairs`() throws {
    let command = try Command()
    #expect(try command.run(Self.night).status == 65)
    try command.shell(
      "cp \"$1/parts.add.csv\" catalog.sqlite.rejects/parts.csv", [Self.fixture + "/repairs"])
    let words = [
      "repair", "--source", Self.fixture + "/dumps", "--rejects", "catalog.sqlite.rejects",
      "--repairs", "repairs",
    ]
    let repair = try command.run(words, status: 0)
    #expect(
      repair.output
        == "repairs/parts.add.csv: 17 records added\n"
        + "load the source files again with --repairs repairs\n")
    #expect(try command.run(words).output.contains("no new edits"))
    try command.shell("cmp repairs/parts.add.csv \"$1/parts.add.csv\"", [Self.fixture + "/repairs"])
    let night = try command.run(Self.night + ["--repairs", "repairs"], status: 0)
    // The paths are those of the README, relative to the current folder.
    #expect(!"\(night)".contains("rejects-edited"), "\(night)")
    #expect(try command.names().contains("catalog.sqlite.rejects.previous"))
  }

  @Test func `changed repairs are loaded again, and unchanged ones are not`() throws {
    let command = try Command()
    try command.shell("cp -R \"$1\" repairs", [Self.fixture + "/repairs"])
    let night = Self.night + ["--repairs", "repairs", "--if-changed", "--report", "json:-"]
    func isSkipped() throws -> Bool {
      try !command.run(night, status: 0).output.contains("\"unchanged\" : null")
    }
    #expect(try !isSkipped())
    #expect(try isSkipped())
    try command.shell("echo set_num >repairs/sets.leave-out.csv")
    #expect(try !isSkipped())
    try command.shell("echo 999600,More,11 >>repairs/parts.add.csv")
    #expect(try !isSkipped())
    #expect(try isSkipped())
  }

  @Test func `a run that moves edited records warns and keeps them`() throws {
    let command = try Command()
    #expect(try command.run(Self.night).status == 65)
    try command.shell("echo edited >>catalog.sqlite.rejects/inventory_parts.csv")
    for options in [[], [], ["--dry-run"], []] {
      let outcome = try command.run(
        Self.night + ["--repairs", Self.fixture + "/repairs"] + options, status: 0)
      #expect(outcome.errors.contains("rejects-edited"))
    }
    try command.shell(
      "tail -n 1 catalog.sqlite.rejects.previous/inventory_parts.csv | grep -qx edited")
  }

  @Test(
    arguments: [
      ("none", "", 66), ("parst.add.csv", "part_num\n", 65),
      ("parts.add.csv", "part_num,nmae\n", 65),
    ] as [(String, String, Int32)])
  func `invalid repairs fail the run`(
    name: String, text: String, status: Int32
  ) throws {
    let command = try Command()
    if status == 65 {
      let script = "mkdir repairs && printf '%s' \"$2\" >\"repairs/$1\""
      try command.shell(script, [name, text])
    }
    let outcome = try command.run(Self.night + ["--repairs", "repairs"])
    #expect(
      outcome.status == status && outcome.errors.contains("repair-invalid: repairs"), "\(outcome)")
    #expect(
      outcome.errors.hasPrefix(
        "catalog.sqlite: not published: the repairs are invalid\n"), "\(outcome)")
    #expect(try !command.names().contains("catalog.sqlite"))
  }
}
