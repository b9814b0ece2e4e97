public import SQLiteSwiftly

/// A full-text search over the names of several tables, with one ranking for all of them.
///
/// It is made of three things: a table with a row for each thing that can be found, `NAME_entries`; an
/// index of its words, `NAME_index`, by SQLite's FTS5 (<https://www.sqlite.org/fts5.html>); and a view,
/// `NAME`, that is asked. Letters are found whatever their case and their marks.
///
/// ```swift
/// let search = SearchDescription(
///   "search",
///   columns: [.init("kind"), .init("name", weight: 10), .init("number", weight: 100)],
///   excerptOf: "name",
///   entries: [
///     "SELECT 'set', name, set_num FROM sets ORDER BY set_num",
///     "SELECT 'theme', name, NULL FROM themes ORDER BY id",
///   ])
/// let schema = SchemaDescription(
///   tables: [themes, sets], search: search, applicationID: 0x4C45_474F, version: 1)
/// ```
///
/// The view has the columns, an excerpt in which the words stand in brackets (`snippet`), the rank, which is
/// smaller for what fits better, and one of its own name for the question:
///
/// ```sql
/// SELECT kind, name FROM search WHERE search MATCH 'technic car*' ORDER BY rank LIMIT 10
/// ```
public struct SearchDescription: Sendable {
  /// The name of the view.
  public let name: String
  /// What is known of each thing that can be found.
  public let columns: [Column]
  /// The column from which the excerpt is taken.
  public let excerptColumn: String
  /// The queries for what can be found, each with the columns in their order.
  public let entries: [SQL]
  /// What a row of the view is, in sentences for those who read it; nil if nobody has explained it.
  public let meaning: String?
  /// The module that makes the index.
  package var module = "fts5"

  /// Describes a search.
  public init(
    _ name: String, columns: [Column], excerptOf excerptColumn: String, entries: [SQL],
    meaning: String? = nil
  ) {
    self.name = name
    self.columns = columns
    self.excerptColumn = excerptColumn
    self.entries = entries
    self.meaning = meaning
  }

  /// Text that is known of each thing that can be found.
  public struct Column: Hashable, Sendable {
    /// The column's name.
    public let name: String
    /// How much a word counts that is found in it; nil if its words are not found.
    public let weight: Double?
    /// Whether it is left out of the view.
    public let isHidden: Bool
    /// What it says, in sentences for those who read the view; nil if nobody has explained it.
    public let meaning: String?

    /// Describes a column.
    public init(
      _ name: String, weight: Double? = nil, isHidden: Bool = false, meaning: String? = nil
    ) {
      self.name = name
      self.weight = weight
      self.isHidden = isHidden
      self.meaning = meaning
    }
  }
}

extension SearchDescription {
  /// The table of what can be found.
  package var entriesTable: String { name + "_entries" }
  /// The index of its words.
  package var indexTable: String { name + "_index" }
  /// All tables that are made, those in which FTS5 keeps the index included.
  package var tableNames: [String] {
    [entriesTable, indexTable] + ["config", "data", "docsize", "idx"].map { "\(indexTable)_\($0)" }
  }

  /// What is wrong with the description, in words; empty if nothing is.
  public var faults: [String] {
    var faults = nameFaults(name, empty: "the search has no name")
    let taken = [name, "id", "rank", "rowid", "snippet", indexTable]
    var seen = Set(taken.map(foldedName))
    for column in columns {
      faults += nameFaults(column.name, empty: "a column has no name")
      if !seen.insert(foldedName(column.name)).inserted {
        faults.append("the name \(written(identifier: column.name)) is taken")
      }
    }
    if !columns.contains(where: { haveSameBytes($0.name, excerptColumn) }) {
      faults.append("there is no column \(written(identifier: excerptColumn)) for the excerpt")
    }
    if !columns.contains(where: { $0.weight != nil }) { faults.append("no column has a weight") }
    if entries.isEmpty { faults.append("there is nothing to be found") }
    if entries.contains(where: { !$0.values.isEmpty }) {
      faults.append("a query has values, which are not bound")
    }
    return faults
  }

  /// Throws when the description has faults, which the message names.
  package func validate() throws(SQLiteError) {
    guard !faults.isEmpty else { return }
    throw SQLiteError(misdescribed: "search \(written(identifier: name))", faults)
  }

  /// The statement that makes the table of what can be found.
  var entriesCreation: SQL {
    let columns = columns.map { "  \(quoted(identifier: $0.name)) TEXT" }
    return SQL(
      generated: """
        CREATE TABLE \(quoted(identifier: entriesTable)) (
          "id" INTEGER NOT NULL PRIMARY KEY,
        \(columns.joined(separator: ",\n"))
        ) STRICT
        """)
  }

  /// The same table, as one that is compared; its rows are told apart by all of its columns.
  package var entriesDescription: TableDescription {
    TableDescription(
      entriesTable, columns: columns.map { ColumnDescription($0.name, .text, isNullable: true) },
      primaryKey: [])
  }

  /// One query for all that can be found.
  package var allEntries: SQL {
    SQL(generated: entries.map { "SELECT * FROM (\($0.text))" }.joined(separator: " UNION ALL "))
  }

  /// The statements that fill it.
  var fillings: [SQL] {
    let names = columns.map { quoted(identifier: $0.name) }.joined(separator: ", ")
    return entries.map {
      SQL(generated: "INSERT INTO \(quoted(identifier: entriesTable)) (\(names))\n\($0.text)")
    }
  }

  /// The statement that makes the index.
  ///
  /// Beginnings of two letters are kept, as a search box asks for them while somebody types. At the size of a
  /// full catalog they are found in up to a quarter less time, and take 4 MB of 19; those of three
  /// letters would take 4 MB more and save nothing. The words are not kept in the index a second time.
  package var indexCreation: SQL {
    let columns = columns.map {
      quoted(identifier: $0.name) + ($0.weight == nil ? " UNINDEXED" : "")
    }
    return SQL(
      generated: """
        CREATE VIRTUAL TABLE \(quoted(identifier: indexTable)) USING \(module)(
          \(columns.joined(separator: ", ")),
          content=\(quoted(identifier: entriesTable)), content_rowid="id",
          tokenize="unicode61 remove_diacritics 2", prefix='2'
        )
        """)
  }

  /// The function that ranks what was found, as the index keeps it for all who ask.
  var ranking: String {
    "bm25(\(columns.map { "\($0.weight ?? 0)" }.joined(separator: ", ")))"
  }

  /// The view.
  package var view: ViewDescription {
    let index = quoted(identifier: indexTable)
    let shown = columns.filter { !$0.isHidden }.map { quoted(identifier: $0.name) }
    let place = columns.firstIndex { haveSameBytes($0.name, excerptColumn) } ?? 0
    let excerpt = quoted(identifier: excerptColumn)
    // Who groups by the excerpt without a question, as Datasette does to suggest facets, gets an error from
    // snippet().
    return ViewDescription(
      name,
      SQL(
        generated: """
          SELECT \(shown.joined(separator: ", ")),
            CASE WHEN "rank" IS NULL THEN \(excerpt)
              ELSE snippet(\(index), \(place), '[', ']', '…', 16) END AS "snippet",
            "rank",
            \(index) AS \(quoted(identifier: name))
          FROM \(index)
          """), columns: explainedColumns, meaning: meaning)
  }

  /// The columns of the view, as its readers are told of them.
  private var explainedColumns: [ColumnDescription] {
    columns.filter { !$0.isHidden }.map {
      ColumnDescription($0.name, .text, isNullable: true, meaning: $0.meaning)
    } + [
      ColumnDescription(
        "snippet", .text, isNullable: true,
        meaning: "An excerpt in which the words that were found stand in brackets."),
      ColumnDescription(
        "rank", .real, isNullable: true, meaning: "The smaller it is, the better the row fits."),
      ColumnDescription(
        name, .text, isNullable: true,
        meaning: "What to ask: WHERE \(name) MATCH 'words'; it has no values of its own."),
    ]
  }
}
