import IngestPipeline

/// The table that a run prints at its end.
struct Summary {
  let tables: [TableAccount]
  /// Whether the rows were inserted and counted; not so when nothing is published.
  let isPublished: Bool

  /// The lines: a header, the tables, the sums.
  var lines: [String] {
    var rows = [["table", "read", "inserted", "rejected", "seconds", "rows/s"]]
    rows += tables.map { account in
      row(account.table + (account.file == nil ? " (no file)" : ""), [account])
    }
    rows.append(row("all", tables))
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + padding : padding + cell
      }.joined(separator: "  ")
    }
  }

  private func row(_ name: String, _ accounts: [TableAccount]) -> [String] {
    let sums = accounts.reduce(into: (read: 0, inserted: 0, rejected: 0, seconds: 0.0)) {
      $0.read += $1.read
      $0.inserted += $1.inserted
      $0.rejected += $1.rejected
      $0.seconds += $1.seconds
    }
    let rate = sums.seconds > 0 ? Int(Double(sums.inserted) / sums.seconds) : 0
    return [
      name, sums.read.grouped, isPublished ? sums.inserted.grouped : "-", sums.rejected.grouped,
      isPublished ? sums.seconds.formatted(decimals: 3) : "-",
      isPublished ? rate.grouped : "-",
    ]
  }
}

extension Int {
  /// The number with its digits in groups of three: `1,234,567`.
  var grouped: String {
    var text = ""
    let digits = String(magnitude)
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return (self < 0 ? "-" : "") + text
  }
}

extension Double {
  /// The number, not negative, rounded to some decimals: `0.250`.
  func formatted(decimals: Int) -> String {
    var scale = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = Int((self * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: decimals - fraction.count)
      + fraction
  }
}
