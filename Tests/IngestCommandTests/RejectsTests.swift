import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// The rejects folder.
@Suite struct RejectsTests {
  private static let damaged = Command.fixtures + "/broken/missing-parent"

  @Test func `the folder of another program is refused with status 73`() throws {
    let command = try Command()
    let folder = command.folder + "/mine"
    try makeFolder(folder)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/elements.csv"))
    let result = try command.load(Self.damaged, "--rejects", folder, status: 73)
    #expect(
      result.errors.contains("\ningest: \(folder): not a rejects folder made by ingest"),
      "\(result)")
    #expect(try command.names() == ["mine"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["elements.csv"])
  }

  @Test func `records that cannot be written fail the run with status 74`() throws {
    let command = try Command()
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    try dumps.changeLines(of: "inventory_parts") { lines in
      lines += [Data](repeating: Data("1,no-such-part,0,1,False,\n".utf8), count: 5000)
    }
    // Files are limited to 64 blocks; a dry run writes only rejected records.
    let script = """
      trap '' XFSZ; ulimit -f 64
      exec "$0" --dry-run --source "$1" --rejects "$2" 2>/dev/null
      """
    try command.shell(script, [dumps.path, command.folder + "/kept"], status: 74)
    #expect(try command.names() == ["dumps"])
  }

  @Test func `leftovers of a killed run do not disturb the next run`() throws {
    let command = try Command()
    let left = command.catalog + ".rejects.new"
    try makeFolder(left)
    for name in ["elements.csv", "parts.reasons.csv", "unfinished"] {
      try Data("half a rec".utf8).write(to: URL(fileURLWithPath: "\(left)/\(name)"))
    }
    #expect(try command.load(Self.damaged, "--max-rejects", "1").status == 3)
    #expect(try command.names() == ["catalog.sqlite", "catalog.sqlite.rejects"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: command.catalog + ".rejects").sorted()
        == ["elements.csv", "elements.reasons.csv", "manifest.csv"])
  }

  @Test func `rejected records from other source files are not repaired`() throws {
    let command = try Command()
    #expect(try command.load(Self.damaged).status == 65)
    let other = Command.fixtures + "/broken/duplicate-key"
    let words = ["--rejects", command.catalog + ".rejects", "--repairs", "repairs"]
    let unedited = try command.run(["repair", "--source", other] + words)
    #expect(unedited.status == 0 && unedited.output.contains("no new edits"), "\(unedited)")
    try command.shell("echo edited >>catalog.sqlite.rejects/elements.csv", [])
    let result = try command.run(["repair", "--source", other] + words, status: 65)
    #expect(
      result.errors.contains("ingest: quarantine-stale: \(other)/")
        && result.errors.contains(": not the source file"),
      "\(result)")
    let missing = try command.run(
      ["repair", "--source", Self.damaged, "--rejects", "none", "--repairs", "repairs"], status: 66)
    #expect(missing.errors.contains("none/manifest.csv: cannot be opened"), "\(missing)")
    #expect(try command.names() == ["catalog.sqlite.rejects"])
  }

  @Test func `source files are not mistaken for leftovers of a killed run`() throws {
    let command = try Command()
    let dumps = command.catalog + ".rejects.new"
    try FileManager.default.copyItem(atPath: Self.damaged, toPath: dumps)
    let before = try FileManager.default.contentsOfDirectory(atPath: dumps).sorted()
    for source in [Self.damaged, dumps] {
      try command.load(source, status: 73)
      #expect(try FileManager.default.contentsOfDirectory(atPath: dumps).sorted() == before)
    }
    let kept = try command.load(dumps, "--rejects", dumps, status: 73)
    #expect(kept.errors.contains("rejected records would be written into the source folder"))
  }

  /// Edited records must not be lost because of another failure.
  @Test func `an unpublished load with repairs can be repeated`() throws {
    let command = try Command()
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    #expect(try command.load(dumps.path, "--quiet").status == 0)
    try changeDatabase(command.catalog, ["CREATE TABLE mine (a)", "INSERT INTO mine VALUES (1)"])
    var original = Data()
    try dumps.changeLines(of: "inventory_sets") { lines in
      original = lines[3]
      lines[3] = Data("x,y\r\n".utf8)
    }
    #expect(try command.load(dumps.path).status == 65)
    let folder = command.catalog + ".rejects"
    let content = try dumps.lines(of: "inventory_sets")[0] + original
    try content.write(to: URL(fileURLWithPath: folder + "/inventory_sets.csv"))
    let refused = try command.repairAndLoad(dumps.path, status: 65)
    #expect(
      refused.errors.contains("catalog-shrunk: mine, which had 1 row, is gone, "), "\(refused)")
    #expect(
      refused.errors.contains("Move your own tables (mine) to another database"),
      "\(refused)")
    try command.load(dumps.path, "--repairs", "repairs", "--max-shrink", "100%", status: 0)
    #expect(!FileManager.default.fileExists(atPath: folder))
    let kept = try Data(contentsOf: URL(fileURLWithPath: folder + ".previous/inventory_sets.csv"))
    #expect(kept == content)
  }

  @Test func `records may be fixed in two rounds`() throws {
    let command = try Command()
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    try dumps.changeLines(of: "inventory_parts") { lines in
      for line in [3, 5] { lines[line] = Data("x".utf8) + lines[line].dropFirst() }
    }
    #expect(try command.load(dumps.path).status == 65)
    let kept = URL(fileURLWithPath: command.catalog + ".rejects/inventory_parts.csv")
    for status: Int32 in [3, 0] {
      // One record is fixed each time.
      var text = String(decoding: try Data(contentsOf: kept), as: UTF8.self)
      let fault = try #require(text.range(of: "\nx"))
      text.replaceSubrange(fault, with: "\n1")
      try Data(text.utf8).write(to: kept)
      try command.repairAndLoad(dumps.path, load: ["--max-rejects", "1"], status: status)
    }
    let repaired = try command.rows("SELECT * FROM inventory_parts ORDER BY 1, 2, 3, 4, 5")
    try command.putCatalog()
    let clean = try command.rows("SELECT * FROM inventory_parts ORDER BY 1, 2, 3, 4, 5")
    #expect(repaired == clean)
  }
}
