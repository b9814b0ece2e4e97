package import SQLiteSwiftly
package import Schema

/// A schema with documentation: source, license, common queries, and display settings.
package struct SchemaDocument: Sendable {
  package let title: String
  /// A description, in sentences.
  package let meaning: String
  package let source: Link
  package let license: Link
  package let schema: SchemaDescription
  /// Tables about the database itself.
  package var internals: [TableDescription] = []
  package let displays: [String: TableDisplay]
  package let questions: [Question]
  /// The table names of the diagram, by column, each from top to bottom.
  package let diagram: [[String]]

  package init(
    title: String, meaning: String, source: Link, license: Link, schema: SchemaDescription,
    displays: [String: TableDisplay], questions: [Question], diagram: [[String]]
  ) {
    self.title = title
    self.meaning = meaning
    self.source = source
    self.license = license
    self.schema = schema
    self.displays = displays
    self.questions = questions
    self.diagram = diagram
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
