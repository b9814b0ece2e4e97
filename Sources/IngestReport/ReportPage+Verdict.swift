import Quarantine
import Vocabulary
import Text

extension ReportPage {
  var title: String {
    ((options.isDryRun ? "Dry run: " : "") + outcome.verdict.words).beginningSentence
  }

  var heading: HTML {
    let verdict = outcome.verdict
    let (mood, icon): (String, HTML) =
      switch verdict.state {
      case .clean: ("good", "M7 12.5l3.5 3.5 6.5-8")
      case .warnings, .incomplete: ("fair", "M12 6.5v7M12 17v.5")
      case .notPublished, .unknown: ("bad", "M8 8l8 8M16 8l-8 8")
      }
    let result = outcome.isUnchanged ? unchanged : options.isDryRun ? checked : published
    let age = outcome.dataAge(at: facts.time).map { ", \($0)" as HTML }
    return """
      <p class="eyebrow">Report of ingest, \(timeText(facts.time))</p>
      <div class="verdict \(mood)">
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/>\
      <path d="\(icon)"/></svg>
      <div>
      <h1>\(title)</h1>
      \(list(verdict.warnings))\(failures)\(if: mood == "bad", previousDatabase)\(explanations)\(if: mood != "bad", result)\
      \(outcome.firstStep(options).map { "<p><strong>To do first:</strong> \($0)</p>\n" as HTML })<p>Host \(facts.host)\(age).</p>

      </div>
      </div>
      """
  }

  private func list(_ verdictWarnings: [VerdictWarning]) -> HTML {
    guard !verdictWarnings.isEmpty else { return "" }
    let items = verdictWarnings.map { warning -> HTML in
      """
      <li><a href="#\(warning.warnings.isEmpty ? "code" : "warning")-\(warning.code)"><code>\(warning.code)</code></a> \
      <span class="text">\(warning.message)</span></li>

      """
    }
    return "<ul class=\"verdictWarnings\">\n\(items)</ul>\n"
  }

  private var published: HTML {
    """
    <p><code>\(options.output.name)</code> now has \(outcome.inserted.of("row")) in \
    \(outcome.tables.count.of("table")), loaded from \(outcome.read.of("record")) in \
    \(readFiles.count.of("file")). \(fate)</p>
    """
  }

  private var unchanged: HTML {
    let files = outcome.tables.reduce(0) { $0 + $1.sources.count }
    return """
      <p><code>\(options.output.name)</code> is up to date: its \(outcome.inserted.of("row")) \(outcome.inserted.verb("was", "were")) loaded from the same \
      \(files.of("file")) with the same options, and it has not been changed since. The rest of this report is from \
      the run that loaded it.\(if: outcome.rejected > 0, " That run rejected \(outcome.rejected.of("record")), within the limit.")</p>
      """
  }

  private var checked: HTML {
    """
    <p>\(outcome.read.of("record")) in \(readFiles.count.of("file")) \(outcome.read.verb("was", "were")) read and checked; nothing \
    was written. \(fate)</p>
    <p>Not checked in a dry run: \(options.uncheckedByDryRun).</p>
    """
  }

  /// What became of the records.
  private var fate: HTML {
    let rejected = outcome.rejected
    let applied = outcome.tables.flatMap(\.repairs).reduce(0) { $0 + $1.applied }
    return """
      \(if: rejected == 0, "Every record became a row.")\
      \(if: rejected > 0, "\(rejected.of("record")) (\(share(rejected, of: outcome.read))) \(rejected.verb("was", "were")) rejected, within the limit <code>\(options.rejectLimitText)</code>.")\
      \(if: applied > 0, " \(applied.of("repair")) <a href=\"#repairs\">fixed</a> the source files.")
      """
  }

  private var failures: HTML {
    let messages = outcome.failures.map { error -> HTML in
      let code: HTML = error.code.map { "<code>\($0.name)</code>: " } ?? ""
      return "<p class=\"message\">\(code)<span class=\"text\">\(error.message)</span></p>\n"
    }
    return "\(messages)"
  }

  private var explanations: HTML {
    let codes = outcome.failures.compactMap { $0.code?.name }
    // Folded, because the messages already have the facts and the action.
    let explanations = CodeExplanation.all.map(\.code).filter(codes.contains).map { code -> HTML in
      """
      <details><summary>Explanation of <code>\(code)</code></summary>
      \(explanation(of: code))
      </details>

      """
    }
    return "\(explanations)"
  }

  /// The state of the previous and the refused database, if nothing was published.
  private var previousDatabase: HTML {
    // For a server, the failure has the state.
    let otherwise: HTML = options.output.schema == nil ? "Nothing was written. " : ""
    let place = outcome.previousDatabase.map {
      "<code>\(options.output.name)</code>: \($0.words). " as HTML
    }
    let refused = outcome.refusedDatabase.map {
      "The refused database was kept for comparison: <code>\($0)</code>. " as HTML
    }
    let names = outcome.tables.isEmpty ? [] : facts.unreadTables
    return """
      <p>\(place ?? otherwise)\(refused)\
      \(if: !names.isEmpty, "The run ended before it read \(names.joined(separator: ", ")).")</p>
      """
  }

  var figures: HTML {
    guard !outcome.isUnchanged else { return "" }
    var figures: [(name: String, value: String, mood: String)] = []
    if !outcome.tables.isEmpty {
      let count = outcome.tables.reduce(0) { $0 + valid($1) }
      figures = [
        ("records read", outcome.read.grouped, ""),
        (facts.isCounted ? "rows inserted" : "valid records", count.grouped, ""),
        ("records rejected", outcome.rejected.grouped, outcome.rejected > 0 ? " bad" : ""),
      ]
    }
    if outcome.leftOut > 0 { figures.append(("records skipped", outcome.leftOut.grouped, "")) }
    if outcome.failure == nil || outcome.isPublished {
      let count = outcome.verdict.warnings.count
      figures.append(("warnings", count.grouped, count > 0 ? " fair" : ""))
    }
    if let bytes = outcome.bytes { figures.append(("size of the database", bytes.asSize, "")) }
    figures.append(("time", outcome.seconds.asSeconds, ""))
    figures.append(("exit status", "\(facts.exitCode)", ""))
    let items = figures.map { name, value, mood -> HTML in
      "<div class=\"figure\(mood)\"><dt>\(name)</dt><dd>\(value)</dd></div>\n"
    }
    return "<dl class=\"figures\">\n\(items)</dl>"
  }

  var rejectsLocation: HTML {
    guard outcome.rejected > 0 else { return "" }
    guard let folder = outcome.rejectsFolder else {
      return """
        <p class="where">The rejected records were not kept\(options.isDryRun ? ", because this was a dry run" : ""). \
        Their positions in the source files are listed below.</p>
        """
    }
    let action: HTML =
      if outcome.failures.contains(where: { $0.code?.file != nil }) {
        """
        Some files could not be used, so the rejected records may change. Fix the files and run again.</p>
        """
      } else if let command = outcome.repairCommand(options) {
        """
        Fix the records there, save them as repairs, and load with <code>--repairs</code>:</p>
        <pre><code>\(command)</code></pre>
        """
      } else {
        """
        The source files were not read to the end, so more records may be rejected; run again to see \
        all.</p>
        """
      }
    let whole =
      outcome.rejected == 1
      ? "The rejected record" : "All \(outcome.rejected.grouped) rejected records"
    return """
      <div class="where">
      <p><strong>\(whole), byte for byte, and every reason</strong> \
      are in the folder <code>\(folder)</code>: the records of each table in <code>TABLE.csv</code>, \
      the reasons in <code>TABLE.reasons.csv</code>. \
      \(action)
      </div>
      """
  }
}
