import Vocabulary
import Text

extension ReportPage {
  var customSQL: Section? {
    guard !report.sqlFiles.isEmpty else { return nil }
    let head = [("file", ""), ("statements", "number"), ("created", ""), ("time", "number")]
    let isRun = report.sqlFiles.contains { $0.statements != nil }
    let sentence: HTML =
      isRun
      ? """
      These files ran on the loaded data, before it was verified. The table <code>ingest_objects</code> \
      lists the objects they created.
      """
      : "The files are readable, but were not run: they require a complete database."
    return Section(
      id: "sql", title: "Custom SQL",
      content: """
        <p>\(sentence)</p>
        \(scrollingTable("SQL files", head: head, rows: report.sqlFiles.map(row)))
        """)
  }

  private func row(_ result: SQLFileResult) -> HTML {
    let objects = result.objects.map { "\($0.type) \($0.name)" }.joined(separator: ", ")
    let made: HTML = objects.isEmpty ? "<span class=\"muted\">nothing</span>" : "\(objects)"
    let isRun = result.statements != nil
    return """
      <tr><th scope="row"><code>\(result.file)</code></th>\
      <td class="number">\(result.statements?.grouped ?? "not run")</td><td>\(made)</td>\
      <td class="number">\(isRun ? result.seconds.asSeconds : "-")</td></tr>

      """
  }
}
