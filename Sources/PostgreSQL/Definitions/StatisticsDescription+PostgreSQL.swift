#if PostgreSQL
  package import Schema
  import SQLiteSwiftly

  extension StatisticsDescription {
    /// The statements that create what the queries of the tables share, in the first schema of the search path or as
    /// temporary tables; `sources` is a `WITH` clause for the tables that are not in the search path.
    package func postgreSQLPreparation(
      isTemporary: Bool = false, reading sources: String = ""
    ) -> [String] {
      shared.flatMap { name, query in
        let table = quoted(identifier: name)
        let rows = "\(sources)SELECT * FROM (\(query.postgreSQL)) AS shared"
        return [
          "CREATE \(isTemporary ? "TEMPORARY" : "UNLOGGED") TABLE \(table) AS \(rows)",
          "ANALYZE \(table)",
        ]
      }
    }

    /// Drops what the preparation created.
    package var postgreSQLRemoval: String {
      "DROP TABLE \(shared.map { quoted(identifier: $0.name) }.joined(separator: ", "))"
    }
  }
#endif
