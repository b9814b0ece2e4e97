import Facts
import Files
import IngestReport

/// What became of the records of each table, as a table of text.
struct AccountTable {
  private let tables: [TableAccount]
  private let isPublished: Bool
  private let hasReplaced: Bool
  private let hasLeftOut: Bool

  /// - Parameters:
  ///   - tables: the accounts; those of optional tables without a dump are left out.
  ///   - isPublished: whether the rows were inserted and counted.
  init(_ tables: [TableAccount], isPublished: Bool) {
    self.tables = tables.filter { !$0.isUnused }
    self.isPublished = isPublished
    hasReplaced = tables.contains { $0.replaced > 0 }
    hasLeftOut = tables.contains { $0.leftOut > 0 }
  }

  /// The lines: a header, the tables, the sums.
  var lines: [String] {
    let others = (hasReplaced ? ["replaced"] : []) + (hasLeftOut ? ["left out"] : [])
    let rows =
      [["table", "read", "inserted", "rejected"] + others + ["seconds", "rows/s"]]
      + tables.map { account in
        row(account.table + (account.file == nil ? " (no file)" : ""), [account])
      } + [row("all", tables)]
    return columns(rows)
  }

  private func row(_ name: String, _ accounts: [TableAccount]) -> [String] {
    let inserted = accounts.reduce(0) { $0 + $1.inserted }
    let seconds = accounts.reduce(0) { $0 + $1.seconds }
    let rate = seconds > 0 ? Int(Double(inserted) / seconds) : 0
    return [
      name, accounts.reduce(0) { $0 + $1.read }.grouped, isPublished ? inserted.grouped : "-",
      accounts.reduce(0) { $0 + $1.rejected }.grouped,
    ] + (hasReplaced ? [accounts.reduce(0) { $0 + $1.replaced }.grouped] : [])
      + (hasLeftOut ? [accounts.reduce(0) { $0 + $1.leftOut }.grouped] : [])
      + (isPublished ? [seconds.rounded(decimals: 3), rate.grouped] : ["-", "-"])
  }
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
