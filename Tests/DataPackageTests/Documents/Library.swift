import SQLiteSwiftly
import Schema
@testable import DataPackage

/// A small schema with every kind of words.
enum Library {
  static let authors = TableDescription(
    "authors",
    columns: [
      ColumnDescription("id", .integer, meaning: "The author's number.", example: 7),
      ColumnDescription(
        "name", .text, domain: .singleLine, meaning: "As \"on\" the cover | or not.\u{7}",
        example: "A. \\ B."),
    ],
    primaryKey: ["id"], uniqueKeys: [["name"]], meaning: "An author.", since: "2019")

  static let books = TableDescription(
    "books",
    columns: [
      ColumnDescription("isbn", .text),
      ColumnDescription(
        "author_id", .integer, isNullable: true, meaning: "Who wrote it; NULL if unknown.",
        since: "2020-02"),
      ColumnDescription("sequel_of", .text, isNullable: true),
      ColumnDescription("is_lent", .boolean),
    ],
    primaryKey: ["isbn"],
    foreignKeys: [
      ForeignKeyDescription("author_id", references: "authors", "id"),
      ForeignKeyDescription("sequel_of", references: "books", "isbn"),
    ])

  static let internals = TableDescription(
    "internals", columns: [ColumnDescription("key", .text, meaning: "A key.")], primaryKey: [],
    meaning: "What nobody asks.")

  static var document: SchemaDocument {
    var document = SchemaDocument(
      of: SchemaDescription(
        tables: [authors, books],
        views: [
          ViewDescription(
            "lent", "SELECT isbn FROM books WHERE is_lent",
            columns: [ColumnDescription("isbn", .text, meaning: "The book.")],
            meaning: "A book that is lent.")
        ],
        applicationID: 1, version: 1),
      title: "Library")
    document.meaning = "Books."
    document.source = ("Us", "https://example.org/us")
    document.license = ("Any use", "https://example.org/license")
    document.displays = [
      "authors": .init(label: "name", order: .ascending("name"), rowsOfPage: 20),
      "books": .init(order: .descending("isbn"), facets: ["author_id", "is_lent"]),
    ]
    document.questions = [
      (
        "books-of", "Which books?", "Of an `author`, not a `.",
        "SELECT isbn\nFROM books WHERE author_id = :author_id"
      )
    ]
    document.diagram = [["authors"], ["books", "missing"]]
    document.internals = [internals]
    return document
  }
}
