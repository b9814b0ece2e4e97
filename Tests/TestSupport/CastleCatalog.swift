import Foundation

/// A small catalog: a castle, its knight and a chest with two castles.
package struct CastleCatalog {
  private let workplace: Workplace

  package var path: String { workplace.output }

  private static let dumps = [
    "themes": "id,name,parent_id\n186,Castle,\n199,Lion Knights,186\n",
    "colors": "id,name,rgb,is_trans\n0,Black,05131D,f\n4,Red,C91A09,f\n",
    "part_categories": "id,name\n11,Bricks\n14,Plates\n13,Heads\n",
    "parts": """
    part_num,name,part_cat_id,part_material
    3001,Brick 2 x 4,11,Plastic
    3001pr1,Brick 2 x 4 with Eyes,11,Plastic
    3020,Plate 2 x 4,14,Plastic
    3626,Head,13,Plastic
    2815,Tyre,14,Rubber

    """,
    "part_relationships": "rel_type,child_part_num,parent_part_num\nP,3001pr1,3001\nM,2815,3626\n",
    "elements": "element_id,part_num,color_id\n300121,3001,4\n",
    "sets": """
    set_num,name,year,theme_id,num_parts
    6024-1,Bandit Ambush,1998,186,9
    6000-1,Chest,1999,199,1
    6001-1,Wall,2001,199,4

    """,
    "minifigs": "fig_num,name,num_parts\nfig-000001,Knight,1\n",
    "inventories": """
    id,version,set_num
    6,1,6024-1
    7,2,6024-1
    8,1,6000-1
    9,1,fig-000001
    10,1,6001-1

    """,
    "inventory_parts": """
    inventory_id,part_num,color_id,quantity,is_spare
    6,3001,4,100,f
    7,3001,4,6,f
    7,3001,0,2,f
    7,3020,4,1,f
    7,3020,4,1,t
    8,3001,4,1,f
    9,3626,0,1,f
    10,3001,4,4,f

    """,
    "inventory_sets": "inventory_id,set_num,quantity\n8,6024-1,2\n",
    "inventory_minifigs": "inventory_id,fig_num,quantity\n7,fig-000001,3\n",
  ]

  /// The bytes of the catalog, which is loaded once for all tests.
  private static let contents = Result {
    let workplace = try Workplace()
    for (table, text) in dumps { try workplace.write(table + ".csv", text) }
    let catalog = try LoadedCatalog(of: workplace.path + "/dumps")
    return try Data(contentsOf: URL(fileURLWithPath: catalog.path))
  }

  package init() throws {
    workplace = try Workplace()
    try Self.contents.get().write(to: URL(fileURLWithPath: path))
  }
}
