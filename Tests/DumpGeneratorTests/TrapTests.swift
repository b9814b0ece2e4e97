import Testing

@testable import DumpGenerator

/// The traps of the real data are in every set, the smallest included.
struct TrapTests {
  static let sets = [DumpSet(rows: 1500), DumpSet(sizes: .tiny, seed: 1, era: .today)]

  @Test(arguments: sets)
  func `ids look like numbers but are text`(set: DumpSet) throws {
    let dump = try Dump(set)
    let parts = try dump.values(.parts, "part_num")
    for number in ["3383", "003383", "973e104", "1e5", "100000"] {
      #expect(parts.contains(bytes(number)))
    }
    let sets = try dump.values(.sets, "set_num")
    for number in ["4180878", "1224.1-1", "75192012345678901234-1"] {
      #expect(sets.contains(bytes(number)))
    }
    let elements = try dump.values(.elements, "element_id")
    #expect(elements.contains { Int(String(decoding: $0, as: UTF8.self)) ?? 0 > UInt32.max })
    let colors = try dump.values(.colors, ["id", "rgb"])
    #expect(colors.contains([bytes("373"), bytes("845E84")]))
    #expect(colors.first?[0] == bytes("-1") && colors.last?[0] == bytes("9999"))
  }

  @Test(arguments: sets)
  func `names are kept byte for byte or changed`(set: DumpSet) throws {
    let dump = try Dump(set)
    let names = try dump.values(.parts, "name").map { String(decoding: $0, as: UTF8.self) }
    let pieces = [",", "\"", "\u{E9}", "e\u{301}", "\u{FEFF}", "\u{A0}", "\u{1F9F1}"]
    for piece in pieces {
      #expect(names.contains { $0.unicodeScalars.contains(piece.unicodeScalars) }, "\(piece)")
    }
    #expect(names.contains { $0.hasPrefix(" ") })
    #expect(names.contains { $0.hasSuffix(" ") })
    let colors = try dump.values(.colors, "name")
    #expect(Set(colors.map { String(decoding: $0, as: UTF8.self) }).count == colors.count - 1)
  }

  @Test(arguments: sets)
  func `rows have relatives`(set: DumpSet) throws {
    let dump = try Dump(set)
    let themes = try dump.values(.themes, ["id", "parent_id"])
    let ids = themes.map { $0[0] }
    #expect(themes.indices.contains { ids[$0...].dropFirst().contains(themes[$0][1]) })
    let owners = try dump.values(.inventories, "set_num")
    #expect(Set(owners).count < owners.count)
    #expect(owners.contains { $0.starts(with: bytes("fig-")) })
    let lots = try dump.values(.inventoryParts, ["inventory_id", "part_num", "color_id"])
    #expect(Set(lots).count < lots.count, "a lot and its spare differ in is_spare alone")
    for (table, column) in [
      (Table.parts, "part_material"), (.elements, "design_id"), (.sets, "img_url"),
      (.minifigs, "img_url"), (.colors, "y1"), (.themes, "parent_id"),
    ] {
      #expect(try dump.values(table, column).contains([]), "\(table).\(column)")
    }
  }

  @Test(arguments: Era.allCases)
  func `booleans are spelled as in their era`(era: Era) throws {
    let spellings = era == .today ? ["True", "False"] : ["t", "f"]
    let dump = try Dump(DumpSet(rows: 1500, era: era))
    for (table, column) in [(Table.colors, "is_trans"), (.inventoryParts, "is_spare")] {
      #expect(Set(try dump.values(table, column)) == Set(spellings.map(bytes)))
    }
  }

  @Test func `materials were numbers in 2020`() throws {
    let materials = try Dump(DumpSet(rows: 1500, era: .june2020)).values(.parts, "part_material_id")
    let allowed = Set((1...5).map { bytes(String($0)) } + [[]])
    #expect(allowed.isSuperset(of: materials))
  }

  @Test func `parts of an inventory come in the order of the parts`() throws {
    let dump = try Dump(DumpSet(rows: 1500))
    let parts = try dump.values(.parts, "part_num")
    let places = Dictionary(uniqueKeysWithValues: zip(parts, parts.indices))
    let rows = try dump.values(.inventoryParts, ["inventory_id", "part_num"]).map { row in
      (Int(String(decoding: row[0], as: UTF8.self)) ?? -1, places[row[1]] ?? -1)
    }
    #expect(zip(rows, rows.dropFirst()).allSatisfy { $0 <= $1 })
    // Without regard to case, where bytewise order would have the capital first.
    #expect(places[bytes("X99a")] ?? 0 < places[bytes("x99b")] ?? 0)
    #expect(LocaleOrder("x99a") < LocaleOrder("X99b") && LocaleOrder("X99a") < LocaleOrder("x99b"))
  }
}
