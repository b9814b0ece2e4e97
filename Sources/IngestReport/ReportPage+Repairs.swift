import Vocabulary

extension ReportPage {
  var repairs: Section? {
    guard options.repairsFolder != nil else { return nil }
    let rows = report.tables.flatMap { table in table.repairs.map { row($0, of: table.table) } }
    guard !rows.isEmpty else { return nil }
    let head = [
      ("file", ""), ("action", ""), ("records", "number"), ("applied", "number"),
      ("needless", "number"), ("do not apply", "number"),
    ]
    return Section(
      id: "repairs", title: "Repairs",
      content: """
        <p>These files fix the source files in every run. A repair is needless if the source file already has its \
        result. It does not apply if the source file has no record with its key or, where it adds a record, a \
        different one.</p>
        \(scrollingTable("Repairs files", head: head, rows: rows))
        """)
  }

  private func row(_ counts: RepairCounts, of table: String) -> HTML {
    let purpose =
      switch counts.kind {
      case .leaveOut: "skips records of \(table)"
      case .replace: "replaces records of \(table)"
      case .add: "adds records to \(table)"
      }
    return """
      <tr><th scope="row"><code>\(counts.file)</code></th><td>\(purpose)</td>\
      <td class="number">\(counts.records)</td><td class="number">\(counts.applied)</td>\
      <td class="number">\(counts.needless)</td><td class="number">\(counts.inapplicable)</td></tr>

      """
  }
}
