public import SQLiteSwiftly

extension CatalogStore {
  /// Searches parts, sets, minifigs and themes by name and number.
  ///
  /// ```swift
  /// let found = try catalog.search("bandit amb", limit: 5).map(\.key)
  /// ```
  ///
  /// This is the question `search-by-name` of the cookbook. Case, diacritics, punctuation and plurals do not matter,
  /// and the last word may be incomplete. Without a match, words may have one wrong letter, or be missing. No character
  /// has a special meaning; for the query syntax of FTS5, query the view `search`.
  ///
  /// - Parameters:
  ///   - text: what a person typed; only its first 200 characters and twelve words count.
  ///   - limit: the maximum number of results.
  /// - Returns: The results, best first; empty for a text without words.
  /// - Throws: `CatalogError.noSearch` if the catalog was loaded without the search; `CatalogError.reading`.
  public func search(
    _ text: String, limit: Int = 20
  ) throws(CatalogError) -> [RebrickableCatalog.SearchResult] {
    let hasSearch: Int? = try row(
      "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'search_words'")
    guard hasSearch != nil else { throw .noSearch }
    let words = String(text.map { $0 == "\0" ? " " : $0 })
    return try rows(SQL(generated: Self.query + "\(max(limit, 0))"), ["text": words])
  }

  /// The cookbook's query, up to its limit.
  ///
  /// It quotes each word for FTS5, so no text is an error; its `substr` ends a text at a NUL. At most 200 characters, 12
  /// words, and 1,000 results of FTS5 count, which bounds the time.
  private static let query: String = {
    let question = RebrickableCatalog.cookbook.first { $0.name == "search-by-name" }
    return String(question?.sql.text.dropLast("20".count) ?? "")
  }()
}

extension RebrickableCatalog {
  /// A search result.
  public struct SearchResult: RowDecodable, Hashable, Sendable {
    /// The kind of result.
    public var kind: Kind
    /// Its number or id.
    public var key: String
    /// Its name.
    public var name: String
    /// The name or an excerpt, with the matching words in brackets.
    public var snippet: String

    /// The kind of a search result; unknown ones are preserved.
    public struct Kind: RawRepresentable, Hashable, Sendable, QueryDecodableValue {
      /// The word in the database.
      public let rawValue: String

      /// Creates a kind from its word.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// A part, by its number.
      public static let part = Self(rawValue: "part")
      /// A set, by its number.
      public static let set = Self(rawValue: "set")
      /// A minifig, by its number.
      public static let minifig = Self(rawValue: "minifig")
      /// A theme, by its id.
      public static let theme = Self(rawValue: "theme")
    }

    /// Reads a row.
    public init(row: borrowing Row) throws(SQLiteError) {
      kind = try row["kind"]
      key = try row["key"]
      name = try row["name"]
      snippet = try row["snippet"]
    }
  }
}
