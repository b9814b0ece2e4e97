import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// Reported changes from the previous database.
@Suite struct ChangeTests {
  /// Loads source files over the previous database, and returns the report.
  private func report(_ command: Command, _ source: String) throws -> [String: Any] {
    try command.load(source, "--max-shrink", "100%", "--report", "report.json", status: 0)
    let report = try command.json("report.json")
    try FileManager.default.removeItem(atPath: command.path("report.json"))
    return report
  }

  private func warnings(_ report: [String: Any]) throws -> [[String: Any]] {
    try #require(report["warnings"] as? [[String: Any]])
  }

  @Test(
    arguments: [
      (
        "column-unknown", "part_categories", "is_retired",
        "column-unknown part_categories.is_retired",
        #"add to the fields of part_categories: {"name": "is_retired", "type": "boolean", "#
          + #""ingest": {"exact": true}}"#
      ),
      (
        "file-unknown", nil, nil, "file-unknown part_colors.csv",
        #"add to the resources: {"name": "part_colors", "type": "table", "path": "part_colors.csv", "#
          + #""encoding": "utf-8", "schema": {"fields": [{"name": "part_num", "type": "string", "#
          + #""constraints": {"required": true}}, {"name": "color_id", "type": "integer", "#
          + #""constraints": {"required": true}}], "primaryKey": ["part_num"]}}"#
      ),
    ] as [(String, String?, String?, String?, String?)])
  func `schema drift is in the report, with its suppression`(
    code: String, table: String?, column: String?, line: String?, change: String?
  ) throws {
    let command = try Command()
    let warnings = try warnings(report(command, Command.fixtures + "/broken/" + code))
    #expect(warnings.count == 1)
    let warning = try #require(warnings.first)
    #expect(warning["code"] as? String == code)
    #expect(warning["table"] as? String == table)
    #expect(warning["column"] as? String == column)
    #expect(warning["suppression"] as? String == line)
    #expect(warning["change"] as? String == change)
  }

  @Test func `a database lists its source files`() throws {
    let command = try Command()
    _ = try report(command, Command.fixtures + "/broken/mixed-generations")
    let connection = try Connection(command.catalog, opening: .readOnly)
    let sources = try connection.query(
      """
      SELECT file_name, datetime(gzip_time_stamp, 'unixepoch') FROM ingest_sources
      WHERE gzip_members = 1 ORDER BY gzip_time_stamp
      """)
    #expect(
      sources == [
        [.text("themes.csv.gz"), .text("2026-11-20 03:00:00")],
        [.text("sets.csv.gz"), .text("2026-11-21 03:00:00")],
      ])
    let version = try connection.value(of: "SELECT 'ingest ' || tool_version FROM ingest_catalog")
    let printed = try command.run(["--version"]).output
    #expect(printed.hasPrefix((version?.textValue ?? "?") + " "))
  }

  @Test func `a run reports its changes`() throws {
    let command = try Command()
    let first = try report(command, Command.fixtures + "/broken/blank-line")
    #expect(first["changes"] is NSNull || first["changes"] == nil)
    // The kind is part of the key, and one record has another one.
    let second = try report(command, Command.fixtures + "/broken/value-unknown")
    let text = String(
      decoding: try JSONSerialization.data(
        withJSONObject: try #require(second["changes"]), options: [.sortedKeys]), as: UTF8.self)
    #expect(text.contains(#""part_relationships""#))
    #expect(text.contains(#""added":1"#) && text.contains(#""removed":1"#))
    #expect(!text.contains("ingest_") && !text.contains("set_nums"))
  }

  @Test func `a damaged database is replaced, with a warning`() throws {
    let command = try Command()
    let dumps = Command.fixtures + "/dumps"
    try command.putCatalog()
    var bytes = try command.bytesOfCatalog()
    let expected = bytes
    bytes.replaceSubrange(
      16384..<bytes.count, with: Data(repeating: 0xa5, count: bytes.count - 16384))
    try bytes.write(to: URL(fileURLWithPath: command.catalog))
    let result = try command.load(dumps, status: 0)
    #expect(result.errors.contains("  catalog-unreadable: \(command.catalog): "))
    #expect(try command.rows("SELECT code FROM ingest_warnings") == [["catalog-unreadable"]])
    // The next run has no changes to report.
    #expect(try command.load(dumps).status == 0)
    #expect(try command.bytesOfCatalog() == expected)
    #expect(try command.names() == ["catalog.sqlite"])
  }
}
