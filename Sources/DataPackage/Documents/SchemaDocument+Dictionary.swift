import SQLiteSwiftly
import Schema

extension SchemaDocument {
  /// The data dictionary, in Markdown, with the picture `diagram` and the command that prints it.
  package func dictionary(diagram: String, printedBy command: String) -> String {
    let tables = schema.tables.map(DescribedTable.init)
    let derived = schema.allDerivedTables.map(DescribedTable.init)
    let hasSince = tables.contains { $0.since != nil || $0.columns.contains { $0.since != nil } }
    let notes = [
      derived.isEmpty ? nil : "Tables with a gray head are derived from the others.",
      "`?` marks columns that may be NULL.",
      hasSince
        ? "\"Since\" is the date of the first source files with the table or column." : nil,
      "The database has the same descriptions in `ingest_tables` and `ingest_columns`.",
      "`\(command)` prints this page.",
    ]
    let parts = [
      """
      # Data dictionary

      \(title.escapedForMarkdown): tables, views and columns.

      ## Overview

      \(meaning) Bold columns are keys. Arrows point from a column to the table that it references.

      ![Tables and their references](\(diagram))

      \(notes.compactMap(\.self).joined(separator: " "))
      """,
      section("Tables of the source files", tables),
      section("Derived tables", derived),
      section("Views", views.map(DescribedTable.init)),
      section("Tables about the run", internals.map(DescribedTable.init)),
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
    var lines = ["### \(name.escapedForMarkdown)", ""]
    let facts = [meaning, since.map { "Since \($0)." }].compactMap { $0?.escapedForMarkdown }
    if !facts.isEmpty { lines += [facts.joined(separator: " "), ""] }
    lines += [
      "| column | type | values | meaning | since | example |", "|---|---|---|---|---|---|",
    ]
    lines += columns.map(row)
    let keys = (table?.uniqueKeys ?? []).map {
      "Also unique: \($0.joined(separator: ", ").escapedForMarkdown)."
    }
    return (lines + keys.flatMap { ["", $0] }).joined(separator: "\n")
  }

  private func row(of column: ColumnDescription) -> String {
    let isKey = table?.primaryKey.hasName(column.name) ?? false
    let references = (table?.foreignKeys ?? []).filter { $0.columns.hasName(column.name) }
      .map { key in
        " → \(key.table)"
          + (key.columns.count == 1 ? "" : " (by \(key.columns.joined(separator: ", ")))")
      }
    let name = column.name.escapedForMarkdown
    let type = column.type.name + (mayBeNull(column) ? " or NULL" : "") + references.joined()
    let cells = [
      isKey ? "**\(name)**" : name, type.escapedForMarkdown,
      (column.domainText ?? "").escapedForMarkdown, (column.meaning ?? "").escapedForMarkdown,
      (column.since ?? "").escapedForMarkdown, column.example?.plainText.codeInMarkdown ?? "",
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }
}
