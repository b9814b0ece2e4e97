import Testing

@testable import DumpGenerator

struct DumpSetTests {
  /// The sizes that are tested: the fixtures', that of the broken fixtures, and one row only.
  static let sets = Era.allCases.flatMap { era in
    [
      DumpSet(rows: 1500, era: era),
      DumpSet(rows: 4000, seed: 99, era: era),
      DumpSet(rows: 1, seed: 7, era: era),
      DumpSet(sizes: .tiny, seed: 1, era: era),
    ]
  }

  @Test func `equal seeds give equal bytes, others do not`() throws {
    let first = try DumpSet(rows: 300, seed: 5).contents()
    #expect(try DumpSet(rows: 300, seed: 5).contents() == first)
    let other = try DumpSet(rows: 300, seed: 6).contents()
    // The categories are a fixed list.
    for (table, pair) in zip(Table.allCases, zip(first, other)) where table != .partCategories {
      #expect(pair.0 != pair.1, "\(table)")
    }
  }

  @Test func `quotes around every field change nothing else`() throws {
    for era in Era.allCases {
      let usual = try Dump(DumpSet(rows: 300, era: era))
      let quoted = DumpSet(rows: 300, era: era, quotesEveryField: true)
      let dump = try Dump(quoted)
      for (table, bytes) in zip(Table.allCases, try quoted.contents()) {
        #expect(dump.rows(of: table) == usual.rows(of: table))
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(separator: era == .today ? "\r\n" : "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("\"") && $0.hasSuffix("\"") })
      }
    }
  }

  @Test(arguments: sets)
  func `files have the columns of their era`(set: DumpSet) throws {
    let dump = try Dump(set)
    for table in Table.allCases {
      let header = dump.header(of: table)
      #expect(header == table.columns(in: set.era))
      #expect(dump.rows(of: table).allSatisfy { $0.count == header.count })
      #expect(!dump.rows(of: table).isEmpty)
    }
  }

  @Test func `columns are those of the real dumps`() {
    let columns = Table.allCases.map {
      "\($0.rawValue): " + $0.columns(in: .today).joined(separator: ",")
    }
    #expect(
      columns == [
        "themes: id,name,parent_id",
        "colors: id,name,rgb,is_trans,num_parts,num_sets,y1,y2",
        "part_categories: id,name",
        "parts: part_num,name,part_cat_id,part_material",
        "part_relationships: rel_type,child_part_num,parent_part_num",
        "elements: element_id,part_num,color_id,design_id",
        "sets: set_num,name,year,theme_id,num_parts,img_url",
        "minifigs: fig_num,name,num_parts,img_url",
        "inventories: id,version,set_num",
        "inventory_parts: inventory_id,part_num,color_id,quantity,is_spare,img_url",
        "inventory_sets: inventory_id,set_num,quantity",
        "inventory_minifigs: inventory_id,fig_num,quantity",
      ])
    let columnsOf2020 = Table.allCases.map { $0.columns(in: .june2020) }
    #expect(columnsOf2020[1] == ["id", "name", "rgb", "is_trans"])
    #expect(columnsOf2020[3] == ["part_num", "name", "part_cat_id", "part_material_id"])
    #expect(columnsOf2020[5] == ["element_id", "part_num", "color_id"])
  }

  @Test(arguments: sets)
  func `keys are unique`(set: DumpSet) throws {
    let dump = try Dump(set)
    let keys: [(Table, [String])] = [
      (.themes, ["id"]), (.colors, ["id"]), (.colors, ["name"]), (.partCategories, ["id"]),
      (.parts, ["part_num"]),
      (.partRelationships, ["rel_type", "child_part_num", "parent_part_num"]),
      (.elements, ["element_id"]), (.sets, ["set_num"]), (.minifigs, ["fig_num"]),
      (.inventories, ["id"]), (.inventories, ["set_num", "version"]),
      (.inventoryParts, ["inventory_id", "part_num", "color_id", "is_spare"]),
      (.inventorySets, ["inventory_id", "set_num"]),
      (.inventoryMinifigs, ["inventory_id", "fig_num"]),
    ]
    for (table, columns) in keys {
      let values = try dump.values(table, columns)
      #expect(Set(values).count == values.count, "\(table) \(columns)")
    }
  }

  @Test(arguments: sets)
  func `children have their parents`(set: DumpSet) throws {
    let dump = try Dump(set)
    let references: [(Table, String, Table, String)] = [
      (.themes, "parent_id", .themes, "id"), (.parts, "part_cat_id", .partCategories, "id"),
      (.partRelationships, "child_part_num", .parts, "part_num"),
      (.partRelationships, "parent_part_num", .parts, "part_num"),
      (.elements, "part_num", .parts, "part_num"), (.elements, "color_id", .colors, "id"),
      (.sets, "theme_id", .themes, "id"),
      (.inventoryParts, "inventory_id", .inventories, "id"),
      (.inventoryParts, "part_num", .parts, "part_num"),
      (.inventoryParts, "color_id", .colors, "id"),
      (.inventorySets, "inventory_id", .inventories, "id"),
      (.inventorySets, "set_num", .sets, "set_num"),
      (.inventoryMinifigs, "inventory_id", .inventories, "id"),
      (.inventoryMinifigs, "fig_num", .minifigs, "fig_num"),
    ]
    for (child, column, parent, key) in references {
      let parents = Set(try dump.values(parent, key) + [[]])
      let orphans = try dump.values(child, column).filter { !parents.contains($0) }
      #expect(orphans.isEmpty, "\(child).\(column)")
    }
    let owners = Set(try dump.values(.sets, "set_num") + dump.values(.minifigs, "fig_num"))
    #expect(try owners.isSuperset(of: dump.values(.inventories, "set_num")))
  }

  @Test(arguments: sets)
  func `only columns that may be null have empty values`(set: DumpSet) throws {
    let dump = try Dump(set)
    let nullable: Set = [
      "parent_id", "y1", "y2", "part_material", "part_material_id", "design_id", "img_url",
    ]
    for table in Table.allCases {
      for column in dump.header(of: table) where !nullable.contains(column) {
        #expect(try !dump.values(table, column).contains([]), "\(table).\(column)")
      }
    }
    guard set.era == .today else { return }
    #expect(try dump.values(.colors, ["y1", "y2"]).allSatisfy { $0[0].isEmpty == $0[1].isEmpty })
  }

  @Test func `the number of rows is as requested`() throws {
    for rows in [1, 2, 1500, 4321] {
      #expect(try Dump(DumpSet(rows: rows)).rows(of: .inventoryParts).count == rows)
    }
    let sizes = TableSizes(inventoryParts: 1_500_000)
    #expect(sizes.parts == 60_000 && sizes.inventories == 44_000 && sizes.elements == 105_000)
  }
}
