#if PostgreSQL
  import SQLiteSwiftly
  package import Schema

  extension SearchDescription {
    /// The statements that make and fill the search in a schema, with tables that are looked up in the search path.
    ///
    /// It is one table with a row for each thing that can be found. A column with the table's own name has the words, as
    /// in a file the view's column of that name is what is asked; the server fills it. The configuration `simple` takes
    /// words as they are, whatever their case, and knows no language
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
      let asked = "What to ask: WHERE \(name) @@ websearch_to_tsquery('simple', 'words')."
      let completions = [
        "CREATE INDEX ON \(table) USING gin (\(quoted(identifier: name)))", "ANALYZE \(table)",
      ]
      return [creation] + fillings + completions
        + explanations(
          of: "TABLE", table, meaning,
          columns: columns.map { ($0.name, $0.meaning) } + [(name, asked)])
    }

    /// The words of all columns that count, each with its weight, of which the server has four and `ts_rank` gives the
    /// first one the most.
    ///
    /// PostgreSQL's parser would take `Technic/Model` for the name of a file, and so for one word.
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
