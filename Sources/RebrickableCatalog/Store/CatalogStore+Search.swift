import SQLiteSwiftly

extension CatalogStore {
  /// Finds parts, sets, minifigs and themes by words of their names, and by their numbers.
  ///
  /// ```swift
  /// let found = try catalog.search("bandit amb", limit: 5).map(\.key)
  /// ```
  ///
  /// Letters are found whatever their case and their marks. The last word may be the beginning of one. Nothing
  /// in the text has a meaning of its own: for the language of FTS5, the view `search` is asked by SQL.
  ///
  /// - Parameters:
  ///   - text: words, all of which are to be found.
  ///   - limit: how many results are returned at most.
  /// - Returns: The results, the best first; none for a text without words.
  /// - Throws: `CatalogError.noSearch` if the catalog was loaded without it; `CatalogError.reading`.
  public func search(
    _ text: String, limit: Int = 20
  ) throws(CatalogError) -> [RebrickableCatalog.SearchResult] {
    let hasSearch: Int? = try row(
      "SELECT 1 FROM sqlite_schema WHERE type = 'view' AND name = 'search'")
    guard hasSearch != nil else { throw .noSearch }
    // FTS5 takes what it cannot find, such as a hyphen alone, for nothing, and stops at a NUL.
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
