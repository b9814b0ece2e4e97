import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

@Suite struct VerdictTests {
  /// The fixtures with half of the colors' elements, and without the last of the inventory's sets.
  private func shrunken(_ command: Command, keeping elements: Int) throws -> DumpCopy {
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    try dumps.changeLines(of: "elements") { $0 = Array($0.prefix(1 + elements)) }
    return dumps
  }

  @Test func `a catalog that has lost more than half of a table is kept, and not published`()
    throws
  {
    let command = try Command()
    try command.putCatalog()
    let before = try command.bytesOfCatalog()
    let connection = try Connection(command.catalog, opening: .readOnly)
    let count = try #require(
      try connection.query("SELECT count(*) FROM elements", as: Int.self).first)
    try connection.close()
    let kept = (count - 1) / 2
    let dumps = try shrunken(command, keeping: kept)
    let refused = try command.load(dumps.path)
    #expect(refused.status == 65, "\(refused)")
    let refusal = command.catalog + ".refused"
    #expect(refused.output == "")
    #expect(
      refused.errors.contains(
        "ingest: catalog-shrunk: elements has \(kept) rows and had \(count), which is "),
      "\(refused)")
    #expect(refused.errors.contains("the new catalog is kept as \(refusal)"), "\(refused)")
    #expect(refused.errors.contains("run again with --max-shrink elements=50.4%."), "\(refused)")
    #expect(try command.bytesOfCatalog() == before)
    #expect(try command.names() == ["catalog.sqlite", "catalog.sqlite.refused", "dumps"])
    let candidate = try Connection(refusal, opening: .readOnly)
    #expect(try candidate.query("SELECT count(*) FROM elements", as: Int.self) == [kept])
    #expect(try candidate.query("PRAGMA integrity_check", as: String.self) == ["ok"])
    try candidate.close()

    // The same again replaces what was kept; as the message says, it can be let through.
    #expect(try command.load(dumps.path).status == 65)
    let keptBytes = try Data(contentsOf: URL(fileURLWithPath: refusal))
    #expect(try command.load(dumps.path, "--max-shrink=elements=50.4%", "--dry-run").status == 0)
    #expect(try command.names() == ["catalog.sqlite", "catalog.sqlite.refused", "dumps"])
    let published = try command.load(dumps.path, "--max-shrink", "elements=50.4%")
    #expect(published.status == 0, "\(published)")
    #expect(try command.names() == ["catalog.sqlite", "dumps"])
    // All but the verdict was in the refused file.
    try keptBytes.write(to: URL(fileURLWithPath: refusal))
    let diff = try command.run(["diff", refusal, command.catalog])
    #expect(diff.status == 0, "\(diff)")
    #expect(try command.run(["check", "-q", refusal]).status == 0)
  }

  @Test(
    arguments: [
      (["--max-shrink", "0%"], 65), (["--max-shrink=1%"], 0), (["--max-shrink=elements=0%"], 65),
      (["--max-shrink=parts=0%"], 0), (["--max-shrink=0%", "--max-shrink=elements=1%"], 0),
    ] as [([String], Int32)])
  func `how much may be lost is said for all tables or for one`(
    options: [String], status: Int32
  ) throws {
    let command = try Command()
    try command.putCatalog()
    let connection = try Connection(command.catalog, opening: .readOnly)
    let count = try #require(
      try connection.query("SELECT count(*) FROM elements", as: Int.self).first)
    try connection.close()
    let dumps = try shrunken(command, keeping: count - 1)
    let result = try command.run(["--source", dumps.path, "--out", command.catalog] + options)
    #expect(result.status == status, "\(result)")
    guard status == 0 else { return }
    let line = try #require(result.output.split(separator: "\n").first { $0.hasPrefix("elements") })
    #expect(
      line.split(separator: " ").map(String.init) == [
        "elements", "\(count)", "\(count - 1)", "0", "1", "0",
      ], "\(result)")
  }

  @Test func `a table that is left out is a loss`() throws {
    let command = try Command()
    try command.putCatalog()
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    try dumps.changeBytes(of: "inventory_minifigs") { _ in nil }
    let options = ["--allow-missing", "inventory_minifigs"]
    let base = ["--source", dumps.path, "--out", command.catalog] + options
    let refused = try command.run(base)
    #expect(refused.status == 65, "\(refused)")
    #expect(refused.errors.contains("inventory_minifigs has 0 rows and had "))
    #expect(
      refused.errors.contains(
        "there is no dump of inventory_minifigs, which --allow-missing allows: inventory_minifigs has"
      ),
      "\(refused)")
    #expect(
      refused.errors.contains(
        ": not published: it has lost too many rows, since there is no dump of inventory_minifigs\n"
      ))
    #expect(
      refused.errors.contains("Put the dump of inventory_minifigs into the folder"), "\(refused)")
    #expect(!refused.errors.contains("=100%"), "\(refused)")
    #expect(try command.run(base + ["--max-shrink", "inventory_minifigs=100%"]).status == 0)
  }

  @Test func `what somebody has added to the catalog is named when it goes`() throws {
    let command = try Command()
    try command.putCatalog()
    let plain = try command.load(Command.fixtures + "/dumps")
    #expect(!plain.output.contains("objects-lost"), "\(plain)")
    let connection = try Connection(command.catalog, opening: .openExisting)
    try connection.execute("CREATE VIEW mine AS SELECT 1")
    try connection.execute("ALTER TABLE sets ADD COLUMN note TEXT")
    try connection.execute("CREATE INDEX by_year ON sets (year)")
    try connection.execute("CREATE TABLE empty (a)")
    try connection.close()
    let result = try command.load(Command.fixtures + "/dumps")
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains(": published with 1 warning\n"))
    #expect(
      result.errors.contains(
        "  objects-lost: \(command.catalog): in the previous database, "
          + "but not in the new one: index by_year, table empty, view mine, "
          + "column sets.note\n"), "\(result)")
  }

  @Test func `a file of somebody else's is not replaced by what is refused`() throws {
    let command = try Command()
    try command.putCatalog()
    let notes = URL(fileURLWithPath: command.catalog + ".refused")
    try Data("notes".utf8).write(to: notes)
    let dumps = try shrunken(command, keeping: 1)
    let refused = try command.load(dumps.path)
    #expect(refused.status == 65, "\(refused)")
    #expect(refused.errors.contains("ingest: catalog-shrunk: elements has 1 row and had "))
    #expect(refused.errors.contains("the new catalog could not be kept: "), "\(refused)")
    #expect(try Data(contentsOf: notes) == Data("notes".utf8))
    // Nor is it removed when a run publishes.
    let published = try command.load(Command.fixtures + "/dumps")
    #expect(published.status == 0 && published.errors == "", "\(published)")
    #expect(try Data(contentsOf: notes) == Data("notes".utf8))
  }
}
