import Quarantine
import Vocabulary
import Text

extension ReportPage {
  struct Verdict {
    enum Mood: String {
      case good, fair, bad
    }

    let mood: Mood
    let title: String
    let sentences: HTML
  }

  var heading: HTML {
    """
    <p class="eyebrow">Report of ingest, \(timeText(facts.time))</p>
    <div class="verdict \(verdict.mood.rawValue)">
    \(icon(verdict.mood))
    <div>
    <h1>\(verdict.title)</h1>
    \(verdictWarnings)\(verdict.sentences)\(circumstances)
    </div>
    </div>
    """
  }

  /// What somebody needs who was woken by the report.
  private var circumstances: HTML {
    let first = report.firstStep.map { "<p><strong>To do first:</strong> \($0)</p>\n" as HTML }
    let data = report.dataAge(at: facts.time).map { ", \($0)" } ?? ""
    return "\(first ?? .empty)<p>Host \(facts.host)\(data).</p>\n"
  }

  /// The command, which may be long, so that it is not above the changes.
  var commandToRepeat: HTML {
    options.command.isEmpty
      ? .empty : "<p>To run again:</p>\n<pre><code>\(options.command)</code></pre>\n"
  }

  var verdict: Verdict {
    let text = report.verdictWords(isDryRun: options.isDryRun)
    let title = (options.isDryRun ? "Dry run: " : "") + text
    let details = report.unchanged.map(unchanged) ?? (options.isDryRun ? checked : published)
    let (mood, sentences): (Verdict.Mood, HTML) =
      switch report.verdict {
      case .clean: (.good, details)
      case .warnings: (.fair, details)
      case .incomplete: (.fair, "\(failures)\(explanations)\(details)")
      case .notPublished, .unknown: (.bad, "\(failures)\(previousDatabase)\(explanations)")
      }
    return Verdict(
      mood: mood, title: title.prefix(1).uppercased() + title.dropFirst(), sentences: sentences)
  }

  private var verdictWarnings: HTML {
    let verdictWarnings = report.verdict.verdictWarnings
    guard !verdictWarnings.isEmpty else { return .empty }
    let items = verdictWarnings.map { verdictWarning -> HTML in
      let kind = RecordCode(rawValue: verdictWarning.code) == nil ? "warning" : "code"
      return """
        <li><a href="#\(kind)-\(verdictWarning.code)"><code>\(verdictWarning.code)</code></a> \
        <span class="text">\(verdictWarning.message)</span></li>

        """
    }
    return "<ul class=\"verdictWarnings\">\n\(items)</ul>\n"
  }

  private var published: HTML {
    """
    <p><code>\(options.output)</code> now has \(report.inserted.of("row")) in \
    \(report.tables.count.of("table")), loaded from \(report.read.of("record")) in \
    \(readFiles.count.of("file")). \(lossSentence)\(repairSentence)</p>
    """
  }

  private func unchanged(_ catalog: UnchangedCatalog) -> HTML {
    let loss: HTML =
      catalog.rejected == 0
      ? .empty : " That run rejected \(catalog.rejected.of("record")), within the limit."
    return """
      <p><code>\(options.output)</code> is up to date: its \(catalog.rows.of("row")) were loaded from the same \
      \(catalog.files.of("file")) with the same options, and it has not been changed since. The rest of this report is from \
      the run that loaded it.\(loss)</p>
      """
  }

  private var checked: HTML {
    """
    <p>\(report.read.of("record")) in \(readFiles.count.of("file")) were read and checked; nothing \
    was written. \(lossSentence)\(repairSentence)</p>
    <p>Not checked in a dry run: \(options.uncheckedByDryRun).</p>
    """
  }

  private var lossSentence: HTML {
    guard report.rejected > 0 else { return "Every record became a row." }
    let share = share(report.rejected, of: report.read)
    let verb: HTML = report.rejected == 1 ? "was" : "were"
    return """
      \(report.rejected.of("record")) (\(share)) \(verb) rejected, within the limit \
      <code>\(limitText)</code>.
      """
  }

  private var repairSentence: HTML {
    let applied = report.tables.flatMap(\.repairs).reduce(0) { $0 + $1.applied }
    return applied == 0
      ? .empty : " \(applied.of("repair")) <a href=\"#repairs\">fixed</a> the source files."
  }

  private var failures: HTML { "\(report.failures.map(message))" }

  private var explanations: HTML {
    let codes = report.failures.compactMap { $0.code?.name }
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

  private func message(_ error: IngestError) -> HTML {
    let code: HTML = error.code.map { "<code>\($0.name)</code>: " } ?? .empty
    return "<p class=\"message\">\(code)<span class=\"text\">\(error.message)</span></p>\n"
  }

  /// The state of the previous and the refused database, if nothing was published.
  private var previousDatabase: HTML {
    // For a server, the failure has the state.
    let otherwise: HTML = options.server == nil ? "Nothing was written. " : .empty
    let place = report.previousDatabase.map {
      "<code>\(options.output)</code>: \($0.words). " as HTML
    }
    return "<p>\(place ?? otherwise)\(refusedDatabase)\(unreadSentence)</p>"
  }

  private var refusedDatabase: HTML {
    guard let path = report.keptCandidate else { return .empty }
    return "The new database is complete, and kept as <code>\(path)</code>. "
  }

  private var unreadSentence: HTML {
    let names = facts.unreadTables
    guard !names.isEmpty, !report.tables.isEmpty else { return .empty }
    return "The run ended before it read \(names.joined(separator: ", "))."
  }

  var figures: HTML {
    let verdictWarnings = report.verdict.verdictWarnings.count
    let loaded = report.tables.reduce(0) { $0 + $1.loaded }
    guard report.unchanged == nil else { return .empty }
    let records: HTML =
      report.tables.isEmpty
      ? .empty
      : """
      \(figure("records read", report.read.grouped))\
      \(facts.isCounted
        ? figure("rows inserted", report.inserted.grouped)
        : figure("valid records", loaded.grouped))\
      \(figure("records rejected", report.rejected.grouped, isBad: report.rejected > 0))
      """
    return """
      <dl class="figures">
      \(records)\
      \(report.leftOut > 0 ? figure("records skipped", report.leftOut.grouped) : .empty)\
      \(report.failure == nil || report.isPublished
        ? figure("warnings", verdictWarnings.grouped, isFair: verdictWarnings > 0) : .empty)\
      \(report.outputBytes.map { figure("size of the database", $0.asSize) } ?? .empty)\
      \(figure("time", report.seconds.asSeconds))\
      \(figure("exit status", "\(facts.exitCode)"))</dl>
      """
  }

  private func figure(
    _ name: String, _ value: String, isBad: Bool = false, isFair: Bool = false
  ) -> HTML {
    let mood = isBad ? " bad" : isFair ? " fair" : ""
    return "<div class=\"figure\(mood)\"><dt>\(name)</dt><dd>\(value)</dd></div>\n"
  }

  var rejectsLocation: HTML {
    guard report.rejected > 0 else { return .empty }
    guard let folder = report.rejectsFolder else {
      let reason: HTML = options.isDryRun ? ", because this was a dry run" : .empty
      return """
        <p class="where">The rejected records were not kept\(reason). Their positions in the source files are \
        listed below.</p>
        """
    }
    let action: HTML =
      if report.failures.contains(where: { $0.code?.file != nil }) {
        """
        Some files could not be used, so the rejected records may change. Fix the files and run again.</p>
        """
      } else if let command = report.repairCommand(options) {
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
      report.rejected == 1
      ? "The rejected record" : "All \(report.rejected.grouped) rejected records"
    return """
      <div class="where">
      <p><strong>\(whole), byte for byte, and every reason</strong> \
      are in the folder <code>\(folder)</code>: the records of each table in <code>TABLE.csv</code>, \
      the reasons in <code>TABLE.reasons.csv</code>. \
      \(action)
      </div>
      """
  }

  var limitText: String {
    let tables = options.rejectLimits.tables.sorted { $0.key < $1.key }
    return
      (["--max-rejects \(options.rejectLimits.run)"]
      + tables.map { "--max-rejects \($0.key)=\($0.value)" }).joined(separator: " ")
  }

  private func icon(_ mood: Verdict.Mood) -> HTML {
    let path: HTML =
      switch mood {
      case .good: "M7 12.5l3.5 3.5 6.5-8"
      case .fair: "M12 6.5v7M12 17v.5"
      case .bad: "M8 8l8 8M16 8l-8 8"
      }
    return """
      <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/>\
      <path d="\(path)"/></svg>
      """
  }
}
