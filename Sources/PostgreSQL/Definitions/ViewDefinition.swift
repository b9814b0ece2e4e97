#if PostgreSQL
  import SQLiteSwiftly
  package import Schema

  /// The statements that make the view of a description in a schema.
  ///
  /// The tables are looked up in the search path while it is made. The server keeps which ones they are and not what
  /// they were called, so that the view follows its schema when that is renamed.
  package struct ViewDefinition: Sendable {
    private let view: ViewDescription
    private let schema: String

    /// Takes a description for a schema.
    ///
    /// - Throws: `PostgreSQLError` with `misuse` if the description has faults or a name is too long.
    package init(_ view: ViewDescription, in schema: String) throws(PostgreSQLError) {
      guard view.faults.isEmpty else {
        throw PostgreSQLError(
          .misuse, "The description of the view \(view.name) is wrong",
          detail: view.faults.joined(separator: "; "))
      }
      for name in [schema, view.name] + view.columns.map(\.name) { try check(identifier: name) }
      self.view = view
      self.schema = schema
    }

    private var qualifiedName: String {
      "\(quoted(identifier: schema)).\(quoted(identifier: view.name))"
    }

    /// The `CREATE VIEW`.
    package var creation: String { "CREATE VIEW \(qualifiedName) AS\n\(view.query.postgreSQL)" }

    /// A `COMMENT` for the view and for each column that somebody has explained.
    package var comments: [String] {
      explanations(
        of: "VIEW", qualifiedName, view.meaning,
        columns: view.columns.map { ($0.name, $0.meaning) })
    }
  }

  /// A `COMMENT` for a table or a view and for each of its columns that somebody has explained.
  func explanations(
    of kind: String, _ qualifiedName: String, _ meaning: String?,
    columns: [(name: String, meaning: String?)]
  ) -> [String] {
    let whole = meaning.map { "COMMENT ON \(kind) \(qualifiedName) IS \(quoted(text: $0))" }
    return [whole].compactMap(\.self)
      + columns.compactMap { column in
        column.meaning.map {
          "COMMENT ON COLUMN \(qualifiedName).\(quoted(identifier: column.name)) IS \(quoted(text: $0))"
        }
      }
  }
#endif
