import RebrickableCatalog
import SQLiteSwiftly
import Schema
import Testing

/// What the catalog says of itself in words.
struct WordsOfCatalogTests {
  private let schema = RebrickableCatalog.schema
  private var views: [ViewDescription] { schema.views + [schema.search?.view].compactMap(\.self) }
  private var tables: [TableDescription] { schema.tables + schema.allDerivedTables }

  @Test func `every table and view is explained, in sentences`() {
    let meanings = tables.map { ($0.name, $0.meaning) } + views.map { ($0.name, $0.meaning) }
    for (name, meaning) in meanings {
      #expect(meaning.map(isSentence) == true, "\(name): \(meaning ?? "nothing")")
    }
  }

  @Test(arguments: [
    ("part_color_stats", true), ("part_stats", true), ("color_stats", true), ("set_stats", false),
  ])
  func `the meanings of statistics mention the versions that they count`(
    name: String, countsAll: Bool
  ) throws {
    let table = try #require(tables.first { $0.name == name })
    #expect(table.meaning?.contains("latest version") == true)
    #expect(table.meaning?.contains("`ever_`, in all versions") == countsAll)
    for column in table.columns.map(\.name) where column.hasPrefix("ever_") {
      #expect(table.columns.contains { "ever_" + $0.name == column }, "\(column)")
    }
    #expect(table.columns.contains { $0.name.hasPrefix("ever_") } == countsAll)
  }

  @Test func `every column is explained, in sentences`() {
    let columns = tables.map { ($0.name, $0.columns) } + views.map { ($0.name, $0.columns) }
    for (name, columns) in columns {
      for column in columns {
        #expect(
          column.meaning.map(isSentence) == true,
          "\(name).\(column.name): \(column.meaning ?? "nothing")")
      }
    }
  }

  @Test func `a meaning mentions NULL exactly if the column can be NULL`() {
    for table in tables {
      for column in table.columns {
        #expect(
          column.meaning?.contains("NULL") == column.isNullable, "\(table.name).\(column.name)")
      }
    }
  }

  @Test func `tables, and columns that were added later, have a date`() {
    for table in schema.tables.prefix(12) {
      #expect(table.since.map(isMonth) == true, "\(table.name)")
      for column in table.columns {
        guard let since = column.since else { continue }
        #expect(isMonth(since) && since > table.since ?? "", "\(table.name).\(column.name)")
      }
    }
  }

  @Test func `examples are values that the columns can have`() throws {
    let connection = try Connection.inMemory()
    // The keys of a union are those of its members.
    for table in tables where !schema.keyUnions.map(\.name).contains(table.name) {
      try connection.createTable(describedBy: table)
      var insert = try connection.prepareInsertIntoTable(describedBy: table)
      let values = table.columns.map { ($0.name, $0.example ?? .null) }
      try insert.insert(Dictionary(uniqueKeysWithValues: values))
    }
  }

  @Test func `the columns of a view are all explained, in its order`() throws {
    let connection = try Connection.inMemory()
    for table in tables { try connection.createTable(describedBy: table) }
    for view in schema.views { try connection.execute(view.creation) }
    if let search = schema.search { _ = try connection.createSearch(search) }
    for view in views {
      let found = try connection.query("SELECT name FROM pragma_table_info(\(view.name))")
      #expect(found.map { $0[0].textValue } == view.columns.map(\.name), "\(view.name)")
    }
  }

  private func isSentence(_ text: String) -> Bool {
    text.first?.isWhitespace == false && (text.hasSuffix(".") || text.hasSuffix("…"))
      && !text.contains("\n")
  }

  private func isMonth(_ text: String) -> Bool {
    text.wholeMatch(of: /20[12]\d(-(0[1-9]|1[0-2]))?/) != nil
  }
}
