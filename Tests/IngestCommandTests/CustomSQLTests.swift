import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

@testable import ingest

/// Custom SQL in the command.
@Suite struct CustomSQLTests {
  private let command: Command
  private let dumps = Command.fixtures + "/dumps"

  init() throws { command = try Command() }

  @Test func `the summary and the reports list custom SQL and its objects`() throws {
    let file = try command.write(
      "extra.sql",
      """
      CREATE VIEW sets_by_year AS SELECT year, count(*) AS sets FROM sets GROUP BY year;
      CREATE INDEX set_names ON sets (name);
      CREATE VIRTUAL TABLE names USING fts5(name);
      INSERT INTO names SELECT name FROM sets;
      """)
    // Only what --sql names is run.
    try makeFolder(command.folder + "/catalog.d")
    try command.write("catalog.d/a.sql", "nonsense")
    let other = try command.write("other.sql", "SELECT 1;")
    let result = try command.load(
      dumps, "--sql", file, "--sql", other, "--report", "r.json", "--report", "r.html")
    #expect(result.status == 0 && result.errors == "", "\(result)")
    #expect(result.output.contains(/other\.sql ran 1 statement in [0-9.]+ s\n/), "\(result)")
    #expect(result.output.contains("SQL: \(file) ran 4 statements in "), "\(result)")
    #expect(
      result.output.contains("and created index set_names, table names, view sets_by_year\n"),
      "\(result)")
    let files = try #require(try command.json("r.json")["sql"] as? [[String: Any]])
    #expect(files.map { $0["statements"] as? Int } == [4, 1])
    #expect((files[0]["objects"] as? [[String: String]])?.map { $0["name"] }.count == 3)
    let page = try command.text("r.html")
    #expect(page.contains("Custom SQL") && page.contains("view sets_by_year"))
  }

  @Test func `SQL files are not overwritten`() throws {
    let folder = command.folder + "/extra"
    try makeFolder(folder)
    let file = try command.write("extra/views.sql", "CREATE VIEW v AS SELECT 1 AS x;")
    for (words, path, output) in [
      (["--out", file, "--sql", file], file, "database"),
      (["--out", folder + "/new.sql", "--sql", folder], folder, "database"),
      (
        ["--out", command.catalog, "--rejects", folder, "--sql", folder], folder, "rejected records"
      ),
      (["--out", command.catalog, "--rejects", folder, "--sql", file], file, "rejected records"),
    ] {
      let error = #expect(throws: UsageError.self) {
        try Arguments(["--source", dumps] + words, tables: ["themes"])
      }
      #expect(
        error?.message
          == "'\(path)' cannot be used for custom SQL: the run writes the \(output) there, or to a "
          + "derived name")
    }
  }

  @Test func `a failure has file, line and statement, and keeps the previous database`() throws {
    try command.putCatalog()
    let before = try command.bytesOfCatalog()
    let file = try command.write(
      "extra.sql", "SELECT 1;\n-- two\nSELECT name\nFROM sets\nWHERE nmae = 1;\n")
    let result = try command.load(dumps, "--sql", file, status: 65)
    #expect(
      result.errors
        == "\(command.catalog): not published: the custom SQL failed\n"
        + "  the previous database was kept\n"
        + "ingest: sql-failed: \(file):5: statement 2: no such column: nmae. Nothing was published.\n"
    )
    #expect(try command.bytesOfCatalog() == before)
    #expect(try command.names() == ["catalog.sqlite", "extra.sql"])
    try command.load(dumps, "--sql", command.folder + "/none.sql", status: 66)
    #expect(try command.bytesOfCatalog() == before)
  }

  /// No statement is interrupted: the process ends, and temporary files are removed.
  @Test func `a signal ends an endless query`() throws {
    try command.putCatalog()
    let before = try command.bytesOfCatalog()
    let file = try command.write(
      "extra.sql",
      """
      CREATE TABLE t AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT max(i) FROM n;
      """)
    let running = try command.start(
      ["--source", dumps, "--out", command.catalog, "--quiet", "--sql", file])
    try running.wait { try command.names().contains(".catalog.sqlite.ingest") }
    running.send(SIGTERM)
    try running.outcome(status: 143)
    #expect(try command.bytesOfCatalog() == before)
    #expect(try command.names() == ["catalog.sqlite", "extra.sql"])
  }
}
