import Vocabulary
import Text

extension ReportPage {
  /// The row counts of each table, as numbers and bars.
  var tables: Section? {
    guard !report.tables.isEmpty else { return nil }
    let hasLeftOut = report.tables.contains { $0.leftOut > 0 }
    let loaded = facts.isCounted ? "inserted" : "valid"
    let head =
      [("table", "wide")] + (hasBefore ? [("rows before", "number")] : [])
      + [("read", "number"), (loaded, "number"), ("rejected", "number")]
      + (hasLeftOut ? [("skipped", "number")] : []) + [("share rejected", "number roomy")]
    let unread = facts.unreadTables.map { name -> HTML in
      """
      <tr><th scope="row">\(name)</th><td colspan="\(head.count - 1)" class="muted">not read: \
      the run ended earlier</td></tr>

      """
    }
    return Section(
      id: "tables", title: "Tables",
      content: """
        <p class="legend">\(key("inserted", loaded))\
        \(key("rejected", "rejected"))\(hasLeftOut ? key("leftOut", "skipped") : .empty)\
        <span class="muted">The longest bar is the table with the most records. Very narrow parts \
        are drawn three pixels wide.</span></p>
        \(scrollingTable(
          "Records of each table", head: head,
          rows: report.tables.filter { !$0.isUnused }.map { row($0, hasLeftOut: hasLeftOut) } + unread,
          foot: sums(hasLeftOut: hasLeftOut)))
        """)
  }

  /// Whether the rows of the previous database are shown: with changes, those show them.
  private var hasBefore: Bool {
    report.changes == nil && report.tables.contains { $0.before != nil }
  }

  private func before(_ rows: Int?) -> HTML {
    hasBefore ? "<td class=\"number muted\">\(rows?.grouped ?? "–")</td>" : .empty
  }

  func key(_ style: String, _ meaning: String) -> HTML {
    "<span class=\"pair\"><span class=\"key \(style)\"></span>\(meaning)</span> "
  }

  private func row(_ counts: TableCounts, hasLeftOut: Bool) -> HTML {
    let note: HTML =
      if let failure = counts.failure {
        " <strong class=\"bad\">cannot be used: \(failure.rawValue)</strong>"
      } else if counts.file == nil {
        " <span class=\"muted\">source file missing, as allowed</span>"
      } else {
        .empty
      }
    return """
      <tr><th scope="row" class="wide">\(breakable(counts.table))\(note)\(bar(counts))</th>\(before(counts.before))\
      <td class="number">\(counts.read)</td>\
      <td class="number">\(facts.isCounted ? counts.inserted : counts.loaded)</td>\
      \(rejectedCell(counts.rejected))\
      \(hasLeftOut ? "<td class=\"number\">\(counts.leftOut)</td>" : .empty)\
      <td class="number roomy\(counts.rejected == 0 ? " muted" : "")">\
      \(share(counts.rejected, of: counts.read))</td></tr>

      """
  }

  private func sums(hasLeftOut: Bool) -> HTML {
    let tables = report.tables
    let inserted = tables.reduce(0) { $0 + (facts.isCounted ? $1.inserted : $1.loaded) }
    return """
      <tfoot><tr><th scope="row" class="wide">all</th>\(before(tables.reduce(0) { $0 + ($1.before ?? 0) }))\
      <td class="number">\(report.read)</td>\
      <td class="number">\(inserted)</td>\(rejectedCell(report.rejected))\
      \(hasLeftOut
        ? "<td class=\"number\">\(report.leftOut)</td>" : .empty)\
      <td class="number roomy\(report.rejected == 0 ? " muted" : "")">\
      \(share(report.rejected, of: report.read))</td></tr></tfoot>

      """
  }

  private func rejectedCell(_ count: Int) -> HTML {
    "<td class=\"number \(count == 0 ? "muted" : "bad strong")\">\(count)</td>"
  }

  /// A bar for a table: its length is relative to the largest table, and its parts are the counts.
  private func bar(_ counts: TableCounts) -> HTML {
    let most = report.tables.map(\.read).max() ?? 0
    guard counts.read > 0 else { return .empty }
    let loaded = facts.isCounted ? counts.inserted : counts.loaded
    let parts = [
      ("inserted", loaded), ("leftOut", counts.leftOut), ("rejected", counts.rejected),
    ]
    let segments = parts.filter { $0.1 > 0 }.map { name, count -> HTML in
      "<span class=\"\(name)\" style=\"width:\(length(Double(count), of: Double(most)))\"></span>"
    }
    return "<span class=\"bar\" aria-hidden=\"true\">\(segments)</span>"
  }
}
