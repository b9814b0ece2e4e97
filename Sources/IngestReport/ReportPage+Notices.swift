import Facts

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

  var accepted: Section? {
    guard let path = options.acceptFile, !report.accepted.isEmpty else { return nil }
    return Section(
      id: "accepted", title: "Accepted notices",
      content: """
        <p>Not told, since <code class="file">\(path)</code> accepts them: \(report.accepted.counts).</p>

        """)
  }

  private func list(_ notices: [Notice]) -> HTML {
    let groups = NoticeCode.allCases.map { code in (code, notices.filter { $0.code == code }) }
    return "\(groups.filter { !$0.1.isEmpty }.map(group))"
  }

  private func group(_ code: NoticeCode, _ notices: [Notice]) -> HTML {
    """
    <article class="code" id="notice-\(code.rawValue)">
    <h3><code>\(code.rawValue)</code></h3>
    \(explanation(of: code.rawValue))
    <ul class="notices">
    \(notices.map(item))</ul>
    </article>

    """
  }

  private func item(_ notice: Notice) -> HTML {
    let line: HTML =
      notice.standingAcceptance.map {
        "\n<p><strong>The line for <code>--accept</code>:</strong> <code>\($0)</code></p>"
      } ?? .empty
    let change: HTML =
      notice.change.map(\.words).map {
        "\n<p><strong>To load it, change the description:</strong> <code>\($0)</code></p>"
      } ?? .empty
    return """
      <li>
      <p><code class="file">\(notice.file)</code> <span class="text">\(notice.message)</span></p>\(line)\(change)
      </li>

      """
  }
}
