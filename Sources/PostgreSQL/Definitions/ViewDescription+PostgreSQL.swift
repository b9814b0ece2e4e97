#if PostgreSQL
  import SQLiteSwiftly
  package import Schema

  extension ViewDescription {
    /// The statements that make the view in a schema.
    ///
    /// The tables are looked up in the search path while it is made. The server keeps which ones they are and not what
    /// they were called, so that the view follows its schema when that is renamed.
    ///
    /// - Throws: `PostgreSQLError` with `misuse` if the description has faults or a name is too long.
    package func postgreSQLCreation(in schema: String) throws(PostgreSQLError) -> [String] {
      try check(faults, of: "the view \(name)", names: [schema, name] + columns.map(\.name))
      let qualifiedName = qualified(name, in: schema)
      return ["CREATE VIEW \(qualifiedName) AS\n\(query.postgreSQL)"]
        + explanations(
          of: "VIEW", qualifiedName, meaning, columns: columns.map { ($0.name, $0.meaning) })
    }
  }
#endif
