import Facts

extension ReportPage {
  var customSQL: Section? {
    guard !report.sqlFiles.isEmpty else { return nil }
    let head = [("file", ""), ("statements", "number"), ("made", ""), ("time", "number")]
    let isRun = report.sqlFiles.contains { $0.statements != nil }
    let sentence: HTML =
      isRun
      ? """
      It was run on what was loaded, before that was verified. <code>ingest_objects</code> in the \
      catalog lists what it made.
      """
      : "The files could be read, but were not run: that takes a catalog that is complete."
    return Section(
      id: "sql", title: "Your own SQL",
      content: """
        <p>\(sentence)</p>
        \(scrollingTable("The files of SQL", head: head, rows: report.sqlFiles.map(row)))
        """)
  }

  private func row(_ account: SQLFileResult) -> HTML {
    let objects = account.objects.map { "\($0.type) \($0.name)" }.joined(separator: ", ")
    let made: HTML = objects.isEmpty ? "<span class=\"muted\">nothing</span>" : "\(objects)"
    let isRun = account.statements != nil
    return """
      <tr><th scope="row"><code>\(account.file)</code></th>\
      <td class="number">\(account.statements?.grouped ?? "not run")</td><td>\(made)</td>\
      <td class="number">\(isRun ? account.seconds.asSeconds : "-")</td></tr>

      """
  }
}
