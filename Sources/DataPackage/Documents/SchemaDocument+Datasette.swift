import Text
import SQLiteSwiftly
import Schema

extension SchemaDocument {
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
        ("title", JSON(question.title)), ("description", JSON(question.meaning)),
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

  private func metadata(of table: DescribedTable, isHidden: Bool = false) -> JSON {
    let columns = table.columns.map { ($0.name, $0.meaning.map { JSON($0) }) }
    let hasMeanings = columns.contains { $0.1 != nil }
    return JSON(
      members: [
        ("description", table.meaning.map { JSON($0) }),
        ("columns", hasMeanings ? JSON(members: columns) : nil),
      ] + (displays[table.name]?.metadata ?? []) + [("hidden", isHidden ? JSON(true) : nil)])
  }
}

extension SchemaDocument.TableDisplay {
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
