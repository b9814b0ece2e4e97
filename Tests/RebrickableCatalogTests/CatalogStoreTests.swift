import SQLiteSwiftlyData
import Foundation
import RebrickableCatalog
import SQLiteSwiftly
import TestSupport
import Testing

/// The store's answers, beside those that Python computes from the dumps.
struct CatalogStoreTests {
  @Test(.needs(.python), arguments: ["dumps", "dumps-2020"])
  func `parts, uses and statistics match the source files`(folder: String) throws {
    let loaded = try LoadedCatalog(of: LoadedCatalog.package + "/fixtures/" + folder)
    let catalog = try CatalogStore(loaded.path)
    let outcome = try ChildProcess(Tool.pythonPath, ["-c", Self.script, loaded.dumps]).run()
    try #require(outcome.status == 0, "\(outcome)")
    let expected = Set(
      outcome.output.utf8.split(separator: 0x0a).map { String(decoding: $0, as: UTF8.self) })
    let found = Set(try answers(of: catalog))
    #expect(found.count > 1000)
    #expect(found.subtracting(expected).sorted().prefix(5) == [])
    #expect(expected.subtracting(found).sorted().prefix(5) == [])
  }

  /// All answers as lines: what was asked, and what is said.
  private func answers(of catalog: CatalogStore) throws -> [String] {
    var lines: [String] = []
    for set in try catalog.sets.findAll().map(\.setNumber) {
      for (minifigs, subSets) in [(false, false), (true, false), (false, true), (true, true)] {
        let parts = try catalog.parts(
          ofSet: set, includingSpares: true, includingMinifigs: minifigs,
          includingSubSets: subSets)
        lines += parts.map { part in
          let options = "\(minifigs ? 1 : 0)\(subSets ? 1 : 0)\(part.isSpare ? 1 : 0)"
          return "parts|\(set)|\(options)|\(part.partNumber)|\(part.colorID)|\(part.quantity)"
        }
      }
      lines += try catalog.minifigs(ofSet: set).map {
        "minifig|\(set)|\($0.item.figNumber)|\($0.quantity)"
      }
      lines += try catalog.subSets(ofSet: set).map {
        "subset|\(set)|\($0.item.setNumber)|\($0.quantity)"
      }
      if let all = try catalog.statistics(ofSet: set) {
        lines.append("set|\(set)|\(all.lotCount)|\(text(all.partCount))|\(text(all.spareCount))")
      }
    }
    for part in try catalog.parts.findAll().map(\.partNumber) {
      lines += try catalog.setsUsing(part: part).map {
        "use|\(part)|\($0.setNumber)|\($0.quantity)|\($0.spareQuantity)"
      }
      guard let all = try catalog.statistics(ofPart: part) else { continue }
      lines.append("part|\(part)|\(all.colorCount)|\(text(all.usage))")
      lines.append("ever part|\(part)|\(all.everColorCount)|\(text(all.everUsage))")
    }
    for color in try catalog.colors.findAll().map(\.id) {
      guard let all = try catalog.statistics(ofColor: color) else { continue }
      lines.append("color|\(color)|\(all.uniquePartCount)|\(text(all.usage))")
      lines.append("ever color|\(color)|\(all.everUniquePartCount)|\(text(all.everUsage))")
    }
    return lines
  }

  private func text(_ usage: RebrickableCatalog.Usage) -> String {
    [usage.setCount, usage.firstYear, usage.lastYear, usage.partCount, usage.spareCount]
      .map(text).joined(separator: "|")
  }

  private func text(_ number: Int?) -> String { number.map(String.init) ?? "None" }

  private static let script = """
    import collections, csv, gzip, sys

    def rows(table):
        with gzip.open(f"{sys.argv[1]}/{table}.csv.gz", "rt", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file, strict=True))

    def grouped(table, column):
        groups = collections.defaultdict(list)
        for row in rows(table):
            groups[row[column]].append(row)
        return groups

    versions = grouped("inventories", "set_num")
    latest = {key: max(of, key=lambda row: int(row["version"])) for key, of in versions.items()}
    parts = grouped("inventory_parts", "inventory_id")
    figures = grouped("inventory_minifigs", "inventory_id")
    inner = grouped("inventory_sets", "inventory_id")
    sets = {row["set_num"]: int(row["year"]) for row in rows("sets")}

    def inventories(number, minifigs, sub_sets, times=1, path=(), own=None):
        if number not in latest or number in path:
            return
        own = own or latest[number]["id"]
        yield own, times
        if minifigs:
            for row in figures[own]:
                if row["fig_num"] in latest:
                    yield latest[row["fig_num"]]["id"], times * int(row["quantity"])
        if sub_sets:
            for row in inner[own]:
                count = times * int(row["quantity"])
                yield from inventories(row["set_num"], minifigs, True, count, path + (number,))

    def contents(number, minifigs, sub_sets, own=None):
        found = collections.Counter()
        for inventory, times in inventories(number, minifigs, sub_sets, own=own):
            for row in parts[inventory]:
                spare = row["is_spare"] in ("t", "True")
                found[row["part_num"], row["color_id"], spare] += times * int(row["quantity"])
        return found

    uses = collections.defaultdict(
        lambda: collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0])))
    others = collections.defaultdict(set)

    def add(prefix, number, found):
        for (part, color, spare), count in found.items():
            for kind, key, other in (("part", part, color), ("color", color, part)):
                uses[prefix + kind][key][number][spare] += count
                others[prefix + kind, key].update([] if spare else [other])

    for number in sets:
        for minifigs in (0, 1):
            for sub_sets in (0, 1):
                for (part, color, spare), count in contents(number, minifigs, sub_sets).items():
                    options = f"{minifigs}{sub_sets}{int(spare)}"
                    print("parts", number, options, part, color, count, sep="|")
        if number in latest:
            for row in figures[latest[number]["id"]]:
                print("minifig", number, row["fig_num"], int(row["quantity"]), sep="|")
            for row in inner[latest[number]["id"]]:
                print("subset", number, row["set_num"], int(row["quantity"]), sep="|")
        own = contents(number, True, False)
        add("", number, own)
        most = collections.Counter()
        for version in versions[number]:
            most |= contents(number, True, False, version["id"])
        add("ever ", number, most)
        if number in latest:
            lots = sum(not spare for _, _, spare in own)
            pieces = sum(count for (_, _, spare), count in own.items() if not spare)
            print("set", number, lots, pieces, sum(own.values()) - pieces, sep="|")
    for kind in ("part", "color"):
        for key, of in uses["ever " + kind].items():
            uses[kind][key]
    for kind, all_uses in uses.items():
        for key, of in all_uses.items():
            years = [sets[number] for number in of if of[number][0]]
            print(
                kind, key, len(others[kind, key]), len(years), min(years, default=None),
                max(years, default=None), sum(use[0] for use in of.values()),
                sum(use[1] for use in of.values()), sep="|")
    for part, of in uses["part"].items():
        for number, (count, spares) in of.items():
            print("use", part, number, count, spares, sep="|")
    """

  @Test func `an unknown number returns no rows`() throws {
    let castle = try CastleCatalog()
    let catalog = try CatalogStore(castle.path)
    for key in ["", "6024", "6024-1 ", "fig-000001", "'; --", "\u{0}", "é"] {
      #expect(try catalog.parts(ofSet: key, includingSubSets: true) == [])
      #expect(try catalog.minifigs(ofSet: key) == [])
      #expect(try catalog.subSets(ofSet: key) == [])
      #expect(try catalog.similarSets(to: key) == [])
      #expect(try catalog.statistics(ofSet: key) == nil)
      #expect(try catalog.setsUsing(part: key) == [])
      #expect(try catalog.setsUsing(part: key, color: 4) == [])
      #expect(try catalog.statistics(ofPart: key) == nil)
      #expect(try catalog.statistics(ofPart: key, color: 4) == nil)
      #expect(try catalog.sets.find(key) == nil)
    }
    #expect(try catalog.parts(ofMinifig: "6024-1") == [])
    for id in [-2, 7, .min, .max] {
      #expect(try catalog.setsUsing(part: "3001", color: id) == [])
      #expect(try catalog.statistics(ofPart: "3001", color: id) == nil)
      #expect(try catalog.statistics(ofColor: id) == nil)
      #expect(try catalog.statistics(ofTheme: id) == nil)
      #expect(try catalog.themePath(of: id) == [])
    }
    #expect(try catalog.similarSets(to: "6024-1", limit: 0) == [])
    #expect(try catalog.similarSets(to: "6024-1", limit: .min) == [])
  }

  @Test func `a set of sets has their parts, multiplied`() throws {
    let castle = try CastleCatalog()
    let catalog = try CatalogStore(castle.path)
    #expect(try catalog.parts(ofSet: "6000-1").map(\.quantity) == [1])
    let whole = try catalog.parts(ofSet: "6000-1", includingSpares: true, includingSubSets: true)
    #expect(whole.map(\.quantity) == [4, 13, 2, 2, 6])
    #expect(whole.map(\.isSpare) == [false, false, false, true, false])
    let uses = try catalog.setsUsing(part: "3020", includingSubSets: true)
    #expect(uses.map(\.setNumber) == ["6024-1", "6000-1"])
    #expect(uses.map(\.quantity) == [1, 2])
    #expect(uses.map(\.spareQuantity) == [1, 2])
  }

  @Test func `a quantity beyond 64 bits is an error`() throws {
    let castle = try CastleCatalog()
    let writer = try Connection(castle.path, opening: .openExisting)
    try writer.execute("UPDATE set_inventories SET quantity = NULL WHERE is_minifig")
    try writer.execute("UPDATE inventory_parts SET quantity = \(Int64.max) WHERE inventory_id = 8")
    try writer.execute("UPDATE set_inventories SET quantity = 2 WHERE inventory_id = 8")
    let catalog = try CatalogStore(castle.path)
    for set in ["6024-1", "6000-1"] {
      let error = #expect(throws: CatalogError.self) { try catalog.parts(ofSet: set) }
      guard case .reading = error else {
        Issue.record("\(set): \(String(describing: error))")
        continue
      }
    }
    #expect(throws: CatalogError.self) { try catalog.setsUsing(part: "3626") }
    #expect(try catalog.parts(ofSet: "6024-1", includingMinifigs: false).count == 3)
  }

  @Test(arguments: [
    ("", 0), (" - ", 0), ("\0", 0), ("bandit", 1), ("BÄNDIT amb", 1), ("\"bandit\" (", 1),
    ("bandit\"", 1),
    ("bandit\0ambush", 1), ("ambush bandit", 1), ("band bush", 0), ("6024-1", 1), ("3001", 2),
    ("name: NEAR(", 0), ("bandit OR knight", 5), ("bandit -ambush", 1), ("*", 0), ("castle", 5),
    ("AND", 0), ("'", 0), ("\u{1F3F0}", 0), ("castle \u{1F3F0}", 5), ("\\u0000", 0), (":text", 0),
    (String(repeating: "castle ", count: 400), 5), (String(repeating: "\"", count: 401), 0),
  ])
  func `no character of a search has a special meaning`(
    text: String, count: Int
  ) throws {
    let castle = try CastleCatalog()
    let catalog = try CatalogStore(castle.path)
    let found = try catalog.search(text)
    #expect(found.count == count, "\(found)")
    #expect(try catalog.search(text, limit: 0) == [])
  }

  @Test(arguments: [
    ("bricks 2x4", "part 3001"), ("2 x 4 brick", "part 3001"), ("2\u{D7}4 BRICK", "part 3001"),
    ("4x2 brick", "part 3001"), ("Lego castles", "theme 186"), ("set 6024", "set 6024-1"),
    ("6024", "set 6024-1"), ("#3001", "part 3001"), ("3001PR1", "part 3001pr1"),
    ("banditt", "set 6024-1"), ("ambsh", "set 6024-1"), ("kinght", "minifig fig-000001"),
    ("bandi", "set 6024-1"), ("ban dit", "set 6024-1"), ("banditambush", "set 6024-1"),
    ("lion knight", "theme 199"), ("knights", "minifig fig-000001"), (" LEGO castle ", "theme 186"),
    ("part: 3001", "part 3001"), ("Set: 6024", "set 6024-1"), ("3001,", "part 3001"),
    ("bandit . . . ambush", "set 6024-1"), ("bandit amb ...", "set 6024-1"),
    ("theme 199", "theme 199"), ("castle bandit", "set 6024-1"),
    ("knight minifig", "minifig fig-000001"),
  ])
  func `the first result is what people mean`(text: String, first: String) throws {
    let castle = try CastleCatalog()
    let found = try CatalogStore(castle.path).search(text, limit: 1)
    #expect(found.map { "\($0.kind.rawValue) \($0.key)" } == [first])
  }

  @Test(arguments: [
    ("300121", "Red"), ("3001 black", "Black"), ("red 2x4 brick", "Red"), ("brick 2x4", nil),
    ("3020 black", nil),
  ])
  func `a part has the color that people mean`(text: String, color: String?) throws {
    let castle = try CastleCatalog()
    let found = try CatalogStore(castle.path).search(text, limit: 1)
    #expect(found.map(\.kind) == [.part])
    #expect(found.map(\.color) == [color])
  }

  @Test func `themes that are inside each other have a path`() throws {
    let castle = try CastleCatalog()
    try Connection(castle.path, opening: .openExisting).execute(
      "UPDATE themes SET parent_id = 199 WHERE id = 186")
    let catalog = try CatalogStore(castle.path)
    #expect(try catalog.themePath(of: 199).map(\.id) == [186, 199])
  }
}
