import Vocabulary
import Text

extension ReportPage {
  /// The differences from the previous database; unchanged tables are omitted.
  var changes: Section? {
    guard let changes = outcome.changes else { return nil }
    let changed = changes.changed
    var all = DatabaseChanges.Table(name: "all")
    all.rowsBefore = changes.tables.reduce(0) { $0 + ($1.rowsBefore ?? 0) }
    all.rowsAfter = changes.tables.reduce(0) { $0 + ($1.rowsAfter ?? 0) }
    all.keys = changed.compactMap(\.keys).sum
    let table = scrollingTable(
      "Rows and keys before and after",
      head: [
        ("table", ""), ("rows before", "number roomy"), ("rows now", "number roomy"),
        ("difference", "number"), ("keys added", "number"), ("removed", "number"),
        ("changed", "number"),
      ], rows: changed.map(row), foot: "<tfoot>\(row(all))</tfoot>\n")
    return Section(
      "changes", "Changes",
      """
      \(if: !changed.isEmpty, table)
      \(if: changes.tables.count > changed.count, "<p>No \(changed.isEmpty ? "" : "other ")table changed.</p>\n")\
      \(movedNulls(changes))
      <p class="muted">Compared with the previous database at <code>\(options.output.name)</code>. A changed key has \
      other values in the same row.</p>
      """)
  }

  private func row(_ table: DatabaseChanges.Table) -> HTML {
    let difference: HTML =
      if let before = table.rowsBefore, let after = table.rowsAfter {
        after == before
          ? "<span class=\"muted\">0</span>"
          : after > before ? "+\(after - before)" : "\u{2212}\(before - after)"
      } else {
        table.rowsBefore == nil ? "new table" : "table removed"
      }
    return """
      <tr><th scope="row">\(breakable(table.name))</th>\(cell(table.rowsBefore, " roomy"))\
      \(cell(table.rowsAfter, " roomy"))<td class="number strong">\(difference)</td>\
      \(cell(table.keys?.added))\(cell(table.keys?.removed))\(cell(table.keys?.changed))</tr>

      """
  }

  private func movedNulls(_ changes: DatabaseChanges) -> HTML {
    let rows = changes.tables.flatMap { table in
      table.nulls.compactMap { nulls in nullRow(nulls, of: table) }
    }
    guard !rows.isEmpty else { return "" }
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

  private func nullRow(_ nulls: DatabaseChanges.Nulls, of table: DatabaseChanges.Table) -> HTML? {
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

  /// The row counts of each table, as numbers and bars.
  var tables: Section? {
    let tables = outcome.tables
    guard !tables.isEmpty else { return nil }
    let hasLeftOut = outcome.leftOut > 0
    // With changes, those show the rows of the previous database.
    let hasBefore = outcome.changes == nil && tables.contains { $0.before != nil }
    let loaded = facts.isCounted ? "inserted" : "valid"
    let head =
      [("table", "wide")] + (hasBefore ? [("rows before", "number")] : [])
      + [("read", "number"), (loaded, "number"), ("rejected", "number")]
      + (hasLeftOut ? [("skipped", "number")] : []) + [("share rejected", "number roomy")]
    func row(_ name: HTML, _ tables: [TableCounts], before: Int?) -> HTML {
      func sum(_ count: (TableCounts) -> Int) -> Int { tables.reduce(0) { $0 + count($1) } }
      let (read, rejected) = (sum(\.read), sum(\.rejected))
      return """
        <tr><th scope="row" class="wide">\(name)</th>\
        \(if: hasBefore, "<td class=\"number muted\">\(before?.grouped ?? "–")</td>")\
        <td class="number">\(read)</td><td class="number">\(sum(valid))</td>\
        \(cell(rejected, rejected == 0 ? "" : " bad strong"))\
        \(if: hasLeftOut, "<td class=\"number\">\(sum(\.leftOut))</td>")\
        <td class="number roomy\(rejected == 0 ? " muted" : "")">\(share(rejected, of: read))</td></tr>

        """
    }
    let unread = facts.unreadTables.map { name -> HTML in
      """
      <tr><th scope="row">\(name)</th><td colspan="\(head.count - 1)" class="muted">not read: \
      the run ended earlier</td></tr>

      """
    }
    let all = row("all", tables, before: tables.reduce(0) { $0 + ($1.before ?? 0) })
    return Section(
      "tables", "Tables",
      """
      <p class="legend">\(key("inserted", loaded))\
      \(key("rejected", "rejected"))\(if: hasLeftOut, key("leftOut", "skipped"))\
      <span class="muted">The longest bar is the table with the most records. Very narrow parts \
      are drawn three pixels wide.</span></p>
      \(scrollingTable(
        "Records of each table", head: head,
        rows: tables.filter { !$0.isUnused }.map { row(name(of: $0), [$0], before: $0.before) }
          + unread,
        foot: "<tfoot>\(all)</tfoot>\n"))
      """)
  }

  /// The rows, or the records that could become one.
  func valid(_ counts: TableCounts) -> Int { facts.isCounted ? counts.inserted : counts.loaded }

  func key(_ style: String, _ meaning: String) -> HTML {
    "<span class=\"pair\"><span class=\"key \(style)\"></span>\(meaning)</span> "
  }

  /// The name of a table with a note, and a bar: its length is relative to the largest table, its parts are the counts.
  private func name(of counts: TableCounts) -> HTML {
    let note: HTML =
      if let failure = counts.failure {
        " <strong class=\"bad\">cannot be used: \(failure.rawValue)</strong>"
      } else if counts.file == nil {
        " <span class=\"muted\">source file missing, as allowed</span>"
      } else {
        ""
      }
    let most = outcome.tables.map(\.read).max() ?? 0
    let parts = [
      ("inserted", valid(counts)), ("leftOut", counts.leftOut), ("rejected", counts.rejected),
    ]
    let segments = parts.filter { $0.1 > 0 }.map { name, count -> HTML in
      "<span class=\"\(name)\" style=\"width:\(length(Double(count), of: Double(most)))\"></span>"
    }
    return """
      \(breakable(counts.table))\(note)\
      \(if: counts.read > 0, "<span class=\"bar\" aria-hidden=\"true\">\(segments)</span>")
      """
  }

  var readFiles: [SourceCounts] {
    // An unchanged run reads no files.
    outcome.isUnchanged ? [] : outcome.tables.flatMap(\.sources)
  }

  var files: Section? {
    guard !readFiles.isEmpty else { return nil }
    return Section(
      "files", "Files",
      scrollingTable(
        "Source files",
        head: [
          ("file", ""), ("size", "number"), ("unpacked", "number"), ("compressed at (UTC)", ""),
          ("CRC-32", ""), ("header", ""),
        ], rows: readFiles.map(row)))
  }

  private func row(_ source: SourceCounts) -> HTML {
    func note(_ text: String?) -> HTML? { text.map { "<span class=\"note\">\($0)</span>" } }
    let gzip = source.gzip
    let kind = note(source.isRepairs ? "repairs" : nil)
    let name = note((source.zip?.name ?? gzip?.originalName).map { "original name \($0)" })
    let members = note(gzip.flatMap { $0.members == 1 ? nil : "\($0.members.grouped) members" })
    let seconds = source.zip == nil ? gzip?.timeStamp.map { Int($0) } : source.zip?.localTime
    let time: HTML =
      if source.zip == nil, gzip == nil {
        "<span class=\"muted\">not compressed</span>"
      } else if let seconds {
        "\(String(timeText(seconds).dropLast(4)))\(note(source.zip == nil ? nil : "local time"))"
      } else {
        "<span class=\"muted\">unknown</span>"
      }
    let header = source.header.isEmpty ? "none" : source.header.joined(separator: ", ")
    return """
      <tr><th scope="row"><code>\(source.name)</code>\(kind)\(name)</th>\
      <td class="number">\(source.size.asSize)\(members)</td>\
      <td class="number">\(source.bytes.asSize)</td><td class="number left">\(time)</td>\
      <td><code>\(source.crc32.hexadecimal)</code></td><td class="header">\(header)</td></tr>

      """
  }

  /// The row counts, which show that no record or byte is lost.
  var counts: Section? {
    guard !readFiles.isEmpty else { return nil }
    let records = readFiles.map { ($0.name, $0.recordBalance) }
    let bytes = readFiles.map { ($0.name, $0.byteBalance) }
    let sentence: HTML =
      (records + bytes).allSatisfy { $1.rest == 0 }
      ? "The counts add up: no byte or record that was read is lost."
      : """
      The counts do not add up, because a file was not read to its end: it cannot be used, or the run \
      ended early.
      """
    return Section(
      "counts", "Row counts",
      """
      <p>\(sentence) The parts are counted record by record. The totals are counted independently, by the \
      decompressor and the CSV parser.</p>
      <h3>Records</h3>
      \(table("Records of each file", records))
      <h3>Decompressed bytes</h3>
      \(table("Decompressed bytes of each file", bytes))
      """)
  }

  /// A table of sums; columns of zeros are omitted.
  private func table(_ caption: String, _ files: [(String, SourceCounts.Balance)]) -> HTML {
    let names = files[0].1.parts.map(\.title)
    let shown = names.indices.filter { column in
      column == 0 || files.contains { $1.parts[column].count != 0 }
    }
    let columns = shown.map { (($0 > 0 ? "+ " : "") + names[$0], "number") }
    let isBalanced = files.allSatisfy { $1.rest == 0 }
    return scrollingTable(
      caption,
      head: [("file", "")] + columns + (isBalanced ? [] : [("+ rest", "number")])
        + [("= read", "number"), ("check", "")],
      rows: files.map { file, balance in
        let check: HTML =
          balance.rest == 0 ? "✓ adds up" : "<strong class=\"bad\">✕ not read to the end</strong>"
        return """
          <tr><th scope="row"><code>\(file)</code></th>\(shown.map { cell(balance.parts[$0].count) })\
          \(if: !isBalanced, cell(balance.rest))<td class="number strong">\(balance.read)</td>\
          <td>\(check)</td></tr>

          """
      })
  }
}
