import Vocabulary
import Platform
import IngestReport
import Text

/// The row counts as text; optional tables without a file are omitted.
///
/// - Parameters:
///   - counts: the counts of all tables.
///   - isPublished: whether the rows were inserted and counted.
/// - Returns: A header, the tables and the totals.
func countsTable(_ counts: [TableCounts], isPublished: Bool) -> [String] {
  let tables = counts.filter { !$0.isUnused }
  let hasLeftOut = counts.contains { $0.leftOut > 0 }
  // A run that published shows the changes instead.
  let hasBefore = !isPublished && counts.contains { $0.before != nil }
  func row(_ name: String, _ counts: [TableCounts]) -> [String] {
    func sum(_ count: KeyPath<TableCounts, Int>) -> Int {
      counts.reduce(0) { $0 + $1[keyPath: count] }
    }
    let inserted = sum(\.inserted)
    let seconds = counts.reduce(0) { $0 + $1.seconds }
    let rate = seconds > 0 ? Int(Double(inserted) / seconds) : 0
    return [
      name
    ] + (hasBefore ? [counts.reduce(0) { $0 + ($1.before ?? 0) }.grouped] : []) + [
      sum(\.read).grouped, isPublished ? inserted.grouped : "-", sum(\.rejected).grouped,
    ] + (hasLeftOut ? [sum(\.leftOut).grouped] : [])
      + (isPublished ? [seconds.rounded(decimals: 3), rate.grouped] : ["-", "-"])
  }
  let header =
    ["table"] + (hasBefore ? ["before"] : []) + ["read", "inserted", "rejected"]
    + (hasLeftOut ? ["skipped"] : []) + ["seconds", "rows/s"]
  let rows = tables.map { row($0.table + ($0.file == nil ? " (no file)" : ""), [$0]) }
  return columns([header] + rows + [row("all", tables)])
}

/// Aligns the cells of rows: the first column to the left, the others to the right.
func columns(_ rows: [[String]]) -> [String] {
  let rows = rows.map { $0.map { $0.printable(keepingLineFeeds: false) } }
  let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
  return rows.map { row in
    row.enumerated().map { column, cell in
      let padding = String(repeating: " ", count: widths[column] - cell.count)
      return column == 0 ? cell + padding : padding + cell
    }.joined(separator: "  ")
  }
}
