import Facts
import Files
import IngestReport

/// What became of the records of each table, as a table of text; optional tables without a dump are left out.
///
/// - Parameters:
///   - accounts: the accounts of all tables.
///   - isPublished: whether the rows were inserted and counted.
/// - Returns: A header, the tables, the sums.
func accountTable(_ accounts: [TableCounts], isPublished: Bool) -> [String] {
  let tables = accounts.filter { !$0.isUnused }
  let seldom = [("replaced", \TableCounts.replaced), ("left out", \.leftOut)]
    .filter { _, count in accounts.contains { $0[keyPath: count] > 0 } }
  func row(_ name: String, _ accounts: [TableCounts]) -> [String] {
    func sum(_ count: KeyPath<TableCounts, Int>) -> Int {
      accounts.reduce(0) { $0 + $1[keyPath: count] }
    }
    let inserted = sum(\.inserted)
    let seconds = accounts.reduce(0) { $0 + $1.seconds }
    let rate = seconds > 0 ? Int(Double(inserted) / seconds) : 0
    return [
      name, sum(\.read).grouped, isPublished ? inserted.grouped : "-", sum(\.rejected).grouped,
    ] + seldom.map { sum($1).grouped }
      + (isPublished ? [seconds.rounded(decimals: 3), rate.grouped] : ["-", "-"])
  }
  let header =
    ["table", "read", "inserted", "rejected"] + seldom.map(\.0) + ["seconds", "rows/s"]
  let rows = tables.map { row($0.table + ($0.file == nil ? " (no file)" : ""), [$0]) }
  return columns([header] + rows + [row("all", tables)])
}

/// Puts cells below each other, the first of a row to the left and the others to the right.
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
