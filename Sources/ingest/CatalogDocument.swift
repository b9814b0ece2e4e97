import RebrickableCatalog
import DataPackage
import SQLiteSwiftly

extension RebrickableCatalog {
  static let document: SchemaDocument = {
    var document = SchemaDocument(of: schema, title: "LEGO catalog")
    document.meaning = """
      Rebrickable's LEGO sets, minifigs, parts, colors and inventories, loaded and checked by \
      ingest.
      """
    document.source = ("Rebrickable", "https://rebrickable.com/downloads/")
    document.license = (
      "Rebrickable's terms for its downloads", "https://rebrickable.com/downloads/"
    )
    document.displays = displays
    let questions = cookbook.map { ($0.name, $0.title, $0.explanation, $0.sql.text) }
    let search = questions.filter { $0.0 == "search-by-name" }.map { ($0.0, "Search", $0.2, $0.3) }
    document.questions = search + questions.filter { $0.0 != "search-by-name" }
    document.guide = """
      ## Views of parts in sets

      | to find | use | parts of minifigs | parts of sets inside | a theme |
      |---|---|---|---|---:|
      | all parts of any sets | `where_used` | with `is_minifig` = 1 | with `is_sub_set` = 1 | 8 ms |
      | all parts of a set, added up | `set_parts_flat` | included | included | 2,200 ms |
      | the parts of a set or minifig itself | `set_parts` | no | no | 10 ms |
      | sets by part, in each version | `where_ever_used` | with `is_minifig` = 1 | no | 354 ms |
      | the inventories of a set, to join | `set_inventories` | with `is_minifig` = 1 | with `is_sub_set` = 1 | 8 ms |

      All but `where_ever_used` have only the latest versions. Spare pieces have rows with `is_spare` = 1. In `where_used`, \
      sum up `quantity`; in `set_inventories`, multiply it by that of `inventory_parts`. Statistics count `where_used` \
      with `NOT is_spare AND NOT is_sub_set`. All are fast for one set or part; times are those of 774 sets of a theme.
      """
    document.diagram = [
      ["part_categories", "part_relationships", "elements", "part_stats", "part_relation_chains"],
      ["parts", "colors"],
      ["inventory_parts", "part_color_stats", "color_stats"],
      ["inventories", "latest_inventories"],
      [
        "set_nums", "inventory_sets", "inventory_minifigs", "set_inventories",
        "older_set_inventories",
      ],
      ["sets", "minifigs"],
      ["themes", "theme_stats", "set_stats"],
    ]
    return document
  }()

  private static let displays: [String: SchemaDocument.TableDisplay] = [
    "themes": .init(label: "name", rowsOfPage: 500),
    "colors": .init(label: "name", facets: ["is_trans"], rowsOfPage: 500),
    "part_categories": .init(label: "name", rowsOfPage: 100),
    "parts": .init(label: "name", facets: ["part_cat_id", "part_material"]),
    "part_relationships": .init(facets: ["rel_type"]),
    "sets": .init(label: "name", order: .descending("year"), facets: ["theme_id", "year"]),
    "minifigs": .init(label: "name"),
    // The set's number is a better label than the inventory's ID.
    "inventories": .init(label: "set_num"),
    "part_stats": .init(order: .descending("num_sets")),
    "part_color_stats": .init(order: .descending("num_sets")),
    "color_stats": .init(order: .descending("num_parts"), rowsOfPage: 500),
    "set_stats": .init(order: .descending("num_parts")),
    "theme_stats": .init(order: .descending("total_num_sets"), rowsOfPage: 500),
  ]
}
