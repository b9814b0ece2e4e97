package import SQLiteSwiftly
package import Schema

/// A schema with documentation: source, license, common queries, and display settings.
package struct SchemaDocument: Sendable {
  package let title: String
  /// A description, in sentences.
  package var meaning = "Tables loaded and checked by ingest."
  package var source: Link?
  package var license: Link?
  package let schema: SchemaDescription
  /// Tables about the database itself.
  package var internals: [TableDescription] = []
  package var displays: [String: TableDisplay] = [:]
  package var questions: [Question] = []
  /// The table names of the diagram, by column, each from top to bottom.
  package var diagram: [[String]]

  /// The documentation of a schema that has no more than its descriptions.
  package init(of schema: SchemaDescription, title: String) {
    self.title = title
    self.schema = schema
    diagram = Self.columns(of: schema)
  }

  /// The tables in columns of a diagram: each one is to the left of those that it references.
  private static func columns(of schema: SchemaDescription) -> [[String]] {
    let tables = schema.tables + schema.allDerivedTables
    var depths = [Int](repeating: 0, count: tables.count)
    // Parents are earlier than their children, except for derived tables.
    for _ in 0..<2 {
      for (child, table) in tables.enumerated() {
        let parents = table.foreignKeys.compactMap { key in
          tables.firstIndex { haveSameBytes($0.name, key.table) }
        }
        depths[child] = parents.filter { $0 != child }.map { depths[$0] + 1 }.max() ?? 0
      }
    }
    return (0...(depths.max() ?? 0)).reversed().map { depth in
      zip(tables, depths).filter { $0.1 == depth }.map(\.0.name)
    }
  }

  var views: [ViewDescription] { schema.views + [schema.search?.view].compactMap(\.self) }

  package typealias Link = (name: String, address: String)

  /// A query with parameters such as `:name`, and a name for its URL, such as `parts-of-a-set`.
  package typealias Question = (name: String, title: String, meaning: String, sql: String)

  /// Display settings of a table or view.
  package struct TableDisplay: Sendable {
    let label: String?
    let order: Order?
    let facets: [String]
    let rowsOfPage: Int?

    /// `label` is the column that labels a row in references to it, `order` the one to sort by, by default the key;
    /// `facets` are columns to filter by, with counts.
    package init(
      label: String? = nil, order: Order? = nil, facets: [String] = [], rowsOfPage: Int? = nil
    ) {
      self.label = label
      self.order = order
      self.facets = facets
      self.rowsOfPage = rowsOfPage
    }

    package enum Order: Sendable {
      case ascending(String)
      case descending(String)
    }
  }
}
