#if PostgreSQL
  import Vocabulary
  import PostgreSQL
  import SQLiteDestination
  import SQLiteSwiftly
  import Schema
  import Provenance

  extension SchemaDescription {
    /// The statements that create all objects of the schema.
    ///
    /// Only the search is also filled, from tables that are empty.
    func postgreSQLObjects(
      _ tables: [TableDefinition], in schema: String, hasSearch: Bool,
      _ distribution: Distribution? = nil
    ) throws(PostgreSQLError) -> [String] {
      let derived = try queriedTables.map { query throws(PostgreSQLError) in
        try TableDefinition(query.table, in: schema, distribution: distribution)
      }
      let others = try Provenance.contents([], of: self).map { table, _ throws(PostgreSQLError) in
        try TableDefinition(table, in: schema)
      }
      let all = tables + derived + others
      var statements = all.map { $0.creation() } + all.flatMap(\.keyAdditions)
      statements += all.flatMap { $0.indexCreations + $0.foreignKeyAdditions + $0.comments }
      for view in views { statements += try view.postgreSQLCreation(in: schema) }
      if hasSearch, let search { statements += try search.postgreSQLCreation(in: schema) }
      return statements
    }
  }

  extension ServerSchema.Publishing {
    /// Nil for the mode that fits the published schema.
    var mode: PublishingChoice.Mode? {
      switch self {
      case .automatic: nil
      case .merge: .merge
      case .swap: .swap
      }
    }
  }
#endif
