extension ReportPage {
  /// Where the dumps are no longer what the schema describes.
  var drift: Section? {
    let notices = report.notices.filter(\.code.isDrift)
    guard !notices.isEmpty else { return nil }
    let consequence: HTML =
      options.isStrict
      ? "<code>--strict-schema</code> does not allow that."
      : "What could be loaded was loaded all the same; <code>--strict-schema</code> would refuse it."
    return Section(
      id: "drift", title: "Drift",
      content: """
        <p>The dumps are no longer what the catalogue's description says. \(consequence)</p>
        \(list(notices))
        """)
  }

  /// What else was worth knowing.
  var notices: Section? {
    let notices = report.notices.filter { !$0.code.isDrift }
    guard !notices.isEmpty else { return nil }
    return Section(id: "notices", title: "Other notices", content: list(notices))
  }

  private func list(_ notices: [Notice]) -> HTML {
    "<ul class=\"notices\">\n\(notices.map(item))</ul>"
  }

  private func item(_ notice: Notice) -> HTML {
    let column: HTML =
      notice.column.map { ", column <span class=\"column\">\($0)</span>" } ?? .empty
    let action: HTML =
      notice.change.map {
        "<strong>The change that accepts it:</strong> <span class=\"text\">\($0)</span>"
      } ?? "<strong>What to do:</strong> \(notice.code.explanation.remedy)"
    return """
      <li>
      <p class="place"><code>\(notice.file)</code>\(column) <code class="also">\
      \(notice.code.rawValue)</code></p>
      <p class="text">\(notice.message)</p>
      <p class="action">\(action)</p>
      </li>

      """
  }
}
