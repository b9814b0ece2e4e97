import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

/// Typical runs on real dumps: a changed format, a missing table, files from two days.
@Suite(
  .enabled(if: Snapshot.isThere, "real dumps are not beside the package"),
  .enabled(if: LongTests.areOn, "LONG_TESTS is not set"))
struct RealNightTests {
  /// The JSON report of a run.
  private func report(_ path: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  @Test func `a database that lost its largest table is refused unless --max-shrink allows it`()
    throws
  {
    let command = try Command()
    #expect(try command.load(Snapshot.complete, "--quiet").status == 0)
    let old = command.folder + "/old.sqlite"
    try FileManager.default.copyItem(atPath: command.catalog, toPath: old)
    let json = command.folder + "/report.json"
    let options = [
      "--source", Snapshot.withoutInventoryParts, "--out", command.catalog, "--allow-missing",
      "inventory_parts", "--report", json,
    ]
    let refused = try command.run(options)
    #expect(refused.status == 65, "\(refused)")
    #expect(
      refused.errors.contains(
        "ingest: catalog-shrunk: source file of inventory_parts missing (allowed by --allow-missing): "
          + "inventory_parts shrank from 825,153 to 0 rows, 100% fewer"), "\(refused)")
    #expect(try command.bytesOfCatalog() == Data(contentsOf: URL(fileURLWithPath: old)))
    let verdict = try #require(try report(json)["verdict"] as? [String: Any])
    #expect(verdict["refused_database"] as? String == command.catalog + ".refused")

    let published = try command.run(options + ["--max-shrink", "inventory_parts=100%"])
    #expect(published.status == 0, "\(published)")
    try checkChanges(try report(json), old: old, new: command.catalog)
  }

  /// Compares the changes in the report with a lookup of each key in SQLite.
  private func checkChanges(_ report: [String: Any], old: String, new: String) throws {
    let changes = try #require(report["changes"] as? [String: Any])
    let tables = try #require(changes["tables"] as? [[String: Any]])
    let connection = try Connection(new, opening: .readOnly)
    _ = try connection.query("ATTACH \(old) AS old")
    for (table, key, others) in [
      ("sets", "set_num", ["name", "year", "theme_id", "num_parts", "img_url"]),
      ("parts", "part_num", ["name", "part_cat_id", "part_material"]),
    ] {
      let change = try #require(tables.first { $0["name"] as? String == table })
      let keys = try #require(change["keys"] as? [String: Int])
      func gone(_ from: SQL, _ other: SQL) throws -> Int? {
        try connection.query(
          """
          SELECT count(*) FROM \(sql: from).\(identifier: table) WHERE \(identifier: key) NOT IN
            (SELECT \(identifier: key) FROM \(sql: other).\(identifier: table))
          """, as: Int.self
        ).first
      }
      #expect(keys["added"] == (try gone("main", "old")))
      #expect(keys["removed"] == (try gone("old", "main")))
      var changed = 0
      let names = ([key] + others).map { quoted(identifier: $0) }.joined(separator: ", ")
      for row in try connection.query(
        SQL(
          generated: """
            SELECT count(*) FROM (SELECT \(names) FROM main.\(table)
              WHERE \(key) IN (SELECT \(key) FROM old.\(table))
              EXCEPT SELECT \(names) FROM old.\(table))
            """), as: Int.self)
      {
        changed = row
      }
      #expect(keys["changed"] == changed && changed > 0, "\(table)")
    }
  }

  @Test func `an old format is schema drift, which can be refused`() throws {
    let command = try Command()
    let json = command.folder + "/report.json"
    let strict = try command.load(
      Snapshot.complete, "--strict-schema", "--report", json)
    #expect(strict.status == 65, "\(strict)")
    #expect(strict.errors.contains("ingest: schema-drift: "), "\(strict)")
    let warnings = try #require(try report(json)["warnings"] as? [[String: Any]])
    #expect(warnings.count == 4 && warnings.allSatisfy { $0["is_schema_drift"] as? Bool == true })
    // The columns are nullable, so the description needs no change.
    #expect(warnings[0]["suppression"] as? String == "column-absent colors.num_parts")
    #expect(warnings[0]["change"] is NSNull)
    #expect(try command.names() == ["report.json"])
  }

  @Test func `source files from different days produce a warning, and a dry run writes nothing`()
    throws
  {
    let command = try Command()
    let dumps = try DumpCopy(of: Snapshot.withoutInventoryParts, for: command)
    let themes = "/themes.csv.gz"
    try FileManager.default.removeItem(atPath: dumps.path + themes)
    try FileManager.default.copyItem(
      atPath: Snapshot.complete + themes, toPath: dumps.path + themes)
    let options = ["--source", dumps.path, "--dry-run", "--allow-missing", "inventory_parts"]
    let refused = try command.run(options)
    #expect(refused.status == 65, "\(refused)")
    let warning =
      "mixed-generations: themes.csv.gz: compressed at 2020-06-09T09:08:00Z, but "
      + "part_relationships.csv.gz at 2025-04-01T07:08:27Z"
    #expect(refused.errors.contains(warning), "\(refused)")
    // Some sets have themes that did not exist then.
    #expect(refused.errors.contains("sets.csv.gz: missing-parent: "), "\(refused)")
    let tolerated = try command.run(options + ["--max-rejects", "100%"])
    #expect(tolerated.status == 3, "\(tolerated)")
    #expect(tolerated.errors.contains("\n  mixed-generations: themes.csv.gz: "), "\(tolerated)")
    #expect(try command.names() == ["dumps"])
  }
}
