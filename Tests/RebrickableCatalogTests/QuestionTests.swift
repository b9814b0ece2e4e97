import Foundation
import CatalogQuestions
import RebrickableCatalog
import SQLiteSwiftly
import TestSupport
import Testing

/// The questions of the cookbook, and the others by which the indexes are chosen.
struct QuestionTests {
  private static let folders = ["fixtures/dumps", "fixtures/dumps-2020"]

  private func catalog(of folder: String) throws -> (LoadedCatalog, Connection) {
    let loaded = try LoadedCatalog(of: LoadedCatalog.package + "/" + folder)
    return (loaded, try Connection(loaded.path, opening: .readOnly))
  }

  @Test func `there are twenty-seven, seventeen of them in the cookbook`() {
    let questions = RebrickableCatalog.questions
    #expect(questions.count == 27 && RebrickableCatalog.cookbook.count == 17)
    #expect(Set(questions.map(\.name)).count == 27)
    for question in questions {
      #expect(question.title.hasSuffix("?") && question.explanation.hasSuffix("."))
      #expect(question.name.allSatisfy { $0.isLowercase || $0 == "-" }, "\(question.name)")
      #expect(question.sql.values.isEmpty && !question.sql.text.contains("CROSS JOIN"))
    }
  }

  @Test(arguments: folders)
  func `each has an answer, with the hardest values and with those of its example`(
    folder: String
  ) throws {
    let (loaded, connection) = try catalog(of: folder)
    for question in RebrickableCatalog.questions {
      let values = try question.hardestValues(in: connection)
      let rows = try connection.query(question.sql, values)
      #expect(!rows.isEmpty, "\(question.name)")
      // What the snapshot has may not be here.
      _ = try connection.query(question.sql, SQLParameters(question.example))
    }
    withExtendedLifetime(loaded) {}
  }

  @Test(arguments: [
    ("parts-of-a-set", ["unknown set: nix"]), ("rare-parts", ["unknown set: nix"]),
    ("where-used", ["unknown part: nix", "unknown color: nix"]),
    ("what-can-i-build", [#"unknown part or color: ["nix","nix",1]"#]),
    (
      "missing-parts",
      ["unknown set: nix", "unknown set: nix", #"unknown part or color: ["nix","nix",1]"#]
    ),
    ("substitutes", ["unknown part: nix"]), ("prints-of-a-part", ["unknown part: nix"]),
    ("part-lifetime", ["unknown part: nix"]), ("minifigs-of-a-theme", ["unknown theme: nix"]),
    ("sets-of-a-theme", ["unknown theme: nix"]), ("sets-inside-a-set", ["unknown set: nix"]),
    ("similar-sets", ["unknown set: nix"]),
    ("versions-of-a-set", ["unknown version: nix, nix", "unknown version: nix, nix"]),
    ("search-by-name", []), ("color-through-the-years", ["unknown color: nix"]),
  ])
  func `an unknown value returns a row with a message`(name: String, messages: [String]) throws {
    let (loaded, connection) = try catalog(of: Self.folders[0])
    let question = try #require(RebrickableCatalog.cookbook.first { $0.name == name })
    func rows(_ value: String, parts: String) throws -> [[SQLiteValue]] {
      let values = question.example.map { key, _ in
        (key, SQLiteValue.text(key == "parts" ? parts : value))
      }
      return try connection.query(
        question.sql, SQLParameters(Dictionary(uniqueKeysWithValues: values))
      ).map { Array($0) }
    }
    let found = try rows("nix", parts: #"[["nix", "nix", 1]]"#)
    #expect(found.map { $0.compactMap(\.textValue) } == messages.map { [$0] })
    // An empty form.
    #expect(try rows("", parts: "").isEmpty)
    withExtendedLifetime(loaded) {}
  }

  @Test func `a set may lack its variant, and colors and themes may be names`() throws {
    let (loaded, connection) = try catalog(of: Self.folders[0])
    func value(_ query: SQL) throws -> String {
      let value = try #require(try connection.value(of: query))
      return try #require(value.textValue ?? value.integerValue.map { "\($0)" })
    }
    func expectSame(_ name: String, _ values: [String: String], _ others: [String: String]) throws {
      let question = try #require(RebrickableCatalog.cookbook.first { $0.name == name })
      let rows = try [values, others].map { values in
        let all = question.example.map { ($0.key, SQLiteValue.text(values[$0.key] ?? "")) }
        return try connection.query(
          question.sql, SQLParameters(Dictionary(uniqueKeysWithValues: all)))
      }
      #expect(rows[0] == rows[1] && !rows[0].isEmpty, "\(name) with \(others)")
    }
    let set = try value(
      "SELECT set_num FROM set_stats WHERE set_num LIKE '%-1' ORDER BY num_lots DESC")
    for name in ["parts-of-a-set", "rare-parts", "missing-parts", "similar-sets"] {
      try expectSame(name, ["set_num": set], ["set_num": String(set.dropLast(2))])
    }
    let versions = try value(
      "SELECT set_num FROM inventories WHERE version = 2 AND set_num LIKE '%-1'")
    try expectSame(
      "versions-of-a-set", ["set_num": versions, "old": "1", "new": "2"],
      ["set_num": String(versions.dropLast(2)), "old": "1", "new": "2"])
    let box = try value(
      "SELECT set_num FROM set_inventories WHERE is_sub_set AND set_num LIKE '%-1'")
    try expectSame(
      "sets-inside-a-set", ["set_num": box], ["set_num": String(box.dropLast(2))])
    let color = try value("SELECT color_id FROM color_stats ORDER BY num_sets DESC")
    let part = try value(
      "SELECT part_num FROM part_color_stats WHERE color_id = \(color) ORDER BY num_sets DESC")
    let name = try value("SELECT name FROM colors WHERE id = \(color)")
    for form in [name, name.lowercased()] {
      try expectSame("color-through-the-years", ["color_id": color], ["color_id": form])
      try expectSame(
        "where-used", ["part_num": part, "color_id": color], ["part_num": part, "color_id": form])
    }
    try expectSame(
      "what-can-i-build", ["parts": #"[["\#(part)", \#(color), 9]]"#],
      ["parts": #"[["\#(part)", "\#(name)", 9]]"#])
    let theme = try value("SELECT theme_id FROM theme_stats ORDER BY total_num_sets DESC")
    let path = try value("SELECT path FROM theme_paths WHERE id = \(theme)")
    for name in ["sets-of-a-theme", "minifigs-of-a-theme"] {
      try expectSame(name, ["theme_id": theme], ["theme_id": path.uppercased()])
    }
    withExtendedLifetime(loaded) {}
  }

  @Test func `the article matches the program`() throws {
    let folder = LoadedCatalog.package + "/Sources/RebrickableCatalog/RebrickableCatalog.docc/"
    let article = try String(contentsOfFile: folder + "Cookbook.md", encoding: .utf8)
    let sections = article.components(separatedBy: "\n## ").dropFirst(2)
    #expect(sections.count == RebrickableCatalog.cookbook.count)
    for (section, question) in zip(sections, RebrickableCatalog.cookbook) {
      #expect(section.hasPrefix(question.title + "\n"))
      #expect(section.contains("```sql\n\(question.sql.text)\n```"), "\(question.name)")
      let words = section.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains(question.explanation), "\(question.name)")
      for (name, value) in question.example {
        let text = value.textValue ?? "\(value.integerValue ?? 0)"
        #expect(section.contains("`:\(name)` = `\(text)`"), "\(question.name)")
      }
    }
  }
}
