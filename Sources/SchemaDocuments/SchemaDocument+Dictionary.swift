import SQLiteSwiftly
import Schema

extension SchemaDocument {
  /// The data dictionary, in Markdown: each table and view with its columns, in the order of the schema.
  ///
  /// It shows the picture of the tables that has the name `diagram`, and says by which `command` it is
  /// printed.
  package func dictionary(diagram: String, printedBy command: String) -> String {
    let tables = schema.tables.map(DescribedTable.init)
    let derived = schema.allDerivedTables.map(DescribedTable.init)
    let parts = [
      """
      # Data dictionary

      What the tables, views and columns of the catalog mean.

      ## Overview

      \(meaning) Bold columns are keys, and an arrow leads to the table that a column refers to.

      ![The tables, and how they refer to each other](\(diagram))

      In the picture, tables with a gray head are worked out from the others, and `?` marks what may be NULL.

      "Since" says which dumps were the first to have a table or a column; the oldest that were seen are of 2017. The \
      file has the same in its tables `ingest_tables` and `ingest_columns`. `\(command)` prints this page.
      """,
      section("Tables of the dumps", tables),
      section("Tables that are worked out from them", derived),
      section("Views", views.map(DescribedTable.init)),
      section("Where a catalog came from", internals.map(DescribedTable.init)),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
  }

  private func section(_ title: String, _ tables: [DescribedTable]) -> String {
    guard !tables.isEmpty else { return "" }
    return (["## " + title] + tables.map(\.markdown)).joined(separator: "\n\n")
  }
}

extension DescribedTable {
  fileprivate var markdown: String {
    var lines = ["### \(name)", ""]
    let facts = [meaning, since.map { "Since \($0)." }].compactMap(\.self)
    if !facts.isEmpty { lines += [facts.joined(separator: " "), ""] }
    lines += [
      "| column | type | values | meaning | since | example |", "|---|---|---|---|---|---|",
    ]
    lines += columns.map(row)
    let keys = (table?.uniqueKeys ?? []).map { "Unique, too: \($0.joined(separator: ", "))." }
    return (lines + keys.flatMap { ["", $0] }).joined(separator: "\n")
  }

  private func row(of column: ColumnDescription) -> String {
    let isKey = table?.primaryKey.hasName(column.name) ?? false
    let references = (table?.foreignKeys ?? []).filter { $0.columns.hasName(column.name) }
      .map { key in
        " → \(key.table)"
          + (key.columns.count == 1 ? "" : " (by \(key.columns.joined(separator: ", ")))")
      }
    let cells = [
      isKey ? "**\(column.name)**" : column.name,
      column.type.name + (mayBeNull(column) ? " or NULL" : "") + references.joined(),
      column.domainText ?? "",
      column.meaning ?? "",
      column.since ?? "",
      column.example.map { "`\($0.plainText)`" } ?? "",
    ]
    return "| " + cells.map { $0.escaped }.joined(separator: " | ") + " |"
  }
}

extension String {
  /// For a cell of a table in Markdown.
  fileprivate var escaped: String {
    split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }
}
