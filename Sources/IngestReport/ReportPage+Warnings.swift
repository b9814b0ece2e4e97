import Facts

extension ReportPage {
  /// Where the dumps are no longer what the schema describes.
  var drift: Section? {
    let warnings = report.warnings.filter(\.code.isSchemaDrift)
    guard !warnings.isEmpty else { return nil }
    let consequence: HTML =
      options.isStrict
      ? "<code>--strict-schema</code> does not allow that."
      : "What could be loaded was loaded all the same; <code>--strict-schema</code> would refuse it."
    return Section(
      id: "drift", title: "Drift",
      content: """
        <p>The dumps are no longer what the catalog's description says. \(consequence)</p>
        \(list(warnings))
        """)
  }

  /// What else was worth knowing.
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
        "\n<p><strong>The line for <code>--suppress</code>:</strong> <code>\($0)</code></p>"
      } ?? .empty
    let change: HTML =
      warning.change.map(\.words).map {
        "\n<p><strong>To load it, change the description:</strong> <code>\($0)</code></p>"
      } ?? .empty
    return """
      <li>
      <p><code class="file">\(warning.file)</code> <span class="text">\(warning.message)</span></p>\(line)\(change)
      </li>

      """
  }
}
