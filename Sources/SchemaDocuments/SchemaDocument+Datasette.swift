import SQLiteSwiftly
import Schema

extension SchemaDocument {
  /// The metadata of Datasette (<https://docs.datasette.io/en/stable/metadata.html>), as JSON.
  ///
  /// Datasette knows the database by the name of its file, without what comes after the last dot.
  package func datasetteMetadata(database: String) -> String {
    let described =
      schema.describedTables + [schema.search?.view].compactMap(\.self).map(DescribedTable.init)
    let tables = described.map { ($0.name, metadata(of: $0)) }
    var hidden = internals.map { table in
      (table.name, metadata(of: DescribedTable(table), isHidden: true))
    }
    // Datasette knows by itself which tables are those of an index.
    if let search = schema.search {
      hidden.append(
        (
          search.entriesTable,
          .members([
            ("description", .text("What the search can find, and the words by which it does.")),
            ("hidden", .truth(true)),
          ])
        ))
    }
    let queries = questions.map { question in
      let members: [(String, OrderedJSON)] = [
        ("title", .text(question.title)), ("description", .text(question.meaning)),
        ("sql", .text(question.sql)),
      ]
      return (question.name, OrderedJSON.members(members))
    }
    let document = OrderedJSON.members([
      ("title", .text(title)),
      ("description", .text(meaning)),
      ("source", .text(source.name)),
      ("source_url", .text(source.address)),
      ("license", .text(license.name)),
      ("license_url", .text(license.address)),
      (
        "databases",
        .members([
          (
            database,
            .members([("queries", .members(queries)), ("tables", .members(tables + hidden))])
          )
        ])
      ),
    ])
    return document.written
  }

  private func metadata(of table: DescribedTable, isHidden: Bool = false) -> OrderedJSON {
    var members: [(String, OrderedJSON)] = []
    if let meaning = table.meaning { members.append(("description", .text(meaning))) }
    let columns = table.columns.compactMap { column in
      column.meaning.map { (column.name, OrderedJSON.text($0)) }
    }
    if !columns.isEmpty { members.append(("columns", .members(columns))) }
    if let display = displays[table.name] { members += display.metadata }
    if isHidden { members.append(("hidden", .truth(true))) }
    return .members(members)
  }
}

extension SchemaDocument.TableDisplay {
  fileprivate var metadata: [(String, OrderedJSON)] {
    var members: [(String, OrderedJSON)] = []
    if let label { members.append(("label_column", .text(label))) }
    switch order {
    case .ascending(let column): members.append(("sort", .text(column)))
    case .descending(let column): members.append(("sort_desc", .text(column)))
    case nil: break
    }
    if !facets.isEmpty {
      members.append(("facets", .list(facets.map { .text($0) })))
    }
    if let rowsOfPage { members.append(("size", .number(rowsOfPage))) }
    return members
  }
}
