#if PostgreSQL
  import SQLiteSwiftly
  package import Schema

  extension ViewDescription {
    /// The statements that create the view in a schema.
    ///
    /// The tables are found through the search path on creation. The server stores the tables and not their names, so the
    /// view stays valid when its schema is renamed.
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
