import SQLiteSwiftly
import TestSupport
import Testing

/// `ingest check` on derived tables.
@Suite struct CheckCommandTests {
  /// A change to the fixtures' database, and the expected faults with their subjects.
  static let cases: [(SQL, [String])] = [
    (
      "INSERT INTO set_nums (set_num) VALUES ('zzz')",
      ["derived tables: set_nums ('zzz'): found, but not expected from sets or minifigs"]
    ),
    (
      "UPDATE latest_inventories SET version = 9 WHERE set_num = '001-1'",
      [
        "derived tables: latest_inventories ('001-1'), column version: expected 2, found 9",
        "derived tables: older_set_inventories ('001-1', 2, 129): missing, but expected from "
          + "the query that fills it",
      ]
    ),
    (
      "INSERT INTO set_inventories VALUES ('001-1', 99999, 1, 0, 1)",
      [
        "derived tables: set_inventories ('001-1', 99999, 1): found, but not expected from "
          + "the query that fills it"
      ]
    ),
    (
      "INSERT INTO part_relation_chains VALUES ('P', '003383', '003409', 1, 'x')",
      [
        "derived tables: part_relation_chains ('P', '003383', '003409'): found, but not "
          + "expected from the query that fills it"
      ]
    ),
    (
      "UPDATE part_color_stats SET num_sets = 99 WHERE part_num = '003383' AND color_id = 162",
      ["derived tables: part_color_stats ('003383', 162), column num_sets: expected 3, found 99"]
    ),
    (
      "UPDATE part_color_stats SET num_spares = NULL WHERE part_num = '003383' AND color_id = 162",
      [
        "derived tables: part_color_stats ('003383', 162), column num_spares: expected 0, "
          + "found NULL"
      ]
    ),
    (
      "INSERT INTO part_stats VALUES ('zzz', 1, 1, 2000, 2000, 1, 0, 1, 1, 2000, 2000, 1, 0)",
      ["derived tables: part_stats ('zzz'): found, but not expected from inventory_parts"]
    ),
    (
      "UPDATE part_stats SET num_colors = 0, min_year = 1900 WHERE part_num = '3004'",
      [
        "derived tables: part_stats ('3004'), column num_colors: expected 2, found 0",
        "derived tables: part_stats ('3004'), column min_year: expected 2001, "
          + "found 1900",
      ]
    ),
    (
      "DELETE FROM color_stats WHERE color_id = -1",
      ["derived tables: color_stats (-1): missing, but expected from inventory_parts"]
    ),
    (
      "UPDATE set_stats SET num_lots = 77 WHERE set_num = '001-1'",
      ["derived tables: set_stats ('001-1'), column num_lots: expected 1, found 77"]
    ),
    (
      "UPDATE theme_stats SET total_num_sets = 99 WHERE theme_id = 4",
      ["derived tables: theme_stats (4), column total_num_sets: expected 30, found 99"]
    ),
    (
      "DELETE FROM search_entries WHERE id = 3",
      [
        "search: search_entries ('part', '003417', 'Sticker Sheet for Set 51621-1', NULL, "
          + "'003417', NULL): missing, but expected from the query that fills it",
        "search: search_index: does not match the words in the rows of search_entries",
      ]
    ),
    (
      "DELETE FROM search_index WHERE rowid = 3",
      ["search: search_index: does not match the words in the rows of search_entries"]
    ),
  ]

  @Test func `wrong rows are found and reported`() throws {
    let command = try Command()
    try command.putCatalog()
    try changeDatabase(command.catalog, ["PRAGMA foreign_keys = OFF"] + Self.cases.map(\.0))
    let outcome = try command.run(["check", "-q", "catalog.sqlite"], status: 65)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    let expected = Self.cases.flatMap(\.1).map { "catalog.sqlite: \($0)" }
    #expect(Set(lines) == Set(expected), "\(outcome)")
    #expect(try command.names() == ["catalog.sqlite"])
  }

  @Test func `faults that repeat are counted after three examples`() throws {
    let command = try Command()
    try command.putCatalog()
    try changeDatabase(
      command.catalog,
      [
        "UPDATE set_stats SET num_lots = num_lots + 1000 WHERE set_num IN (SELECT set_num FROM set_stats LIMIT 9)",
        "UPDATE color_stats SET num_parts = -7 WHERE color_id < 100",
      ])
    let outcome = try command.run(["check", "-q", "catalog.sqlite"], status: 65)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 8, "\(outcome.output)")
    let ofSets = lines.filter { $0.contains("set_stats (") }
    #expect(
      ofSets.count == 3 && lines.contains { $0.contains("color_stats (-1), column num_parts") })
    #expect(lines.contains("catalog.sqlite: derived tables: and 6 more of this kind"))
    #expect(lines.contains("catalog.sqlite: derived tables: and 2 more of this kind"))
    let all = try command.run(["check", "catalog.sqlite"])
    #expect(all.output.contains("\nderived tables: 14 faults\n"), "\(all.output)")
  }

  @Test func `a database of an older version passes the check and is replaced`()
    throws
  {
    let command = try Command()
    try command.putCatalog()
    let newest = try command.bytesOfCatalog()
    try changeDatabase(
      command.catalog, OlderVersion.structure + OlderVersion.records)
    let check = try command.run(["check", "catalog.sqlite"])
    #expect(
      check.status == 0 && check.output.hasSuffix("catalog.sqlite: no faults found\n"), "\(check)")
    for absent in ["table ingest_repairs", "column left_out of ingest_sources"] {
      #expect(
        check.output.contains(
          "\nnot checked, because an older ingest made the database without it: \(absent)\n"),
        "\(check)")
    }
    let quiet = try command.run(["check", "-q", "catalog.sqlite"])
    #expect(quiet.status == 0 && quiet.output == "" && quiet.errors == "", "\(quiet)")
    let dry = try command.load(FixtureCatalog.today.dumps, "--dry-run", "--if-changed")
    #expect(dry.status == 0 && dry.output.contains("would be published, clean"), "\(dry)")
    let night = try command.load(FixtureCatalog.today.dumps, "--if-changed", "--verbose")
    #expect(night.status == 0 && night.output.contains("published, clean"), "\(night)")
    #expect(
      night.errors.contains(
        "ingest: loading the database: another version of ingest made the database\n"),
      "\(night)")
    #expect(try command.bytesOfCatalog() == newest)
  }

  @Test func `rejected records of an older version can be loaded again`() throws {
    let command = try Command()
    let dumps = Command.fixtures + "/broken/duplicate-key"
    #expect(try command.load(dumps, "--max-rejects=1").status == 3)
    try changeDatabase(
      command.catalog, OlderVersion.structure + OlderVersion.records)
    try command.load(dumps, "--max-rejects=1", status: 3)
    let check = try command.run(["check", "catalog.sqlite"])
    #expect(check.status == 0 && !check.output.contains("not checked"), "\(check)")
  }
}
