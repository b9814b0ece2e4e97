import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// Custom SQL in the command.
@Suite struct CustomSQLTests {
  private let command: Command
  private let dumps = Command.fixtures + "/dumps"

  init() throws { command = try Command() }

  private func write(_ name: String, _ text: String) throws -> String {
    let path = command.folder + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test func `the summary and the reports list custom SQL and its objects`() throws {
    let file = try write(
      "extra.sql",
      """
      CREATE VIEW sets_by_year AS SELECT year, count(*) AS sets FROM sets GROUP BY year;
      CREATE INDEX set_names ON sets (name);
      CREATE VIRTUAL TABLE names USING fts5(name);
      INSERT INTO names SELECT name FROM sets;
      """)
    let (json, html) = (command.folder + "/r.json", command.folder + "/r.html")
    let result = try command.load(dumps, "--sql", file, "--report", json, "--report", html)
    #expect(result.status == 0, "\(result)")
    #expect(result.errors == "", "\(result)")
    #expect(result.output.contains("SQL: \(file) ran 4 statements in "), "\(result)")
    #expect(
      result.output.contains("and created index set_names, table names, view sets_by_year\n"),
      "\(result)")
    let data = try Data(contentsOf: URL(fileURLWithPath: json))
    let report = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let files = try #require(report["sql"] as? [[String: Any]])
    #expect(files.map { $0["statements"] as? Int } == [4])
    #expect((files[0]["objects"] as? [[String: String]])?.map { $0["name"] }.count == 3)
    let page = try String(contentsOfFile: html, encoding: .utf8)
    #expect(page.contains("Custom SQL") && page.contains("view sets_by_year"))
    let again = try command.load(dumps, "--sql", file)
    #expect(again.status == 0 && again.errors == "", "\(again)")
    let connection = try Connection(command.catalog, opening: .readOnly)
    let rows = try connection.query("SELECT name FROM ingest_objects ORDER BY name")
    #expect(rows.map { $0[0].textValue } == ["names", "set_names", "sets_by_year"])
  }

  @Test func `SQL files are not overwritten`() throws {
    let folder = command.folder + "/extra"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let file = try write("extra/views.sql", "CREATE VIEW v AS SELECT 1 AS x;")
    let place = "there, or to a derived name\n"
    for (words, message) in [
      (
        ["--out", file, "--sql", file],
        "'\(file)' cannot be used for custom SQL: the run writes the database \(place)"
      ),
      (
        ["--out", folder + "/new.sql", "--sql", folder],
        "'\(folder)' cannot be used for custom SQL: the run writes the database \(place)"
      ),
      (
        ["--out", command.catalog, "--rejects", folder, "--sql", folder],
        "'\(folder)' cannot be used for custom SQL: the run writes the rejected records \(place)"
      ),
      (
        ["--out", command.catalog, "--rejects", folder, "--sql", file],
        "'\(file)' cannot be used for custom SQL: the run writes the rejected records \(place)"
      ),
    ] {
      let result = try command.run(["--source", dumps] + words)
      #expect(result.status == 64, "\(result)")
      #expect(result.errors.hasPrefix("ingest: \(message)"), "\(result)")
    }
    #expect(try command.names() == ["extra"])
  }

  @Test func `a failure has file, line and statement, and keeps the previous database`() throws {
    try command.putCatalog()
    let before = try command.bytesOfCatalog()
    let file = try write(
      "extra.sql", "SELECT 1;\n-- two\nSELECT name\nFROM sets\nWHERE nmae = 1;\n")
    let result = try command.load(dumps, "--sql", file)
    #expect(result.status == 65, "\(result)")
    #expect(
      result.errors
        == "\(command.catalog): not published: the custom SQL failed\n"
        + "  the previous database was kept\n"
        + "ingest: sql-failed: \(file):5: statement 2: no such column: nmae. Nothing was published.\n"
    )
    #expect(try command.bytesOfCatalog() == before)
    #expect(try command.names() == ["catalog.sqlite", "extra.sql"])
    let missing = try command.load(dumps, "--sql", command.folder + "/none.sql")
    #expect(missing.status == 66, "\(missing)")
    #expect(try command.bytesOfCatalog() == before)
  }

  @Test func `a dry run lists what it did not check`() throws {
    let file = try write("extra.sql", "nonsense")
    let result = try command.run(["--source", dumps, "--dry-run", "--sql", file])
    #expect(result.status == 0, "\(result)")
    #expect(
      result.output.contains(
        "SQL: \(file) is readable; a dry run does not run it\n"),
      "\(result)")
  }

  /// No statement is interrupted: the process ends, and temporary files are removed.
  @Test func `a signal ends an endless query`() throws {
    try command.putCatalog()
    let before = try command.bytesOfCatalog()
    let file = try write(
      "extra.sql",
      """
      CREATE TABLE t AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
        SELECT max(i) FROM n;
      """)
    let running = try command.start(
      ["--source", dumps, "--out", command.catalog, "--quiet", "--sql", file])
    try running.wait { try command.names().contains(".catalog.sqlite.ingest") }
    running.send(SIGTERM)
    let result = try running.outcome()
    #expect(result.status == 143, "\(result)")
    #expect(try command.bytesOfCatalog() == before)
    #expect(try command.names() == ["catalog.sqlite", "extra.sql"])
  }

  @Test func `SQL beside the database runs only if --sql names it`() throws {
    let folder = command.folder + "/catalog.d"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = try write("catalog.d/a.sql", "CREATE VIEW mine AS SELECT 1;")
    let plain = try command.load(dumps)
    #expect(plain.status == 0 && !plain.output.contains("SQL: "), "\(plain)")
    let named = try command.load(dumps, "--sql", folder)
    #expect(named.output.contains("\(folder)/a.sql ran 1 statement in "), "\(named)")
  }
}
