import Foundation
import CatalogQuestions
import RebrickableCatalog
import SQLiteSwiftly
import TestSupport
import Testing

/// How SQLite goes about the questions on a catalog of full size.
struct QuestionPlanTests {
  /// What ANALYZE found in a full-size catalog, for the planner to believe that this is one.
  private static let statistics = """
    color_stats||270
    colors|colors_name|270 1
    elements|elements_color_id|124754 385
    elements|elements_part_num_color_id|124754 3 1
    elements|sqlite_autoindex_elements_1|124754 1
    inventories|inventories_set_num_version|44000 1 1
    inventory_minifigs|inventory_minifigs|24000 3 1
    inventory_minifigs|inventory_minifigs_fig_num|24000 2
    inventory_parts|inventory_parts|1573785 35 2 1 1
    inventory_parts|inventory_parts_part_num_color_id_inventory_id_is_spare_quantity|1573785 56 28 1 1 1
    inventory_parts|inventory_parts_color_id_inventory_id_is_spare_quantity|1573785 25001 3 3 2
    inventory_sets|inventory_sets|5000 2 1
    inventory_sets|inventory_sets_set_num|5000 1
    latest_inventories|latest_inventories|41000 1
    latest_inventories|latest_inventories_id|41000 1
    minifigs|sqlite_autoindex_minifigs_1|16000 1
    part_categories||67
    part_color_stats|part_color_stats|131236 2 1
    part_relationships|part_relationships|34000 5667 1 1
    part_relationships|part_relationships_child_part_num|34000 2
    part_relationships|part_relationships_parent_part_num|34000 4
    part_stats|part_stats|65163 1
    parts|parts_part_cat_id|76442 2273
    parts|sqlite_autoindex_parts_1|76442 1
    set_inventories|set_inventories|57767 3 1 1
    set_inventories|set_inventories_inventory_id_is_sub_set_quantity|57767 2 2 2
    set_nums|set_nums|41000 1
    set_stats|set_stats|25000 1
    sets|sets_theme_id|25000 53
    sets|sqlite_autoindex_sets_1|25000 1
    theme_stats||480
    themes|themes_parent_id|480 3
    """

  @Test func `only those of the whole table read all of inventory_parts`() throws {
    let loaded = try LoadedCatalog(of: LoadedCatalog.package + "/fixtures/dumps")
    try FileManager.default.copyItem(atPath: loaded.path, toPath: loaded.copy)
    let writer = try Connection(loaded.copy, opening: .openExisting)
    try writer.execute("DELETE FROM sqlite_stat1")
    for line in Self.statistics.split(separator: "\n") {
      let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      try #require(fields.count == 3)
      let index: SQLiteValue = fields[1].isEmpty ? .null : .text(fields[1])
      try writer.execute("INSERT INTO sqlite_stat1 VALUES (\(fields[0]), \(index), \(fields[2]))")
    }
    let known = try writer.query("SELECT name FROM sqlite_schema", as: String.self)
    let analysed = try writer.query(
      "SELECT DISTINCT ifnull(idx, tbl) FROM sqlite_stat1 WHERE tbl <> idx", as: String.self)
    #expect(Set(analysed).subtracting(known) == [], "every index is still there")
    try writer.close()

    let connection = try Connection(loaded.copy, opening: .readOnly)
    var scanning: [String] = []
    for question in RebrickableCatalog.questions {
      let plan: SQL = "EXPLAIN QUERY PLAN \(sql: question.sql)"
      let values = try question.hardestValues(in: connection)
      let steps = try connection.query(plan, values).map { $0[3].textValue ?? "" }
      #expect(!steps.isEmpty)
      // In a view the table is called "part".
      let isScanning = steps.contains { step in
        ["inventory_parts", "part"].contains { "\(step) ".hasPrefix("SCAN \($0) ") }
      }
      if isScanning { scanning.append(question.name) }
    }
    #expect(scanning.sorted() == ["most-of-one-color", "statistics-by-hand"])

    // Reading a whole table in the order of an index looks up each of its rows.
    for (question, _) in RebrickableCatalog.surveys {
      let steps = try connection.query("EXPLAIN QUERY PLAN \(sql: question.sql)")
        .map { $0[3].textValue ?? "" }
      #expect(!steps.isEmpty)
      #expect(!steps.contains { $0.hasPrefix("SCAN inventory_parts USING INDEX") }, "\(steps)")
      _ = try connection.query(question.sql)
    }
  }
}
