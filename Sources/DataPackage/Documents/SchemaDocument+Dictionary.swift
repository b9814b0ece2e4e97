import Schema
import SQLiteSwiftly
import Text

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
      guide,
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

extension String {
  /// The text as Markdown that shows it: descriptions come from others, and cannot become headings, links or HTML.
  ///
  /// Only code between two backticks remains, in which nothing is markup.
  var escapedForMarkdown: String {
    let parts = onOneLine.unicodeScalars.split(separator: "`", omittingEmptySubsequences: false)
      .map { String($0) }
    var text = ""
    for (index, part) in parts.enumerated() {
      // The backticks before and after a part of code are pairs.
      let isCode = !index.isMultiple(of: 2) && index < parts.count - 1 && !part.isEmpty
      let isAfterCode = index.isMultiple(of: 2) && index > 0 && !parts[index - 1].isEmpty
      if isCode {
        text += "`\(part.withBarsEscaped)`"
      } else {
        text +=
          (index == 0 || isAfterCode ? "" : "\\`") + part.escapedOutsideCode(isAtStart: index == 0)
      }
    }
    return text
  }

  /// The text as code in Markdown, also in a cell of a table.
  var codeInMarkdown: String {
    let text = onOneLine.withBarsEscaped
    let runs = text.utf8.split { $0 != UInt8(ascii: "`") }.map(\.count)
    let fence = String(repeating: "`", count: (runs.max() ?? 0) + 1)
    return runs.isEmpty ? fence + text + fence : "\(fence) \(text) \(fence)"
  }

  /// Even in code, a bar ends the cell of a table.
  private var withBarsEscaped: String { rewritten { $0 == "|" ? "\\|" : nil } }

  private var onOneLine: String { rewritten { ["\n", "\r", "\t"].contains($0) ? " " : nil } }

  /// An underscore inside a word is not markup.
  private func escapedOutsideCode(isAtStart: Bool) -> String {
    var text = ""
    let scalars = Array(unicodeScalars)
    func isInWord(_ index: Int) -> Bool {
      scalars.indices.contains(index)
        && (scalars[index].properties.isAlphabetic
          || "0"..."9" ~= scalars[index] || scalars[index] == "_")
    }
    for (index, scalar) in scalars.enumerated() {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\\", "*", "[", "]", "|", "~": text += "\\\(scalar)"
      case "_": text += isInWord(index - 1) && isInWord(index + 1) ? "_" : "\\_"
      // These mean something at the beginning of a line only.
      case "#", "-", "+", "=": text += isAtStart && index == 0 ? "\\\(scalar)" : "\(scalar)"
      // Links without brackets.
      case ":" where scalars[(index + 1)...].starts(with: ["/", "/"]): text += "&#58;"
      case "@" where isInWord(index - 1): text += "&#64;"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
