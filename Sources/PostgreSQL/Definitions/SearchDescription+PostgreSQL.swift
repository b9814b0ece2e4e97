#if PostgreSQL
  import SQLiteSwiftly
  package import Schema

  extension SearchDescription {
    /// The statements that create and fill the search in a schema, with tables found through the search path.
    ///
    /// The search is one table with a row for each entry. The server fills a column, named like the table, with the words;
    /// queries use it like the column of that name in SQLite. The configuration `simple` ignores case and applies no
    /// language rules
    /// (<https://www.postgresql.org/docs/current/textsearch-dictionaries.html>).
    ///
    /// - Throws: `PostgreSQLError` with `misuse` if the description has faults or a name is too long.
    package func postgreSQLCreation(in schema: String) throws(PostgreSQLError) -> [String] {
      try check(faults, of: "the search \(name)", names: [schema, name] + columns.map(\.name))
      let table = qualified(name, in: schema)
      let names = columns.map { quoted(identifier: $0.name) }
      let definitions = names.map { "  \($0) \(ColumnDescription.DataType.text.postgreSQL),\n" }
      let creation = """
        CREATE TABLE \(table) (
        \(definitions.joined())  \(quoted(identifier: name)) tsvector GENERATED ALWAYS AS (
            \(words)) STORED
        )
        """
      let list = names.joined(separator: ", ")
      let fillings = entries.map { "INSERT INTO \(table) (\(list))\n\($0.postgreSQL)" }
      let usage = "To search: WHERE \(name) @@ websearch_to_tsquery('simple', 'words')."
      let completions = [
        "CREATE INDEX ON \(table) USING gin (\(quoted(identifier: name)))", "ANALYZE \(table)",
      ]
      return [creation] + fillings + completions
        + explanations(
          of: "TABLE", table, meaning,
          columns: columns.map { ($0.name, $0.meaning) } + [(name, usage)])
    }

    /// The words of all searched columns with their weights.
    ///
    /// The server has four weights, of which `ts_rank` ranks the first highest. PostgreSQL's parser would
    /// read `Technic/Model` as a file name, and so as one word.
    private var words: String {
      let labels = ["A", "B", "C", "D"]
      let weights = Set(columns.compactMap(\.weight)).sorted(by: >)
      return columns.compactMap { column -> String? in
        guard let rank = column.weight.flatMap(weights.firstIndex(of:)) else { return nil }
        let text = "coalesce(translate(\(quoted(identifier: column.name)), '/', ' '), '')"
        return "setweight(to_tsvector('simple', \(text)), '\(labels[min(rank, 3)])')"
      }.joined(separator: "\n      || ")
    }
  }
#endif
