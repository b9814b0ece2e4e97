public import SQLiteSwiftly

extension RebrickableCatalog {
  /// A search result.
  ///
  /// ```swift
  /// let sets = try catalog.search("bandit").filter { $0.kind == .set }
  /// ```
  public struct SearchResult: RowDecodable, Hashable, Sendable {
    /// The kind of result.
    public var kind: Kind
    /// Its number or id.
    public var key: String
    /// Its name.
    public var name: String
    /// The name or an excerpt, with the matching words in brackets.
    public var snippet: String

    /// The kind of a search result.
    ///
    /// Unknown kinds are preserved.
    ///
    /// ```swift
    /// let names = try catalog.search("knight").filter { $0.kind == .minifig }.map(\.name)
    /// ```
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
