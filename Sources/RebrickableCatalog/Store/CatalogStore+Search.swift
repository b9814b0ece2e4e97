public import SQLiteSwiftly

extension CatalogStore {
  /// Searches parts, sets, minifigs and themes by name and number.
  ///
  /// ```swift
  /// let found = try catalog.search("bandit amb", limit: 5).map(\.key)
  /// ```
  ///
  /// Case and diacritics are ignored. The last word matches as a prefix. No character has a special meaning; for the
  /// query syntax of FTS5, query the view `search`.
  ///
  /// - Parameters:
  ///   - text: words that must all match.
  ///   - limit: the maximum number of results.
  /// - Returns: The results, best first; empty for a text without words.
  /// - Throws: `CatalogError.noSearch` if the catalog was loaded without the search; `CatalogError.reading`.
  public func search(
    _ text: String, limit: Int = 20
  ) throws(CatalogError) -> [RebrickableCatalog.SearchResult] {
    let hasSearch: Int? = try row(
      "SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = 'search'")
    guard hasSearch != nil else { throw .noSearch }
    // FTS5 ignores tokens without letters, such as a lone hyphen, and stops at a NUL.
    let words = text.split { $0.isWhitespace || $0 == "\0" }.filter { word in
      word.contains { $0.isLetter || $0.isNumber }
    }
    guard !words.isEmpty else { return [] }
    let phrases = words.map { word in
      "\""
        + word.split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\"\"") + "\""
    }
    let question = phrases.joined(separator: " ") + "*"
    return try rows(
      """
      SELECT kind, key, name, snippet FROM search
      WHERE search MATCH \(question) ORDER BY rank, kind, key LIMIT \(max(limit, 0))
      """)
  }
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
