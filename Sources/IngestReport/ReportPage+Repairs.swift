import Facts

extension ReportPage {
  var repairs: Section? {
    guard options.repairsFolder != nil else { return nil }
    let rows = report.tables.flatMap { table in table.repairs.map { row($0, of: table.table) } }
    guard !rows.isEmpty else { return nil }
    let head = [
      ("file", ""), ("what it does", ""), ("records", "number"), ("applied", "number"),
      ("needless", "number"), ("do not apply", "number"),
    ]
    return Section(
      id: "repairs", title: "Standing repairs",
      content: """
        <p>These files correct the dumps every night. The dump has made a repair needless if it is by now \
        as the repair would make it. One does not apply if the dump has no record with its key, or \
        another one where one was to be added.</p>
        \(scrollingTable("The files of standing repairs", head: head, rows: rows))
        """)
  }

  private func row(_ account: RepairCounts, of table: String) -> HTML {
    let purpose =
      switch account.kind {
      case .leaveOut: "leaves out records of \(table)"
      case .replace: "replaces records of \(table)"
      case .add: "adds records to \(table)"
      }
    return """
      <tr><th scope="row"><code>\(account.file)</code></th><td>\(purpose)</td>\
      <td class="number">\(account.records)</td><td class="number">\(account.applied)</td>\
      <td class="number">\(account.needless)</td><td class="number">\(account.inapplicable)</td></tr>

      """
  }
}
