import Vocabulary
import Text

extension ReportPage {
  var rejects: Section? {
    guard report.rejected > 0 else { return nil }
    let groups = Dictionary(grouping: facts.rejectGroups, by: \.code)
    let codes = RecordCode.allCases.filter { groups[$0] != nil }
      .sorted { total($0, groups) > total($1, groups) }
    let overview = scrollingTable(
      "Rejected records by code and table",
      head: [("records", "number first"), ("reason", ""), ("tables", "")],
      rows: codes.map { code in
        let tables = groups[code, default: []].map { group -> HTML in
          "<li>\(group.table) <span class=\"muted\">\(group.total)</span></li>"
        }
        return """
          <tr><td class="number first strong">\(total(code, groups))</td>\
          <th scope="row"><a href="#code-\(code.rawValue)"><code>\(code.rawValue)</code></a>\
          <span class="note">\(CodeExplanation(of: code.rawValue)?.meaning ?? "")</span></th>\
          <td><ul class="plain">\(tables)</ul></td></tr>

          """
      },
      foot: """
        <tfoot><tr><td class="number first">\(report.rejected)</td>\
        <th scope="row" colspan="2">in total; each record is counted once, by its first reason</th></tr></tfoot>

        """)
    return Section(
      id: "rejects", title: "Rejected records",
      content: """
        \(overview)
        \(codes.map { details($0, groups[$0, default: []]) })
        """)
  }

  private func total(_ code: RecordCode, _ groups: [RecordCode: [ReportFacts.RejectGroup]]) -> Int {
    groups[code, default: []].reduce(0) { $0 + $1.total }
  }

  private func details(_ code: RecordCode, _ groups: [ReportFacts.RejectGroup]) -> HTML {
    """
    <article class="code" id="code-\(code.rawValue)">
    <h3><code>\(code.rawValue)</code></h3>
    \(explanation(of: code.rawValue))
    \(groups.map(samples))</article>

    """
  }

  /// The first samples are visible, the others folded.
  private func samples(_ group: ReportFacts.RejectGroup) -> HTML {
    let shown = group.samples.count
    let count: HTML =
      shown == group.total || shown == 0
      ? "\(group.total.of("record"))"
      : "\(group.total.of("record")), the first \(shown) of which are shown here"
    let (first, rest) = (group.samples.prefix(3), group.samples.dropFirst(3))
    let others: HTML =
      rest.isEmpty
      ? .empty
      : """
      <details><summary>\(rest.count) more</summary>
      <ol class="samples" start="\(first.count + 1)">
      \(rest.map(sample))</ol></details>

      """
    return """
      <h4>\(group.table): \(count)</h4>
      <ol class="samples">
      \(first.map(sample))</ol>
      \(others)
      """
  }

  private func sample(_ reject: Reject) -> HTML {
    let (first, last) = (reject.lines.lowerBound, reject.lines.upperBound)
    let lines = first == last ? "\(first)" : "\(first)-\(last)"
    let uncertainty: HTML =
      reject.extentIsCertain
      ? .empty
      : "<p class=\"doubt\">The end of this record is uncertain; also check the lines after it.</p>\n"
    return """
      <li>
      <p class="place"><code>\(reject.file):\(lines)</code> <span>record \(reject.record), \
      \(reject.length.of("byte")) at byte \(reject.offset)</span></p>
      \(reject.reasons.map { reason($0, in: reject) })\(uncertainty)</li>

      """
  }

  private func reason(_ reason: Reject.Reason, in reject: Reject) -> HTML {
    // The code of the first reason is the heading.
    let code: HTML =
      reason.code == reject.reasons.first?.code
      ? .empty : "<code class=\"also\">\(reason.code.rawValue)</code> "
    let column: HTML = reason.column.map { "<span class=\"column\">\($0)</span> " } ?? .empty
    let value: HTML =
      reason.isValueInMessage
      ? .empty : reason.value.map { "<code class=\"value\">\($0)</code> " } ?? .empty
    return """
      <p class="reason">\(code)\(column)\(value)<span class="text">\(reason.message)</span></p>

      """
  }
}
