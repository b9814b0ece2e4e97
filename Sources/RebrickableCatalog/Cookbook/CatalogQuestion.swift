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
  /// The parameters of the SQL, without colons, and values of them that the snapshot of June 2020 has an answer to.
  public let example: [(key: String, value: SQLiteValue)]
  /// The SQL, which runs in any SQLite from 3.38.
  public let sql: SQL

  package init(
    name: String, title: String, explanation: String, kind: Kind,
    example: [(key: String, value: SQLiteValue)], sql: SQL
  ) {
    self.name = name
    self.title = title
    self.explanation = explanation
    self.kind = kind
    self.example = example
    self.sql = sql
  }

  /// Reads the questions in a file of the form of `Cookbook.sql`.
  package static func all(in file: [UInt8]) -> [CatalogQuestion] {
    String(decoding: file, as: UTF8.self).split(separator: "\n-- # ").dropFirst()
      .map(CatalogQuestion.init)
  }

  private init(section: Substring) {
    let lines = section.split(separator: "\n")
    let heading = lines[0].split(separator: " ")
    let comments = lines.dropFirst().prefix { $0.hasPrefix("-- ") }.map { $0.dropFirst(3) }
    let texts = comments.dropFirst()
    self.init(
      name: String(heading[0]), title: String(comments[0]),
      explanation: texts.filter { !$0.hasPrefix(":") }.joined(separator: " "),
      kind: heading[1] == "(lookup)" ? .lookup : .statistics,
      example: texts.filter { $0.hasPrefix(":") }.map { line in
        // Such as `:color_id = 14` or `:set_num = '8880-1'`.
        let name = line.dropFirst().prefix { $0 != " " }
        let value = line.dropFirst(name.count + 4)
        let text = SQLiteValue.text(String(value.dropFirst().dropLast()))
        return (String(name), Int64(value).map { .integer($0) } ?? text)
      },
      // Without the semicolon.
      sql: SQL(
        generated: String(lines.dropFirst(1 + comments.count).joined(separator: "\n").dropLast())))
  }
}

extension RebrickableCatalog {
  /// The questions of the cookbook.
  public static let cookbook = CatalogQuestion.all(in: PackageResources.Cookbook_sql)
}
