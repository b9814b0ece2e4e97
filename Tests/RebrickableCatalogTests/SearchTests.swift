import Foundation
import RebrickableCatalog
import SQLiteSwiftly
import Schema
import TestSupport
import Testing

/// What people search for is what comes first.
@Suite struct SearchTests {
  private typealias Answer = (question: String, kind: String, key: String)

  /// The keys of what fits best, with the kind.
  private func first(_ question: String, in connection: Connection) throws -> String {
    let rows = try connection.query(
      "SELECT kind, key FROM search WHERE search MATCH \(question) ORDER BY rank LIMIT 1")
    return rows.first.map { $0.map { $0.textValue ?? "-" }.joined(separator: " ") } ?? "nothing"
  }

  private static let answersOfFixtures: [Answer] = [
    ("gears", "set", "001-1"), ("\"001-1\"", "set", "001-1"), ("001", "set", "001-1"),
    ("4x6x2", "part", "3004"), ("4x6x2 brick", "part", "3004"), ("5x13 animal", "part", "3007"),
    ("1e5", "part", "1e5"), ("003383", "part", "003383"), ("3004", "part", "3004"),
    ("\"fig-000002\"", "minifig", "fig-000002"), ("zoe", "minifig", "fig-000001"),
    ("ZOË z cap", "minifig", "fig-000001"), ("zoe\u{308}", "minifig", "fig-000001"),
    ("chateau", "theme", "8"), ("château fort", "theme", "8"), ("chat* fo*", "theme", "8"),
    ("tech* NOT arctic", "theme", "6"), ("name : \"spare wheels small\"", "set", "1224.1-1"),
    ("\"1224.1-1\"", "set", "1224.1-1"), ("duplo animal eye", "part", "1e5"),
  ]

  @Test func `the best match comes first in the fixtures`() throws {
    let catalog = try LoadedCatalog(of: LoadedCatalog.package + "/fixtures/dumps")
    let connection = try Connection(catalog.path, opening: .readOnly)
    for answer in Self.answersOfFixtures {
      #expect(
        try first(answer.question, in: connection) == "\(answer.kind) \(answer.key)",
        "\(answer.question)")
    }
    #expect(try first("no such thing", in: connection) == "nothing")
    let counted = try connection.query(
      """
      SELECT (SELECT count(*) FROM search), (SELECT count(*) FROM parts)
        + (SELECT count(*) FROM sets) + (SELECT count(*) FROM minifigs) + (SELECT count(*) FROM themes)
      """)[0]
    #expect(counted[0] == counted[1])
  }

  @Test(
    arguments: [
      ("Slope 30 1 x 2 x 2/3 with Print", "1x2x2/3"), ("Bracket 1 x 2 - 2 x 2", "1x2 - 2x2"),
      ("Plate 1 X 2  x  4 Dark", "1x2x4"), ("Panel 1 x 2 x 1 with 2 x 3 Print", "1x2x1 with 2x3"),
      ("Tile 1×1 and 2 x 2", "1x1 and 2x2"), ("Sticker x Set", "xSet"), ("Brick", nil),
      ("Box x", nil),
    ] as [(String, String?)])
  func `the sizes of a name are words`(name: String, sizes: String?) throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE parts (part_num TEXT, name TEXT)")
    try connection.execute("INSERT INTO parts VALUES ('p', \(name))")
    let entry = try connection.query(RebrickableCatalog.search.entries[0])[0]
    #expect(entry[3].textValue == sizes)
  }

  /// Their whole texts would take time and space by the square of the source file.
  @Test func `long names and chains of themes have limits`() throws {
    let connection = try Connection.inMemory()
    try connection.execute("CREATE TABLE parts (part_num TEXT, name TEXT)")
    try connection.execute("CREATE TABLE sets (set_num TEXT, name TEXT, theme_id INTEGER)")
    try connection.execute("CREATE TABLE minifigs (fig_num TEXT, name TEXT)")
    try connection.execute("CREATE TABLE themes (id INTEGER PRIMARY KEY, name TEXT, parent_id)")
    let long = String(repeating: "a", count: 200)
    try connection.execute("INSERT INTO parts VALUES ('p', \("1 x 2 \(long) 3 x 4 b"))")
    for id in 1...20 {
      try connection.execute(
        "INSERT INTO themes VALUES (\(id), \("\(id) \(long)"), \(id == 1 ? nil : id - 1))")
    }
    try connection.execute("INSERT INTO sets VALUES ('s-1', 'Set', 20), ('s-2', 'Set', 2)")
    let entries = try RebrickableCatalog.search.entries.flatMap { entries in
      try connection.query(entries, as: (String, String, String, String?, String?, String?).self)
    }
    func entry(_ key: String) throws -> (sizes: String?, theme: String?) {
      let entry = try #require(entries.first { $0.1 == key && $0.0 != "minifig" })
      return (entry.3, entry.5)
    }
    #expect(try entry("p").sizes == "1x2")
    func path(_ ids: ClosedRange<Int>) -> String {
      ids.map { "\($0) \(long)".prefix(100) }.joined(separator: " ")
    }
    #expect(try entry("s-1").theme == path(13...20))
    #expect(try entry("s-2").theme == path(1...2))
    #expect(try entry("20").theme == path(13...20))
  }

  private static let typedInFixtures: [Answer] = [
    ("4 x 6 x 2 brick", "part", "3004"), ("zoe\u{301}", "minifig", "fig-000001"),
    ("chat", "theme", "8"), ("duplo animals eye", "part", "1e5"), ("tehcnic", "theme", "6"),
    ("spare \"wheels, smal", "set", "1224.1-1"), ("artic technic", "theme", "4"),
    ("001", "set", "001-1"), ("003383", "part", "003383"), ("1224.1", "set", "1224.1-1"),
  ]

  @Test func `the question of the cookbook finds what is typed in the fixtures`() throws {
    let loaded = try LoadedCatalog(of: LoadedCatalog.package + "/fixtures/dumps")
    let catalog = try CatalogStore(loaded.path)
    for answer in Self.typedInFixtures {
      let found = try catalog.search(answer.question, limit: 1)
      #expect(found.map(\.kind.rawValue) == [answer.kind], "\(answer.question)")
      #expect(found.map(\.key) == [answer.key], "\(answer.question)")
    }
  }

  private static let answersOfSnapshots: [Answer] = [
    ("2x4 brick", "part", "3001"), ("brick 2x4", "part", "3001"), ("brick 2 x 4", "part", "3001"),
    ("BRICK 2X4", "part", "3001"), ("3001", "part", "3001"),
    ("\"3001-1\"", "set", "3001-1"), ("\"8880-1\"", "set", "8880-1"), ("8880", "set", "8880-1"),
    ("plate 1x1", "part", "3024"), ("plate \"1 x 1\"", "part", "3024"),
    ("2x2x3 brick", "part", "30145"), ("plate 2 x 4", "part", "3020"),
    ("bracket 1x2 2x2", "part", "44728"), ("black bricks 2x4", "set", "3458-1"),
  ]

  private static let data = LoadedCatalog.package + "/../shared/data/rebrickable-"
  private static let snapshots = ["2020-06-09", "2025-04-01-no-inventory-parts"]
  private static var areThere: Bool {
    snapshots.allSatisfy { FileManager.default.fileExists(atPath: data + $0) }
  }

  @Test(.enabled(if: areThere, "real dumps are not beside the package"), arguments: snapshots)
  func `the best match comes first in Rebrickable's dumps`(snapshot: String) throws {
    let catalog = try LoadedCatalog(
      of: Self.data + snapshot, only: ["themes", "part_categories", "parts", "sets", "minifigs"])
    let connection = try Connection(catalog.path, opening: .readOnly)
    try checkKeys(connection)
    for answer in Self.answersOfSnapshots {
      #expect(
        try first(answer.question, in: connection) == "\(answer.kind) \(answer.key)",
        "\(answer.question)")
    }
    let found = try ["munchen", "MÜNCHEN", "mu\u{308}nchen"].map { question in
      try connection.query("SELECT key FROM search WHERE search MATCH \(question) ORDER BY rank")
    }
    #expect(!found[0].isEmpty && found[0] == found[1] && found[0] == found[2])
  }

  /// Every hundredth key finds its own thing first, whatever other names have it in them.
  private func checkKeys(_ connection: Connection) throws {
    let keys = try connection.query(
      "SELECT kind, key FROM search_entries WHERE kind <> 'theme' AND id % 100 = 0")
    #expect(keys.count > 500)
    for row in keys {
      let (kind, key) = (row[0].textValue ?? "", row[1].textValue ?? "")
      #expect(try first("\"\(key)\"", in: connection) == "\(kind) \(key)")
    }
  }
}
