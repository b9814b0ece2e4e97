import Vocabulary
import Text

extension ReportPage {
  /// The differences from the previous database; unchanged tables are omitted.
  var changes: Section? {
    guard let changes = report.changes else { return nil }
    let changed = changes.changed
    let same = changes.tables.count - changed.count
    let sentence: HTML =
      same == 0 ? .empty : "<p>No \(changed.isEmpty ? "" : "other ")table changed.</p>\n"
    return Section(
      id: "changes", title: "Changes",
      content: """
        \(changed.isEmpty ? .empty : table(changed))
        \(sentence)\(movedNulls(changes))
        <p class="muted">Compared with the previous database at <code>\(options.output)</code>. A changed key has \
        other values in the same row.</p>
        """)
  }

  private func table(_ tables: [CatalogChanges.Table]) -> HTML {
    scrollingTable(
      "Rows and keys before and after",
      head: [
        ("table", ""), ("rows before", "number roomy"), ("rows now", "number roomy"),
        ("difference", "number"), ("keys added", "number"), ("removed", "number"),
        ("changed", "number"),
      ], rows: tables.map(row), foot: sums(tables))
  }

  private func row(_ table: CatalogChanges.Table) -> HTML {
    let difference: HTML =
      if let before = table.rowsBefore, let after = table.rowsAfter {
        signed(after - before)
      } else {
        table.rowsBefore == nil ? "new table" : "table removed"
      }
    return """
      <tr><th scope="row">\(breakable(table.name))</th>\(cell(table.rowsBefore, "roomy"))\(cell(table.rowsAfter, "roomy"))\
      <td class="number strong">\(difference)</td>\(cell(table.keys?.added))\
      \(cell(table.keys?.removed))\(cell(table.keys?.changed))</tr>

      """
  }

  private func sums(_ tables: [CatalogChanges.Table]) -> HTML {
    let before = tables.reduce(0) { $0 + ($1.rowsBefore ?? 0) }
    let after = tables.reduce(0) { $0 + ($1.rowsAfter ?? 0) }
    let keys = tables.compactMap(\.keys)
    func sum(_ count: (CatalogChanges.Keys) -> Int) -> Int? {
      keys.isEmpty ? nil : keys.reduce(0) { $0 + count($1) }
    }
    return """
      <tfoot><tr><th scope="row">all</th>\(cell(before, "roomy"))\(cell(after, "roomy"))\
      <td class="number">\(signed(after - before))</td>\
      \(cell(sum(\.added)))\(cell(sum(\.removed)))\(cell(sum(\.changed)))</tr></tfoot>

      """
  }

  private func signed(_ difference: Int) -> HTML {
    if difference == 0 { return "<span class=\"muted\">0</span>" }
    return difference > 0 ? "+\(difference)" : "\u{2212}\(-difference)"
  }

  private func cell(_ count: Int?, _ style: String = "") -> HTML {
    let mood = (count ?? 0) == 0 ? " muted" : ""
    return "<td class=\"number\(mood) \(style)\">\(count?.grouped ?? "–")</td>"
  }

  private func movedNulls(_ changes: CatalogChanges) -> HTML {
    let rows = changes.tables.flatMap { table in
      table.nulls.compactMap { nulls in nullRow(nulls, of: table) }
    }
    guard !rows.isEmpty else { return .empty }
    return """
      <h3>Columns with a changed share of NULLs</h3>
      \(scrollingTable(
        "Share of NULLs before and after",
        head: [
          ("column", ""), ("NULL before", "number"), ("share", "number"), ("NULL after", "number"),
          ("share", "number"),
        ], rows: rows))
      """
  }

  private func nullRow(_ nulls: CatalogChanges.Nulls, of table: CatalogChanges.Table) -> HTML? {
    guard let before = table.rowsBefore, let after = table.rowsAfter, before > 0, after > 0 else {
      return nil
    }
    let (shareBefore, shareAfter) = (share(nulls.before, of: before), share(nulls.after, of: after))
    guard shareBefore != shareAfter, nulls.before != nulls.after else { return nil }
    return """
      <tr><th scope="row">\(breakable(table.name)).<wbr>\(breakable(nulls.column))</th><td class="number">\(nulls.before)</td>\
      <td class="number">\(shareBefore)</td><td class="number">\(nulls.after)</td>\
      <td class="number strong">\(shareAfter)</td></tr>

      """
  }
}
