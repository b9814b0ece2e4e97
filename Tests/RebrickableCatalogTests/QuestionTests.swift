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

  @Test func `an unknown value returns no rows`() throws {
    let (loaded, connection) = try catalog(of: Self.folders[0])
    for question in RebrickableCatalog.questions where question.example.count > 0 {
      let values = question.example.map { name, value -> (String, SQLiteValue) in
        let isList = name == "parts"
        return (name, isList ? "[[\"no such part\", 4, 1]]" : value.isText ? "no such" : -99)
      }
      let rows = try connection.query(
        question.sql, SQLParameters(Dictionary(uniqueKeysWithValues: values)))
      #expect(rows.isEmpty, "\(question.name): \(rows.count)")
    }
    withExtendedLifetime(loaded) {}
  }

  @Test func `values may be strings, as from a web page`() throws {
    let (loaded, connection) = try catalog(of: Self.folders[0])
    let color = try #require(
      try connection.value(of: "SELECT color_id FROM part_color_stats WHERE num_sets > 0"))
    let theme = try #require(try connection.value(of: "SELECT theme_id FROM sets"))
    for (name, parameter, value) in [
      ("color-through-the-years", "color_id", color), ("sets-of-a-theme", "theme_id", theme),
    ] {
      let question = try #require(RebrickableCatalog.questions.first { $0.name == name })
      let text = "\(try #require(value.integerValue))"
      let expected = try connection.query(question.sql, [parameter: value])
      #expect(try connection.query(question.sql, [parameter: text]) == expected)
      #expect(!expected.isEmpty)
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

extension SQLiteValue {
  fileprivate var isText: Bool { textValue != nil }
}
