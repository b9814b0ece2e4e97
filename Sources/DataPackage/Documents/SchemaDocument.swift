package import Schema
package import SQLiteSwiftly
import Text

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
  /// A section of the dictionary before those of the tables, in Markdown.
  package var guide = ""
  /// The table names of the diagram, by column, each from top to bottom.
  package var diagram: [[String]]

  /// The documentation of a schema that has no more than its descriptions.
  package init(of schema: SchemaDescription, title: String) {
    self.title = title
    self.schema = schema
    // In the diagram, each table is to the left of those that it references.
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
    diagram = (0...(depths.max() ?? 0)).reversed().map { depth in
      zip(tables, depths).filter { $0.1 == depth }.map(\.0.name)
    }
  }

  var views: [ViewDescription] { schema.views + [schema.search?.view].compactMap(\.self) }

  package typealias Link = (name: String, address: String)

  /// A query with parameters such as `:name`, and a name for its URL, such as `parts-of-a-set`.
  package typealias Question = (name: String, title: String, meaning: String, sql: String)

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

    fileprivate var metadata: [(String, JSON?)] {
      let sort: (String, JSON?) =
        switch order {
        case .ascending(let column): ("sort", JSON(column))
        case .descending(let column): ("sort_desc", JSON(column))
        case nil: ("sort", nil)
        }
      return [
        ("label_column", label.map { JSON($0) }), sort,
        ("facets", JSON(facets).unlessEmpty), ("size", rowsOfPage.map { JSON($0) }),
      ]
    }
  }

  /// Datasette metadata (<https://docs.datasette.io/en/stable/metadata.html>) as JSON; `database` is the name of
  /// the file without the extension.
  package func datasetteMetadata(database: String) -> String {
    let described =
      schema.describedTables + [schema.search?.view].compactMap(\.self).map(DescribedTable.init)
    let tables = described.map { ($0.name, metadata(of: $0)) }
    var hidden = internals.map { table in
      (table.name, metadata(of: DescribedTable(table), isHidden: true))
    }
    // Datasette detects and hides the tables of the index itself.
    if let search = schema.search {
      let members: [(String, JSON?)] = [
        ("description", "The entries of the search, with their words."),
        ("hidden", JSON(true)),
      ]
      hidden.append((search.entriesTable, JSON(members: members)))
    }
    let queries = questions.map { question in
      let members: [(String, JSON?)] = [
        ("title", JSON(question.title)), ("description", plain(question.meaning)),
        ("sql", JSON(question.sql)), ("hide_sql", JSON(true)),
      ]
      return (question.name, JSON(members: members))
    }
    let contents = JSON(members: [
      ("queries", JSON(members: queries).unlessEmpty), ("tables", JSON(members: tables + hidden)),
    ])
    let document = JSON(members: [
      ("title", JSON(title)),
      ("description", JSON(meaning)),
      ("source", (source?.name).map { JSON($0) }),
      ("source_url", (source?.address).map { JSON($0) }),
      ("license", (license?.name).map { JSON($0) }),
      ("license_url", (license?.address).map { JSON($0) }),
      ("databases", JSON(members: [(database, contents)])),
    ])
    return document.written(as: .metadata)
  }

  /// A text without Markdown's backticks, which Datasette would show.
  private func plain(_ text: String) -> JSON { JSON(text.replacing(/`([^`]*)`/) { $0.output.1 }) }

  private func metadata(of table: DescribedTable, isHidden: Bool = false) -> JSON {
    let columns = table.columns.map { ($0.name, $0.meaning.map(plain)) }
    let hasMeanings = columns.contains { $0.1 != nil }
    return JSON(
      members: [
        ("description", table.meaning.map(plain)),
        ("columns", hasMeanings ? JSON(members: columns) : nil),
      ] + (displays[table.name]?.metadata ?? []) + [("hidden", isHidden ? JSON(true) : nil)])
  }
}
