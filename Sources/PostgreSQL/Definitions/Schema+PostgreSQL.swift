#if PostgreSQL
  package import Schema
  import SQLiteSwiftly

  extension KeyUnionDescription {
    package func postgreSQLFilling(in schema: String) -> String {
      let columns = ([column] + members.compactMap(\.reference)).map(quoted(identifier:))
      // PostgreSQL needs a type for NULL.
      let key = ServerType(table.columns[0], nil, isKey: true, isShared: true)
      let query = query(null: "NULL::\(key.rawValue)") { qualified($0, in: schema) }
      return "INSERT INTO \(qualified(name, in: schema)) (\(columns.joined(separator: ", ")))\n"
        + query
    }
  }

  extension ViewDescription {
    /// Creates the view in a schema, with tables found through the search path.
    ///
    /// The server stores the tables and not their names, so the view stays valid when its schema is renamed.
    package func postgreSQLCreation(in schema: String) throws(PostgreSQLError) -> [String] {
      try check(faults, of: "the view \(name)", names: [schema, name] + columns.map(\.name))
      let qualifiedName = qualified(name, in: schema)
      return ["CREATE VIEW \(qualifiedName) AS\n\(query.postgreSQL)"]
        + explanations(
          of: "VIEW", qualifiedName, meaning, columns: columns.map { ($0.name, $0.meaning) })
    }
  }

  extension SearchDescription {
    /// Creates and fills the search in a schema, with tables found through the search path.
    ///
    /// The search is one table with a row for each entry. The server fills a column, named like the table, with the
    /// words; queries use it like the column of that name in SQLite. The configuration `simple` ignores case and
    /// applies no language rules (<https://www.postgresql.org/docs/current/textsearch-dictionaries.html>).
    ///
    /// If `isStaged`, it has no words and no index: its rows are only compared with the published ones.
    package func postgreSQLCreation(
      in schema: String, isStaged: Bool = false, isLogged: Bool = true
    ) throws(PostgreSQLError) -> [String] {
      try check(faults, of: "the search \(name)", names: [schema, name] + columns.map(\.name))
      let table = qualified(name, in: schema)
      let names = columns.map { quoted(identifier: $0.name) }
      let definitions = names.map { "  \($0) \(ServerType.text.rawValue)" }
      let words = """
          \(quoted(identifier: name)) tsvector GENERATED ALWAYS AS (
            \(words)) STORED
        """
      let creation = """
        CREATE \(isLogged ? "" : "UNLOGGED ")TABLE \(table) (
        \((definitions + (isStaged ? [] : [words])).joined(separator: ",\n"))
        )
        """
      let list = names.joined(separator: ", ")
      let fillings = entries.map { "INSERT INTO \(table) (\(list))\n\($0.postgreSQL)" }
      guard !isStaged else { return [creation] + fillings }
      let usage = "To search: WHERE \(name) @@ websearch_to_tsquery('simple', 'words')."
      let completions = [
        "CREATE INDEX ON \(table) USING gin (\(quoted(identifier: name)))",
        identification(ofRowsIn: table), "ANALYZE \(table)",
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

  extension StatisticsDescription {
    /// The statements that create what the queries of the tables share, as temporary tables; `sources` is a `WITH` clause
    /// for the tables that are not in the search path.
    package func postgreSQLPreparation(reading sources: String = "") -> [String] {
      shared.flatMap { name, query in
        let table = quoted(identifier: name)
        let rows = "\(sources)SELECT * FROM (\(query.postgreSQL)) AS shared"
        return [
          "CREATE TEMPORARY TABLE \(table) AS \(rows)",
          "ANALYZE \(table)",
        ]
      }
    }

    package var postgreSQLRemoval: String {
      "DROP TABLE \(shared.map { quoted(identifier: $0.name) }.joined(separator: ", "))"
    }
  }
#endif
