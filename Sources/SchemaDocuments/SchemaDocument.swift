package import SQLiteSwiftly
package import Schema

/// A schema and what else its readers are told of it: whence it is, what it is asked, how it is shown.
package struct SchemaDocument: Sendable {
  package let title: String
  /// What it is, in sentences.
  package let meaning: String
  package let source: Link
  package let license: Link
  package let schema: SchemaDescription
  /// Tables that only those look into who care for the database itself.
  package var internals: [TableDescription] = []
  package let displays: [String: TableDisplay]
  package let questions: [Question]
  /// The names of the tables of the diagram, column by column, each from top to bottom.
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

  package struct Link: Sendable {
    let name: String
    let address: String

    package init(_ name: String, _ address: String) {
      self.name = name
      self.address = address
    }
  }

  /// How a table or view is shown to those who browse it.
  package struct TableDisplay: Sendable {
    let label: String?
    let order: Order?
    let facets: [String]
    let rowsOfPage: Int?

    /// Says how it is shown.
    ///
    /// - Parameters:
    ///   - label: the column that is shown beside the key of a row wherever others refer to it.
    ///   - order: by which column rows are sorted, if not by the key.
    ///   - facets: the columns whose values are counted, to choose rows by.
    ///   - rowsOfPage: how many rows are shown at once.
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

  package struct Question: Sendable {
    let name: String
    let title: String
    let meaning: String
    let sql: String

    /// A question with a name for an address, such as `parts-of-a-set`, and a query with `:name` for what must be given.
    package init(_ name: String, title: String, meaning: String, sql: String) {
      self.name = name
      self.title = title
      self.meaning = meaning
      self.sql = sql
    }
  }
}
