import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

@Suite struct VerdictTests {
  /// The fixtures with half of the elements, and without the last inventory set.
  private func shrunken(_ command: Command, keeping elements: Int) throws -> DumpCopy {
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    try dumps.changeLines(of: "elements") { $0 = Array($0.prefix(1 + elements)) }
    return dumps
  }

  @Test func `a database that lost more than half of a table is refused and kept`()
    throws
  {
    let command = try Command()
    try command.putCatalog()
    let before = try command.bytesOfCatalog()
    let count = try Int(
      #require(command.rows("SELECT count(*) FROM elements")[0][0].integerValue))
    let kept = (count - 1) / 2
    let dumps = try shrunken(command, keeping: kept)
    let refused = try command.load(dumps.path, status: 65)
    let refusal = command.catalog + ".refused"
    #expect(refused.output == "")
    #expect(
      refused.errors.contains(
        "ingest: catalog-shrunk: elements shrank from \(count) to \(kept) rows, "),
      "\(refused)")
    #expect(refused.errors.contains("The refused database was kept as \(refusal)"), "\(refused)")
    #expect(
      refused.errors.contains("Compare the source file of elements with that of the day before"),
      "\(refused)")
    #expect(try command.bytesOfCatalog() == before)
    #expect(try command.names() == ["catalog.sqlite", "catalog.sqlite.refused", "dumps"])
    let candidate = try Connection(refusal, opening: .readOnly)
    #expect(try candidate.query("SELECT count(*) FROM elements", as: Int.self) == [kept])
    #expect(try candidate.query("PRAGMA integrity_check", as: String.self) == ["ok"])
    try candidate.close()

    // The same run again replaces the refused database; the option in the message publishes it.
    #expect(try command.load(dumps.path).status == 65)
    let keptBytes = try Data(contentsOf: URL(fileURLWithPath: refusal))
    #expect(try command.load(dumps.path, "--max-shrink=elements=50.4%", "--dry-run").status == 0)
    #expect(try command.names() == ["catalog.sqlite", "catalog.sqlite.refused", "dumps"])
    let published = try command.load(dumps.path, "--max-shrink", "elements=50.4%", status: 0)
    let line = published.output.split(separator: "\n").first { $0.hasPrefix("elements") }
    #expect(
      line?.split(separator: " ").map(String.init) == [
        "elements", "\(count)", "\(kept)", "0", "\(count - kept)", "0",
      ], "\(published)")
    #expect(try command.names() == ["catalog.sqlite", "dumps"])
    // The refused database has everything except the verdict.
    try keptBytes.write(to: URL(fileURLWithPath: refusal))
    try command.run(["diff", refusal, command.catalog], status: 0)
    #expect(try command.run(["check", "-q", refusal]).status == 0)
  }

  @Test func `a missing table counts as lost rows`() throws {
    let command = try Command()
    try command.putCatalog()
    let dumps = try DumpCopy(of: Command.fixtures + "/dumps", for: command)
    try dumps.changeBytes(of: "inventory_minifigs") { _ in nil }
    let options = ["--allow-missing", "inventory_minifigs"]
    let base = ["--source", dumps.path, "--out", command.catalog] + options
    let refused = try command.run(base, status: 65)
    #expect(refused.errors.contains("inventory_minifigs shrank from "))
    #expect(
      refused.errors.contains(
        "source file of inventory_minifigs missing (allowed by --allow-missing): inventory_minifigs "
      ),
      "\(refused)")
    #expect(
      refused.errors.contains(
        ": not published: too many rows were lost, because of missing source files: inventory_minifigs\n"
      ))
    #expect(
      refused.errors.contains("Add the source file of inventory_minifigs to the folder"),
      "\(refused)")
    #expect(!refused.errors.contains("=100%"), "\(refused)")
    #expect(try command.run(base + ["--max-shrink", "inventory_minifigs=100%"]).status == 0)
  }

  @Test func `lost objects of another program are reported`() throws {
    let command = try Command()
    try command.putCatalog()
    let plain = try command.load(Command.fixtures + "/dumps")
    #expect(!plain.output.contains("objects-lost"), "\(plain)")
    try changeDatabase(
      command.catalog,
      [
        "CREATE VIEW mine AS SELECT 1", "ALTER TABLE sets ADD COLUMN note TEXT",
        "CREATE INDEX by_year ON sets (year)", "CREATE TABLE empty (a)",
      ])
    let result = try command.load(Command.fixtures + "/dumps", status: 0)
    #expect(result.output.contains(": published with 1 warning\n"))
    #expect(
      result.errors.contains(
        "  objects-lost: \(command.catalog): in the previous database, "
          + "but not in the new one: index by_year, table empty, view mine, "
          + "column sets.note\n"), "\(result)")
  }

  @Test func `a refused database does not replace the file of another program`() throws {
    let command = try Command()
    try command.putCatalog()
    let notes = URL(fileURLWithPath: command.catalog + ".refused")
    try Data("notes".utf8).write(to: notes)
    let dumps = try shrunken(command, keeping: 1)
    let refused = try command.load(dumps.path, status: 65)
    #expect(refused.errors.contains("ingest: catalog-shrunk: elements shrank from "))
    #expect(refused.errors.contains("The refused database could not be kept: "), "\(refused)")
    #expect(try Data(contentsOf: notes) == Data("notes".utf8))
    // It is not removed by a run that publishes.
    let published = try command.load(Command.fixtures + "/dumps")
    #expect(published.status == 0 && published.errors == "", "\(published)")
    #expect(try Data(contentsOf: notes) == Data("notes".utf8))
  }
}
