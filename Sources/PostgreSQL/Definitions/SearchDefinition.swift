#if PostgreSQL
  import SQLiteSwiftly
  package import Schema

  /// The statements that make the search of a description in a schema.
  ///
  /// It is one table with a row for each thing that can be found. A column with the table's own name has the words, as
  /// in a file the view's column of that name is what is asked; the server fills it. The configuration `simple` takes
  /// words as they are, whatever their case, and knows no language
  /// (<https://www.postgresql.org/docs/current/textsearch-dictionaries.html>).
  package struct SearchDefinition: Sendable {
    private let search: SearchDescription
    private let schema: String

    /// Takes a description for a schema.
    ///
    /// - Throws: `PostgreSQLError` with `misuse` if the description has faults or a name is too long.
    package init(_ search: SearchDescription, in schema: String) throws(PostgreSQLError) {
      guard search.faults.isEmpty else {
        throw PostgreSQLError(
          .misuse, "The description of the search \(search.name) is wrong",
          detail: search.faults.joined(separator: "; "))
      }
      for name in [schema, search.name] + search.columns.map(\.name) { try check(identifier: name) }
      self.search = search
      self.schema = schema
    }

    /// The name with that of the schema, in quotes.
    package var qualifiedName: String {
      "\(quoted(identifier: schema)).\(quoted(identifier: search.name))"
    }

    /// The `CREATE TABLE`.
    package var creation: String {
      let columns = search.columns.map {
        "  \(quoted(identifier: $0.name)) \(ColumnDescription.DataType.text.postgreSQL),\n"
      }
      return """
        CREATE TABLE \(qualifiedName) (
        \(columns.joined())  \(quoted(identifier: search.name)) tsvector GENERATED ALWAYS AS (
            \(words)) STORED
        )
        """
    }

    /// The words of all columns that count, each with its weight.
    ///
    /// PostgreSQL's parser would take `Technic/Model` for the name of a file, and so for one word.
    private var words: String {
      let weights = Set(search.columns.compactMap(\.weight)).sorted(by: >)
      return search.columns.compactMap { column -> String? in
        guard let rank = column.weight.flatMap(weights.firstIndex(of:)) else { return nil }
        let text = "coalesce(translate(\(quoted(identifier: column.name)), '/', ' '), '')"
        return "setweight(to_tsvector('simple', \(text)), '\(Self.labels[min(rank, 3)])')"
      }.joined(separator: "\n      || ")
    }

    /// The weights that the server has: `ts_rank` gives the first one the most.
    private static let labels = ["A", "B", "C", "D"]

    /// The statements that fill it, with tables that are looked up in the search path.
    package var fillings: [String] {
      let names = search.columns.map { quoted(identifier: $0.name) }.joined(separator: ", ")
      return search.entries.map { "INSERT INTO \(qualifiedName) (\(names))\n\($0.postgreSQL)" }
    }

    /// The index of the words, and what the planner wants to know.
    package var completions: [String] {
      [
        "CREATE INDEX ON \(qualifiedName) USING gin (\(quoted(identifier: search.name)))",
        "ANALYZE \(qualifiedName)",
      ]
    }

    /// A `COMMENT` for the table and for each column that somebody has explained.
    package var comments: [String] {
      let asked =
        "What to ask: WHERE \(search.name) @@ websearch_to_tsquery('simple', 'words')."
      return explanations(
        of: "TABLE", qualifiedName, search.meaning,
        columns: search.columns.map { ($0.name, $0.meaning) } + [(search.name, asked)])
    }
  }
#endif
