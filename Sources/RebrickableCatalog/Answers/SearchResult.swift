public import SQLiteSwiftly

extension RebrickableCatalog {
  /// Something whose name or number has the words that were searched for.
  ///
  /// ```swift
  /// let sets = try catalog.search("bandit").filter { $0.kind == .set }
  /// ```
  public struct SearchResult: RowDecodable, Hashable, Sendable {
    /// What was found.
    public var kind: Kind
    /// Its number or id.
    public var key: String
    /// Its name.
    public var name: String
    /// The name, or what is to the point in it, with the words in brackets.
    public var snippet: String

    /// What a search finds; other kinds than the known ones are kept as they are.
    ///
    /// ```swift
    /// let names = try catalog.search("knight").filter { $0.kind == .minifig }.map(\.name)
    /// ```
    public struct Kind: RawRepresentable, Hashable, Sendable, QueryDecodableValue {
      /// The word for it.
      public let rawValue: String

      /// Makes the kind of a word.
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
