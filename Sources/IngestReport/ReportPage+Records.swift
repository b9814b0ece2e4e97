import Vocabulary
import Text

extension ReportPage {
  var rejects: Section? {
    guard outcome.rejected > 0 else { return nil }
    let orphaned = outcome.tables.filter { $0.rejectedByCode[.missingParent, default: 0] > 0 }
    let parents = facts.schema.parents(of: orphaned)
    let read = outcome.tables.filter { parents.contains($0.table) }.map { ($0, $0.before ?? 0) }
    let cause = LikelyCause(rejectedOf: read, orphaned: orphaned)?.headline
    let groups = RecordCode.allCases.map { code in facts.rejectGroups.filter { $0.code == code } }
      .filter { !$0.isEmpty }
      // Where some records follow from others, the codes are in that order.
      .sorted { cause == nil && total($0) > total($1) }
    let overview = scrollingTable(
      "Rejected records by code and table",
      head: [("records", "number first"), ("reason", ""), ("tables", "")],
      rows: groups.map { groups in
        let code = groups[0].code.rawValue
        let tables = groups.map { group -> HTML in
          "<li>\(group.table) <span class=\"muted\">\(group.total)</span></li>"
        }
        return """
          <tr><td class="number first strong">\(total(groups))</td>\
          <th scope="row"><a href="#code-\(code)"><code>\(code)</code></a>\
          <span class="note">\(CodeExplanation(of: code)?.meaning ?? "")</span></th>\
          <td><ul class="plain">\(tables)</ul></td></tr>

          """
      },
      foot: """
        <tfoot><tr><td class="number first">\(outcome.rejected)</td>\
        <th scope="row" colspan="2">in total; each record is counted once, by its first reason</th></tr></tfoot>

        """)
    return Section(
      "rejects", "Rejected records",
      """
      \(cause.map { "<p>\($0.beginningSentence).</p>\n" as HTML })\(overview)
      \(groups.map { article("code", $0[0].code.rawValue, "\($0.map(samples))") })
      """)
  }

  private func total(_ groups: [ReportFacts.RejectGroup]) -> Int {
    groups.reduce(0) { $0 + $1.total }
  }

  /// The explanation of a code, and the records or warnings with it.
  private func article(_ kind: HTML, _ code: String, _ content: HTML) -> HTML {
    """
    <article class="code" id="\(kind)-\(code)">
    <h3><code>\(code)</code></h3>
    \(explanation(of: code))
    \(content)</article>

    """
  }

  /// The first samples are visible, the others folded.
  private func samples(_ group: ReportFacts.RejectGroup) -> HTML {
    let shown = group.samples.count
    let (first, rest) = (group.samples.prefix(3), group.samples.dropFirst(3))
    return """
      <h4>\(group.table): \(group.total.of("record"))\
      \(if: shown != 0 && shown != group.total, ", the first \(shown) of which are shown here")</h4>
      <ol class="samples">
      \(first.map(sample))</ol>
      \(if: !rest.isEmpty, """
        <details><summary>\(rest.count) more</summary>
        <ol class="samples" start="\(first.count + 1)">
        \(rest.map(sample))</ol></details>

        """)
      """
  }

  private func sample(_ reject: Reject) -> HTML {
    let doubt = reject.doubt.map { "<p class=\"doubt\">\($0.beginningSentence).</p>\n" as HTML }
    return """
      <li>
      <p class="place"><code>\(reject.place)</code> <span>record \(reject.record), \
      \(reject.length.of("byte")) at byte \(reject.offset)</span></p>
      \(reject.reasons.map { reason($0, in: reject) })\(doubt)</li>

      """
  }

  private func reason(_ reason: Reject.Reason, in reject: Reject) -> HTML {
    // The code of the first reason is the heading.
    let isOther = reason.code != reject.reasons.first?.code
    return """
      <p class="reason">\(if: isOther, "<code class=\"also\">\(reason.code.rawValue)</code> ")\
      \(reason.column.map { "<span class=\"column\">\($0)</span> " as HTML })\
      \(if: !reason.isValueInMessage, "\(reason.value.map { "<code class=\"value\">\($0)</code> " as HTML })")\
      <span class="text">\(reason.message)</span></p>

      """
  }

  /// The differences between the source files and the schema.
  var drift: Section? {
    let warnings = outcome.warnings.filter(\.code.isSchemaDrift)
    guard !warnings.isEmpty else { return nil }
    let consequence: HTML =
      options.isStrict
      ? "<code>--strict-schema</code> does not allow this."
      : "Everything else was loaded; <code>--strict-schema</code> would not publish it."
    return Section(
      "schema-drift", "Schema drift",
      """
      <p>The source files do not match the description. \(consequence)</p>
      \(list(warnings))
      """)
  }

  var warnings: Section? {
    Section("warnings", "Other warnings", list(outcome.warnings.filter { !$0.code.isSchemaDrift }))
  }

  var suppressed: Section? {
    guard let path = options.suppressFile, !outcome.suppressed.isEmpty else { return nil }
    return Section(
      "suppressed", "Suppressed warnings",
      "<p>Suppressed by <code class=\"file\">\(path)</code>: \(outcome.suppressed.counts).</p>\n")
  }

  private func list(_ warnings: [Warning]) -> HTML {
    let articles = WarningCode.allCases.compactMap { code -> HTML? in
      let items = warnings.filter { $0.code == code }.map(item)
      guard !items.isEmpty else { return nil }
      return article("warning", code.rawValue, "<ul class=\"warnings\">\n\(items)</ul>\n")
    }
    return "\(articles)"
  }

  private func item(_ warning: Warning) -> HTML {
    let line = warning.suggestedSuppression.map {
      "\n<p><strong>Line for <code>--suppress</code>:</strong> <code>\($0)</code></p>" as HTML
    }
    let change = (warning.change?.instruction).map {
      "\n<p><strong>To load it, change the description:</strong> <code>\($0)</code></p>" as HTML
    }
    return """
      <li>
      <p><code class="file">\(warning.file)</code> <span class="text">\(warning.message)</span></p>\(line)\(change)
      </li>

      """
  }

  var repairs: Section? {
    let rows = outcome.tables.flatMap { table in table.repairs.map { row($0, of: table.table) } }
    guard options.repairsFolder != nil, !rows.isEmpty else { return nil }
    let head = [
      ("file", ""), ("action", ""), ("records", "number"), ("applied", "number"),
      ("needless", "number"), ("do not apply", "number"),
    ]
    return Section(
      "repairs", "Repairs",
      """
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

  var customSQL: Section? {
    guard !outcome.sqlFiles.isEmpty else { return nil }
    let head = [("file", ""), ("statements", "number"), ("created", ""), ("time", "number")]
    let sentence: HTML =
      outcome.sqlFiles.contains { $0.statements != nil }
      ? """
      These files ran on the loaded data, before it was verified. The table <code>ingest_objects</code> \
      lists the objects they created.
      """
      : "The files are readable, but were not run: they require a complete database."
    return Section(
      "sql", "Custom SQL",
      """
      <p>\(sentence)</p>
      \(scrollingTable("SQL files", head: head, rows: outcome.sqlFiles.map(row)))
      """)
  }

  private func row(_ result: SQLFileResult) -> HTML {
    let objects = result.objects.map { "\($0.type) \($0.name)" }.joined(separator: ", ")
    let made: HTML = objects.isEmpty ? "<span class=\"muted\">nothing</span>" : "\(objects)"
    return """
      <tr><th scope="row"><code>\(result.file)</code></th>\
      <td class="number">\(result.statements?.grouped ?? "not run")</td><td>\(made)</td>\
      <td class="number">\(result.statements == nil ? "-" : result.seconds.asSeconds)</td></tr>

      """
  }
}
