import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

@Suite struct LimitTests {
  /// The fixtures with a number of damaged records in `part_categories`, `colors` and `elements`.
  private func damaged(
    _ command: Command, categories: Int = 0, colors: Int = 0, elements: Int = 0
  ) throws -> DumpCopy {
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    let counts = [("part_categories", categories), ("colors", colors), ("elements", elements)]
    for (table, count) in counts where count > 0 {
      try dumps.changeLines(of: table) { lines in
        // At the end, so that no record refers to a rejected one.
        for index in 0..<count { lines.append(Data("x\(index),too,few\r\n".utf8)) }
      }
    }
    return dumps
  }

  /// Limits, and the status for 2 bad records of `part_categories` and 3 of `elements`.
  @Test(
    arguments: [
      ([], 65, "5 of "),
      (["--max-rejects", "4"], 65, "5 of "),
      (["--max-rejects", "5"], 3, ""),
      (["--max-rejects", "1%"], 3, ""),
      (["--max-rejects", "0.01%"], 65, "5 of "),
      (["--max-rejects", "elements=3"], 65, "2 of "),
      (["--max-rejects", "elements=3", "--max-rejects", "2"], 3, ""),
      (["--max-rejects", "elements=3", "--max-rejects=part_categories=2"], 3, ""),
      (
        ["--max-rejects", "100", "--max-rejects=part_categories=1"], 65,
        "2 of 69 records of part_categories are rejected, more than --max-rejects part_categories=1"
      ),
      (
        ["--max-rejects", "100", "--max-rejects=part_categories=2.8%"], 65,
        "2 of 69 records of part_categories are rejected, more than --max-rejects part_categories=2.8%"
      ),
      (["--max-rejects", "100", "--max-rejects=part_categories=2.9%"], 3, ""),
    ] as [([String], Int32, String)])
  func `limits hold for the run and for tables`(
    options: [String], status: Int32, message: String
  ) throws {
    let command = try Command()
    let dumps = try damaged(command, categories: 2, elements: 3)
    let result = try command.run(["--source", dumps.path, "--out", command.catalog] + options)
    #expect(result.status == status, "\(result)")
    #expect(FileManager.default.fileExists(atPath: command.catalog) == (status == 3))
    guard status != 3 else {
      let connection = try Connection(command.catalog, opening: .readOnly)
      #expect(try connection.query("SELECT count(*) FROM part_categories", as: Int.self) == [67])
      return
    }
    #expect(result.errors.contains("\ningest: rejects-over-limit: \(message)"), "\(result)")
  }

  @Test func `a run over its limit reads on to the end, unless it shall fail fast`() throws {
    let command = try Command()
    let dumps = try damaged(command, categories: 1, colors: 1, elements: 1)
    let whole = try command.load(dumps.path)
    #expect(whole.status == 65)
    for table in ["part_categories", "colors", "elements"] {
      #expect(whole.errors.contains("\(table).csv:"), "\(whole)")
    }
    #expect(whole.errors.contains("inventory_minifigs"))
    #expect(whole.errors.contains("ingest repair --rejects "))
  }

  @Test func `all unusable files are reported in one run`() throws {
    let command = try Command()
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    try dumps.changeBytes(of: "parts") { $0.prefix($0.count / 2) }
    try dumps.changeLines(of: "inventories") { $0[0] = Data("id,number\r\n".utf8) }
    try dumps.changeLines(of: "inventory_parts") { $0[5] = Data("x\r\n".utf8) }
    let whole = try command.load(dumps.path)
    #expect(whole.status == 65)
    let failures = whole.errors.split(separator: "\n").filter { $0.hasPrefix("ingest: ") }
    try #require(failures.count == 2, "\(whole)")
    #expect(
      failures[0].hasPrefix("ingest: gzip-truncated: ") && failures[0].contains("parts.csv.gz"))
    #expect(
      failures[1].hasPrefix("ingest: column-missing: ") && failures[1].contains("inventories.csv"))
    // Records that refer to the two are not rejected.
    let rejects = whole.errors.split(separator: "\n").filter { $0.contains(": byte ") }
    #expect(rejects.count == 1 && rejects[0].hasPrefix("inventory_parts.csv:6: "), "\(whole)")
    #expect(try command.names() == ["catalog.sqlite.rejects", "dumps"])
  }

  @Test func `schema drift fails with --strict-schema`() throws {
    let command = try Command()
    let source = Command.fixtures + "/broken/column-unknown"
    #expect(try command.load(source).status == 0)
    let before = try command.bytesOfCatalog()
    let strict = try command.load(source, "--strict-schema")
    #expect(strict.status == 65, "\(strict)")
    #expect(
      strict.errors.hasPrefix(
        "\(command.catalog): not published: the source files no longer match the schema\n"
          + "  the previous database was kept\n"
          + "ingest: schema-drift: schema drift, which --strict-schema does not allow: column-unknown "
      ),
      "\(strict)")
    #expect(try command.bytesOfCatalog() == before)
    #expect(try command.load(Command.fixtures + "/dumps", "--strict-schema").status == 0)
    // Blank lines are not schema drift.
    let blank = try command.load(
      Command.fixtures + "/broken/blank-line", "--strict-schema", "--max-shrink=100%")
    #expect(blank.status == 0, "\(blank)")
  }

  @Test func `a dry run reports the expected result and writes nothing`() throws {
    let command = try Command()
    let sound = try command.run(["--dry-run", "--source", Command.fixtures + "/dumps"])
    #expect(sound.status == 0, "\(sound)")
    #expect(
      sound.output.hasPrefix("dry run: would be published, clean\n")
        && sound.output.contains(
          "\n2,871 of 2,871 records passed all checks; nothing was written, in "),
      "\(sound)")
    #expect(try command.names() == [])
    let broken = Command.fixtures + "/broken/duplicate-key"
    let refused = try command.load(broken, "--dry-run")
    #expect(refused.status == 65 && refused.output == "")
    #expect(refused.errors.contains("part_categories.csv:4: byte "))
    let tolerated = try command.load(broken, "--dry-run", "--max-rejects", "1")
    #expect(tolerated.status == 3)
    #expect(tolerated.output.contains("\n110 of 111 records passed"), "\(tolerated)")
    #expect(try command.names() == [])
    let gzip = try command.load(Command.fixtures + "/broken/gzip-corrupt", "--dry-run")
    #expect(gzip.status == 65)
    #expect(try command.load(command.folder, "--dry-run").status == 66)
    #expect(try command.names() == [])
  }
}
