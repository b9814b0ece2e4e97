public import SQLiteSwiftly

/// A question that people ask a catalog, with the SQL that answers it.
///
/// ```swift
/// let question = RebrickableCatalog.cookbook[0]
/// let rows = try catalog.query(question.sql, ["set_num": "001-1"])
/// ```
public struct CatalogQuestion: Sendable {
  /// What a question asks of the catalog.
  public enum Kind: Sendable {
    /// To look up the rows of one thing, such as a set: 5 ms at most.
    case lookup
    /// To add up or to search a good part of the catalog: 1 s at most.
    case statistics
  }

  /// The name, which stays the same, for an address or a file: `parts-of-a-set`.
  public let name: String
  /// The question itself, as a sentence.
  public let title: String
  /// What the answer means, in Markdown.
  public let explanation: String
  /// What it asks of the catalog.
  public let kind: Kind
  /// The parameters of the SQL, without colons, and values of them that the snapshot of June 2020 has an
  /// answer to.
  public let example: KeyValuePairs<String, SQLiteValue>
  /// The SQL, which runs in any SQLite from 3.38.
  public let sql: SQL

  package init(
    name: String, title: String, explanation: String, kind: Kind,
    example: KeyValuePairs<String, SQLiteValue>, sql: SQL
  ) {
    self.name = name
    self.title = title
    self.explanation = explanation
    self.kind = kind
    self.example = example
    self.sql = sql
  }
}

extension RebrickableCatalog {
  /// The questions of the cookbook.
  public static let cookbook: [CatalogQuestion] = [
    .partsOfASet, .whereUsed, .rareParts, .whatCanIBuild, .missingParts, .substitutes,
    .printsOfAPart, .partLifetime, .minifigsOfATheme, .setsOfATheme, .setsInsideASet, .similarSets,
    .versionsOfASet, .search, .spares, .colorThroughTheYears, .setsPerYear,
  ]
}
