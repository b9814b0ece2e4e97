public import SQLiteSwiftly

/// A full-text search over the names of several tables, with one ranking.
///
/// It consists of a table with a row for each entry, `NAME_entries`; an index of their words, `NAME_index`, by SQLite's
/// FTS5 (<https://www.sqlite.org/fts5.html>); a virtual table of these words, `NAME_words`, which stores nothing; and a
/// view to query, `NAME`. Matching ignores case and diacritics.
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
/// The view has the columns, an excerpt with the matching words in brackets (`snippet`), the rank,
/// which is smaller for better matches, and a column of its own name for the query:
///
/// ```sql
/// SELECT kind, name FROM search WHERE search MATCH 'technic car*' ORDER BY rank LIMIT 10
/// ```
public struct SearchDescription: Sendable {
  /// The name of the view.
  public let name: String
  /// The columns of each entry.
  public let columns: [Column]
  /// The column of the excerpt.
  public let excerptColumn: String
  /// The queries for the entries, each with the columns in order.
  public let entries: [SQL]
  /// The meaning of a row, in sentences for readers of the view; nil if undocumented.
  public let meaning: String?
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

  /// A text column of each entry.
  public struct Column: Hashable, Sendable {
    /// The column's name.
    public let name: String
    /// The weight of a matching word in this column; nil if its words are not indexed.
    public let weight: Double?
    /// Whether the view omits it.
    public let isHidden: Bool
    /// The meaning of the column, in sentences for readers of the view; nil if undocumented.
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

  package var entriesTable: String { name + "_entries" }
  package var indexTable: String { name + "_index" }
  package var wordsTable: String { name + "_words" }
  package var storedTables: [String] {
    [entriesTable] + ["config", "data", "docsize", "idx"].map { "\(indexTable)_\($0)" }
  }
  /// All tables of the search, including those in which FTS5 stores the index.
  package var tableNames: [String] { storedTables + [indexTable, wordsTable] }

  /// The faults of the description, as messages; empty if there are none.
  public var faults: [String] {
    var faults = nameFaults(name, empty: "the search has no name")
    let taken = [name, "id", "rank", "rowid", "snippet", indexTable]
    var seen = Set(taken.map(foldedName))
    for column in columns {
      faults += nameFaults(column.name, empty: "a column has no name")
      if !seen.insert(foldedName(column.name)).inserted {
        faults.append("two columns are named \(written(identifier: column.name))")
      }
    }
    if !columns.contains(where: { haveSameBytes($0.name, excerptColumn) }) {
      faults.append("no column \(written(identifier: excerptColumn)) for the excerpt")
    }
    if !columns.contains(where: { $0.weight != nil }) { faults.append("no column has a weight") }
    if entries.isEmpty { faults.append("there are no queries for entries") }
    if entries.contains(where: { !$0.values.isEmpty }) {
      faults.append("a query must not have values")
    }
    return faults
  }

  package func validate() throws(SQLiteError) {
    try refuse(faults, in: "search \(written(identifier: name))")
  }

  /// A table in one of a connection's databases, or in the first that has it.
  private func qualified(_ table: String, in database: String?) -> String {
    (database.map { quoted(identifier: $0) + "." } ?? "") + quoted(identifier: table)
  }

  func entriesCreation(in database: String) -> SQL {
    let columns = columns.map { "  \(quoted(identifier: $0.name)) TEXT" }
    return SQL(
      generated: """
        CREATE TABLE \(qualified(entriesTable, in: database)) (
          "id" INTEGER NOT NULL PRIMARY KEY,
        \(columns.joined(separator: ",\n"))
        ) STRICT
        """)
  }

  /// The same table for comparisons; all of its columns together identify a row.
  package var entriesDescription: TableDescription {
    TableDescription(
      entriesTable, columns: columns.map { ColumnDescription($0.name, .text, isNullable: true) },
      primaryKey: [])
  }

  package var allEntries: SQL {
    SQL(generated: entries.map { "SELECT * FROM (\($0.text))" }.joined(separator: " UNION ALL "))
  }

  var fillings: [SQL] {
    let names = columns.map { quoted(identifier: $0.name) }.joined(separator: ", ")
    return entries.map {
      SQL(generated: "INSERT INTO \(quoted(identifier: entriesTable)) (\(names))\n\($0.text)")
    }
  }

  /// The index does not store the entries again.
  ///
  /// An index of prefixes of two letters would save no measurable time, since most of it is spent on ranking.
  func indexCreation(in database: String? = nil) -> SQL {
    let columns = columns.map {
      quoted(identifier: $0.name) + ($0.weight == nil ? " UNINDEXED" : "")
    }
    return SQL(
      generated: """
        CREATE VIRTUAL TABLE \(qualified(indexTable, in: database)) USING \(module)(
          \(columns.joined(separator: ", ")),
          content=\(quoted(identifier: entriesTable)), content_rowid="id",
          tokenize="unicode61 remove_diacritics 2"
        )
        """)
  }

  /// The distinct words of the index.
  var wordsCreation: SQL {
    let (words, index) = (quoted(identifier: wordsTable), quoted(identifier: indexTable))
    return SQL(generated: "CREATE VIRTUAL TABLE \(words) USING \(module)vocab(\(index), row)")
  }

  /// The ranking function, which the index stores for all queries.
  var ranking: String { "bm25(\(columns.map { "\($0.weight ?? 0)" }.joined(separator: ", ")))" }

  package var view: ViewDescription {
    let index = quoted(identifier: indexTable)
    let shown = columns.filter { !$0.isHidden }.map { quoted(identifier: $0.name) }
    let place = columns.firstIndex { haveSameBytes($0.name, excerptColumn) } ?? 0
    let excerpt = quoted(identifier: excerptColumn)
    // Grouping by the excerpt without a query, as Datasette does to suggest facets, makes snippet() fail.
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

  private var explainedColumns: [ColumnDescription] {
    columns.filter { !$0.isHidden }.map {
      ColumnDescription($0.name, .text, isNullable: true, meaning: $0.meaning)
    } + [
      ColumnDescription(
        "snippet", .text, isNullable: true,
        meaning: "An excerpt with the matching words in brackets."),
      ColumnDescription(
        "rank", .real, isNullable: true, meaning: "The rank of the row; a smaller one is better."),
      ColumnDescription(
        name, .text, isNullable: true,
        meaning: "The column to query: WHERE \(name) MATCH 'words'; it has no values."),
    ]
  }
}

extension Connection {
  /// Whether the SQLite library can create and use the index of a search.
  package func canSearch(_ search: SearchDescription) throws(SQLiteError) -> Bool {
    try value(of: "SELECT 1 FROM pragma_module_list WHERE name = \(search.module)") != nil
  }

  /// Creates and fills a search, in one transaction, and returns the number of entries.
  package func createSearch(_ search: SearchDescription) throws(SQLiteError) -> Int {
    try transaction { () throws(SQLiteError) in
      try fillSearch(search, in: "main")
      return try finishSearch(search)
    }
  }

  /// Creates and fills the tables of a search in one of the connection's databases, in none of which there are any.
  package func fillSearch(
    _ search: SearchDescription, in database: String
  ) throws(SQLiteError) {
    try search.validate()
    try execute(search.entriesCreation(in: database))
    for filling in search.fillings { try execute(filling) }
    try execute(search.indexCreation(in: database))
    try configure(search, "rank", .text(search.ranking))
    // Words that fit into this memory are written as one segment. A full catalog makes two
    // instead of six, and is 0.8 MB smaller; with 64 MB it makes one, and takes 13 MB more memory.
    // The usual setting, which is restored afterwards, suits indexes that change.
    try configure(search, "hashsize", .integer(4 << 20))
    let index = search.indexTable
    try execute("INSERT INTO \(identifier: index) (\(identifier: index)) VALUES ('rebuild')")
    try configure(search, "hashsize", .integer(1 << 20))
  }

  /// Creates a search from its tables in another of the connection's databases, in one transaction, and returns the
  /// number of entries.
  package func createSearch(
    _ search: SearchDescription, copying database: String
  ) throws(SQLiteError) -> Int {
    try transaction { () throws(SQLiteError) in
      try copyTables(of: search, from: database)
      return try finishSearch(search)
    }
  }

  private func copyTables(
    of search: SearchDescription, from database: String
  ) throws(SQLiteError) {
    try execute(search.entriesCreation(in: "main"))
    try execute(search.indexCreation(in: "main"))
    for table in search.storedTables {
      try execute("DELETE FROM main.\(identifier: table)")
      // SQLite copies such records as they are (<https://www.sqlite.org/lang_insert.html>).
      try execute(
        "INSERT INTO main.\(identifier: table) SELECT * FROM \(identifier: database).\(identifier: table)"
      )
    }
  }

  /// Creates the rest of a search whose tables are full, and returns the number of entries.
  private func finishSearch(_ search: SearchDescription) throws(SQLiteError) -> Int {
    try execute(search.wordsCreation)
    try execute(search.view.creation)
    let entries = try value(of: "SELECT count(*) FROM main.\(identifier: search.entriesTable)")
    return Int(entries?.integerValue ?? 0)
  }

  /// Throws `corrupt` unless the index contains exactly the words of the entries.
  ///
  /// SQLite's own checks do not cover it.
  package func checkSearch(_ search: SearchDescription) throws(SQLiteError) {
    try configure(search, "integrity-check", .integer(1))
  }

  /// Checks the same for a read-only file, using a copy in memory.
  ///
  /// FTS5 runs a check as an insert, although it writes nothing.
  package static func checkSearch(
    _ search: SearchDescription, ofFileAt path: String, of bytes: Int
  ) throws(SQLiteError) {
    let copy = try Connection.inMemory()
    // The copy of a sound index is smaller than its file.
    _ = try copy.query(SQL(generated: "PRAGMA max_page_count = \(1000 + bytes / 4096)"))
    let file = path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
    try copy.execute("ATTACH \(file) AS original")
    try copy.limitLength(to: 16 << 20)
    try copy.copyTables(of: search, from: "original")
    try copy.checkSearch(search)
    try copy.close()
  }

  func hasSearch(_ search: SearchDescription) throws(SQLiteError) -> Bool {
    let text = search.indexCreation().text
    return try value(
      of: """
        SELECT 1 FROM main.sqlite_schema
        WHERE type = 'table' AND name = \(search.indexTable) AND sql = \(text)
        """) != nil
  }

  private func configure(
    _ search: SearchDescription, _ setting: String, _ value: SQLiteValue
  ) throws(SQLiteError) {
    let index = search.indexTable
    try execute(
      """
      INSERT INTO \(identifier: index) (\(identifier: index), "rank") VALUES (\(setting), \(value))
      """)
  }
}
