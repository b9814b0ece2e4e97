import Vocabulary

extension ReportPage {
  /// The differences between the source files and the schema.
  var drift: Section? {
    let warnings = report.warnings.filter(\.code.isSchemaDrift)
    guard !warnings.isEmpty else { return nil }
    let consequence: HTML =
      options.isStrict
      ? "<code>--strict-schema</code> does not allow this."
      : "Everything else was loaded; <code>--strict-schema</code> would not publish it."
    return Section(
      id: "schema-drift", title: "Schema drift",
      content: """
        <p>The source files do not match the description. \(consequence)</p>
        \(list(warnings))
        """)
  }

  var warnings: Section? {
    let warnings = report.warnings.filter { !$0.code.isSchemaDrift }
    guard !warnings.isEmpty else { return nil }
    return Section(id: "warnings", title: "Other warnings", content: list(warnings))
  }

  var suppressed: Section? {
    guard let path = options.suppressFile, !report.suppressed.isEmpty else { return nil }
    return Section(
      id: "suppressed", title: "Suppressed warnings",
      content: """
        <p>Suppressed by <code class="file">\(path)</code>: \(report.suppressed.counts).</p>

        """)
  }

  private func list(_ warnings: [Warning]) -> HTML {
    let groups = WarningCode.allCases.map { code in (code, warnings.filter { $0.code == code }) }
    return "\(groups.filter { !$0.1.isEmpty }.map(group))"
  }

  private func group(_ code: WarningCode, _ warnings: [Warning]) -> HTML {
    """
    <article class="code" id="warning-\(code.rawValue)">
    <h3><code>\(code.rawValue)</code></h3>
    \(explanation(of: code.rawValue))
    <ul class="warnings">
    \(warnings.map(item))</ul>
    </article>

    """
  }

  private func item(_ warning: Warning) -> HTML {
    let line: HTML =
      warning.suggestedSuppression.map {
        "\n<p><strong>Line for <code>--suppress</code>:</strong> <code>\($0)</code></p>"
      } ?? .empty
    let change: HTML =
      warning.change.map(\.instruction).map {
        "\n<p><strong>To load it, change the description:</strong> <code>\($0)</code></p>"
      } ?? .empty
    return """
      <li>
      <p><code class="file">\(warning.file)</code> <span class="text">\(warning.message)</span></p>\(line)\(change)
      </li>

      """
  }
}
