import Foundation
import Testing
@testable import DataPackage

struct DatasetteTests {
  private let text = Library.document.datasetteMetadata(database: "my \"books\"")

  private func metadata() throws -> NSDictionary {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
  }

  @Test func `the metadata describes the database`() throws {
    let found = try metadata()
    let expected = [
      "title": "Library", "description": "Books.", "source": "Us",
      "source_url": "https://example.org/us", "license": "Any use",
      "license_url": "https://example.org/license",
    ]
    for (name, value) in expected { #expect(found[name] as? String == value) }
    #expect(found.count == expected.count + 1)
  }

  @Test func `tables, views and internals have descriptions and display settings`()
    throws
  {
    let databases = try #require(try metadata()["databases"] as? NSDictionary)
    let database = try #require(databases["my \"books\""] as? NSDictionary)
    #expect(
      database["tables"] as? NSDictionary == [
        "authors": [
          "description": "An author.",
          "columns": ["id": "The author's number.", "name": "As \"on\" the cover | or not.\u{7}"],
          "label_column": "name", "sort": "name", "size": 20,
        ],
        "books": [
          "columns": ["author_id": "Who wrote it; NULL if unknown."],
          "sort_desc": "isbn", "facets": ["author_id", "is_lent"],
        ],
        "lent": ["description": "A book that is lent.", "columns": ["isbn": "The book."]],
        "internals": [
          "description": "What nobody asks.", "columns": ["key": "A key."], "hidden": true,
        ],
      ])
    #expect(
      database["queries"] as? NSDictionary == [
        "books-of": [
          "title": "Which books?", "description": "Of an author, not a `.",
          "sql": "SELECT isbn\nFROM books WHERE author_id = :author_id",
          "hide_sql": true,
        ]
      ])
  }

  @Test func `columns stay in their order, as Datasette shows them`() throws {
    let id = try #require(text.range(of: "\"id\": "))
    let name = try #require(text.range(of: "\"name\": "))
    #expect(id.lowerBound < name.lowerBound)
  }
}
