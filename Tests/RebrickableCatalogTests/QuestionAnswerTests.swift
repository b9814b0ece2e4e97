import CatalogQuestions
import RebrickableCatalog
import SQLiteSwiftly
import TestSupport
import Testing

/// The answers to questions, beside those that are computed from the dumps in another way.
@Suite(.needs(.python)) struct QuestionAnswerTests {
  private let loaded: LoadedCatalog
  private let catalog: Connection
  private let dumps: Dumps

  /// Read once, since Python is started for each table.
  private static let dumpsOfFixtures = Result { try Dumps(of: fixtures()) }

  private static func fixtures() throws -> LoadedCatalog {
    try LoadedCatalog(of: LoadedCatalog.package + "/fixtures/dumps")
  }

  init() throws {
    loaded = try Self.fixtures()
    catalog = try Connection(loaded.path, opening: .readOnly)
    dumps = try Self.dumpsOfFixtures.get()
  }

  /// The rows of an answer as texts with bars between the values of some columns.
  private func answer(
    _ name: String, _ values: SQLParameters, columns: [String]
  ) throws -> [String] {
    let question = try #require(RebrickableCatalog.questions.first { $0.name == name })
    var lines: [String] = []
    try catalog.forEachRow(of: question.sql, values) { row throws(SQLiteError) in
      var texts: [String] = []
      for column in columns {
        let value: SQLiteValue = try row[column]
        texts.append(value.textValue ?? value.integerValue.map { "\($0)" } ?? "-")
      }
      lines.append(texts.joined(separator: "|"))
    }
    return lines
  }

  /// A value that is found in the catalog, for a question to be asked about.
  private func value(_ query: SQL) throws -> String {
    let value = try #require(try catalog.value(of: query))
    return try #require(value.textValue ?? value.integerValue.map { "\($0)" })
  }

  @Test func `the parts of every set`() throws {
    for set in dumps.sets.keys {
      let found = try answer(
        "parts-of-a-set", ["set_num": set], columns: ["part_num", "quantity", "is_spare"])
      let expected = dumps.contents(of: set).flatMap { content in
        content.lots.map { "\($0.part)|\($0.quantity * content.times)|\($0.isSpare ? 1 : 0)" }
      }
      #expect(found.sorted() == expected.sorted(), "\(set)")
    }
  }

  @Test func `where a part is used`() throws {
    let part = try value("SELECT part_num FROM part_stats ORDER BY num_sets DESC")
    let colors = Set(dumps.lots.values.joined().filter { $0.part == part }.map(\.color))
    #expect(!colors.isEmpty)
    for color in colors {
      let found = try answer(
        "where-used", ["part_num": part, "color_id": color], columns: ["set_num", "quantity"])
      let expected = dumps.sets.keys.compactMap { set -> String? in
        let pieces = dumps.pieces(of: set) { $0.part == part && $0.color == color }
        return pieces > 0 ? "\(set)|\(pieces)" : nil
      }
      #expect(found.sorted() == expected.sorted(), "\(color)")
    }
  }

  @Test func `how many sets have the rarest parts of a set`() throws {
    let set = try value("SELECT set_num FROM set_stats ORDER BY num_lots DESC")
    let found = try answer(
      "rare-parts", ["set_num": set], columns: ["num_sets", "pieces", "part_num", "color"])
    let names = try catalog.query("SELECT id, name FROM colors", as: (Int, String).self)
    let own = dumps.contents(of: set).flatMap(\.lots).filter { !$0.isSpare }
    let expected = Set(own.map { "\($0.part)|\($0.color)" }).map { key -> (Int, String) in
      let fields = key.split(separator: "|")
      let pieces = dumps.sets.keys.map { set in
        dumps.pieces(of: set) { "\($0.part)|\($0.color)" == key }
      }.filter { $0 > 0 }
      let color = names.first { "\($0.0)" == fields[1] }?.1 ?? ""
      return (pieces.count, "\(pieces.count)|\(pieces.reduce(0, +))|\(fields[0])|\(color)")
    }
    #expect(Set(found).isSubset(of: expected.map(\.1)) && found.count == min(20, expected.count))
    #expect(found.first?.hasPrefix("\(expected.map(\.0).min() ?? 0)|") == true)
  }

  @Test func `the sets inside every set`() throws {
    #expect(dumps.sets.keys.contains { !dumps.setsInside($0).isEmpty })
    for set in dumps.sets.keys {
      let found = try answer(
        "sets-inside-a-set", ["set_num": set], columns: ["set_num", "quantity"])
      let expected = dumps.setsInside(set).filter { dumps.latest($0.key) != nil }
      #expect(found == expected.map { "\($0.key)|\($0.value)" }.sorted(), "\(set)")
    }
  }

  @Test func `what has changed between versions`() throws {
    let sets = dumps.inventories.filter { $0.value[1] != nil && $0.value[2] != nil }
    try #require(!sets.isEmpty)
    for (set, versions) in sets {
      func pieces(_ version: Int) -> [String: Int] {
        let lots = versions[version].flatMap { dumps.lots[$0] } ?? []
        return lots.reduce(into: [:]) { sums, lot in
          sums["\(lot.part)|\(lot.color)|\(lot.isSpare ? 1 : 0)", default: 0] += lot.quantity
        }
      }
      let changes = pieces(2).merging(pieces(1).mapValues { -$0 }, uniquingKeysWith: +)
        .filter { $0.value != 0 }
      let found = try answer(
        "versions-of-a-set", ["set_num": set, "old": 1, "new": 2],
        columns: ["part_num", "is_spare", "change"])
      let expected = changes.map { key, change in
        let fields = key.split(separator: "|")
        return "\(fields[0])|\(fields[2])|\(change)"
      }
      #expect(found.sorted() == expected.sorted(), "\(set)")
    }
  }

  @Test func `the sets of every theme, with the themes below it`() throws {
    #expect(dumps.themes.values.contains { $0.parent != nil })
    for theme in dumps.themes.keys {
      let found = try answer("sets-of-a-theme", ["theme_id": theme], columns: ["set_num"])
      let expected = dumps.sets.filter { dumps.isTheme($0.value.theme, within: theme) }
      #expect(found.sorted() == expected.keys.sorted(), "\(theme)")
    }
  }

  @Test func `the minifigs of every theme`() throws {
    for theme in dumps.themes.keys {
      var counts: [String: (sets: Int, pieces: Int)] = [:]
      for (set, facts) in dumps.sets where dumps.isTheme(facts.theme, within: theme) {
        for content in dumps.contents(of: set) {
          guard let minifig = content.minifig else { continue }
          counts[minifig, default: (0, 0)].sets += 1
          counts[minifig, default: (0, 0)].pieces += content.times
        }
      }
      let found = try answer(
        "minifigs-of-a-theme", ["theme_id": theme], columns: ["fig_num", "num_sets", "pieces"])
      let expected = counts.map { "\($0.key)|\($0.value.sets)|\($0.value.pieces)" }
      #expect(Set(found).isSubset(of: expected), "\(theme)")
      #expect(found.count == min(20, expected.count), "\(theme)")
    }
  }

  @Test func `a color through the years`() throws {
    let color = Int(try value("SELECT color_id FROM color_stats ORDER BY num_parts DESC")) ?? 0
    let found = try answer(
      "color-through-the-years", ["color_id": color], columns: ["year", "sets", "pieces"])
    var years: [Int: (sets: Int, pieces: Int)] = [:]
    for (set, facts) in dumps.sets {
      let pieces = dumps.pieces(of: set) { $0.color == color }
      guard pieces > 0 else { continue }
      years[facts.year, default: (0, 0)].sets += 1
      years[facts.year, default: (0, 0)].pieces += pieces
    }
    #expect(found == years.sorted { $0.key < $1.key }.map { "\($0)|\($1.sets)|\($1.pieces)" })
  }

  @Test func `the sets of each year`() throws {
    let found = try answer("sets-per-year", [:], columns: ["year", "sets"])
    let years = Dictionary(grouping: dumps.sets.values, by: \.year).mapValues(\.count)
    #expect(found == years.sorted { $0.key > $1.key }.map { "\($0)|\($1)" })
  }

  @Test func `the substitutes of every part with a relation`() throws {
    let kinds = dumps.relations.filter { ["A", "M"].contains($0.kind) }
    #expect(!kinds.isEmpty)
    for start in Set(kinds.flatMap { [$0.child, $0.parent] }) {
      var alike: Set = [start]
      var size = 0
      while alike.count > size {
        size = alike.count
        for pair in kinds where alike.contains(pair.child) || alike.contains(pair.parent) {
          alike.formUnion([pair.child, pair.parent])
        }
      }
      let found = try answer("substitutes", ["part_num": start], columns: ["part_num"])
      #expect(found.sorted() == alike.subtracting([start]).sorted(), "\(start)")
    }
  }

  @Test func `the parts of a set are enough to build it`() throws {
    let question = try #require(
      RebrickableCatalog.questions.first { $0.name == "what-can-i-build" })
    let values = try question.hardestValues(in: catalog)
    let found = try answer(
      question.name, values, columns: ["set_num", "found", "needed", "percent"])
    for row in found {
      let fields = row.split(separator: "|").map(String.init)
      let numbers = fields.dropFirst().compactMap { Int($0) }
      #expect(numbers[1] == dumps.pieces(of: fields[0]) { _ in true } && numbers[1] >= 10)
      #expect(numbers[2] == 100 * numbers[0] / numbers[1] && numbers[0] <= numbers[1])
    }
    let set = try value("SELECT set_num FROM set_stats ORDER BY num_lots DESC, set_num")
    let isComplete = found.contains { $0.hasPrefix("\(set)|") && $0.hasSuffix("|100") }
    #expect(isComplete || dumps.contents(of: set).count > 1)
  }
}
