import Quarantine
import Facts

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
    \(verdictWarnings)\(verdict.sentences)
    </div>
    </div>
    """
  }

  var verdict: Verdict {
    let words = report.verdictWords(isDryRun: options.isDryRun)
    let title = (options.isDryRun ? "Dry run: " : "") + words
    let state = report.unchanged.map(unchanged) ?? (options.isDryRun ? checked : published)
    let (mood, sentences): (Verdict.Mood, HTML) =
      switch report.verdict {
      case .clean: (.good, state)
      case .warnings: (.fair, state)
      case .incomplete: (.fair, "\(failures)\(explanations)\(state)")
      case .notPublished, .unknown: (.bad, "\(failures)\(whatIsThere)\(explanations)")
      }
    return Verdict(
      mood: mood, title: title.prefix(1).uppercased() + title.dropFirst(), sentences: sentences)
  }

  /// What to look at, each with a link to the part of the page that says what to do.
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
    <p><code>\(options.output)</code> now holds \(report.inserted.of("row")) in \
    \(report.tables.count.of("table")), made from \(report.read.of("record")) in \
    \(readFiles.count.of("file")). \(lossSentence)\(replacedSentence)</p>
    \(dataAge)
    """
  }

  /// The date of the data, and its age at the end of the run.
  private var dataAge: HTML {
    guard let time = report.tables.dataTime else { return .empty }
    return """
      <p>The newest source file was written on \(time.day), \(words(forSeconds: time.age(at: facts.time))) \
      before this run.</p>
      """
  }

  private func unchanged(_ catalog: UnchangedCatalog) -> HTML {
    let lack: HTML =
      catalog.rejected == 0
      ? .empty : " \(catalog.rejected.of("record")) of them had been rejected, within the limit."
    return """
      <p><code>\(options.output)</code> holds \(catalog.rows.of("row")) that were made from the same \
      \(catalog.files.of("file")) with the same options, and nobody has written to it since, so nothing was loaded. What follows is \
      what the run found that loaded them.\(lack)</p>
      \(dataAge)
      """
  }

  private var checked: HTML {
    """
    <p>\(report.read.of("record")) in \(readFiles.count.of("file")) were read and checked, and nothing \
    was written. \(lossSentence)\(replacedSentence)</p>
    <p>Not checked in a dry run: \(options.uncheckedByDryRun).</p>
    """
  }

  private var lossSentence: HTML {
    if report.rejected == 0 {
      return report.leftOut == 0
        ? "Every record became a row." : "Every other record became a row."
    }
    let share = share(report.rejected, of: report.read)
    let verb: HTML = report.rejected == 1 ? "was" : "were"
    return """
      \(report.rejected.of("record")) (\(share)) \(verb) rejected and \(verb) left out, within what \
      <code>\(limitText)</code> allows.
      """
  }

  private var replacedSentence: HTML {
    let replaced = report.tables.reduce(0) { $0 + $1.replaced }
    guard replaced > 0 else { return repairSentence }
    let left: HTML =
      report.leftOut == 0
      ? .empty
      : " For \(report.leftOut.grouped) of them there is no repaired one: whoever repaired the "
        + "others has deleted them."
    return
      " \(replaced.of("record")) of the dumps gave way to repaired ones.\(left)\(repairSentence)"
  }

  private var repairSentence: HTML {
    let applied = report.tables.flatMap(\.repairs).reduce(0) { $0 + $1.applied }
    return applied == 0
      ? .empty : " \(applied.of("standing repair")) <a href=\"#repairs\">corrected</a> the dumps."
  }

  private var failures: HTML { "\(report.failures.map(message))" }

  private var explanations: HTML {
    let codes = report.failures.compactMap(\.codeName)
    // Folded, since the messages say what was found and what to do.
    let explanations = CodeExplanation.all.map(\.code).filter(codes.contains).map { code -> HTML in
      """
      <details><summary>What <code>\(code)</code> means</summary>
      \(explanation(of: code))
      </details>

      """
    }
    return "\(explanations)"
  }

  private func message(_ error: IngestError) -> HTML {
    let code: HTML = error.codeName.map { "<code>\($0)</code>: " } ?? .empty
    return "<p class=\"message\">\(code)<span class=\"text\">\(error.message)</span></p>\n"
  }

  /// What is at the output although nothing was published, and beside it.
  private var whatIsThere: HTML {
    // The failure says what is in a server.
    let otherwise: HTML = options.server == nil ? "Nothing was written. " : .empty
    let place = report.previousDatabase.map {
      "<code>\(options.output)</code>: \($0.words). " as HTML
    }
    return "<p>\(place ?? otherwise)\(keptCandidate)\(unreadSentence)</p>"
  }

  private var keptCandidate: HTML {
    guard let path = report.keptCandidate else { return .empty }
    return "The new catalog is complete and kept beside it: <code>\(path)</code>. "
  }

  private var unreadSentence: HTML {
    let names = facts.unreadTables
    guard !names.isEmpty, !report.tables.isEmpty else { return .empty }
    return "The run ended before it read \(names.joined(separator: ", "))."
  }

  var figures: HTML {
    let replaced = report.tables.reduce(0) { $0 + $1.replaced }
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
        : figure("records without fault", loaded.grouped))\
      \(figure("records rejected", report.rejected.grouped, isBad: report.rejected > 0))
      """
    return """
      <dl class="figures">
      \(records)\
      \(replaced > 0 ? figure("records replaced", replaced.grouped) : .empty)\
      \(report.failure == nil || report.isPublished
        ? figure("things to look at", verdictWarnings.grouped, isFair: verdictWarnings > 0) : .empty)\
      \(report.outputBytes.map { figure("size of the catalog", $0.asSize) } ?? .empty)\
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

  var whereRejectsAre: HTML {
    guard report.rejected > 0 else { return .empty }
    guard let folder = report.rejectsFolder else {
      let reason: HTML = options.isDryRun ? ", since this was a dry run" : .empty
      return """
        <p class="where">The rejected records were not kept\(reason); they are in the dumps, at the \
        places that are given below.</p>
        """
    }
    let action: HTML =
      if report.failures.contains(where: { $0.code != nil }) {
        """
        Some will be gone, or others rejected, when all files can be used; then this run is to be \
        repeated.</p>
        """
      } else if let command = report.replayCommand(options) {
        """
        Repair the records there, and load them in place of the rejected ones:</p>
        <pre><code>\(command)</code></pre>
        """
      } else {
        """
        The dumps were not read to their ends, so they are only some; run again to see \
        all.</p>
        """
      }
    let whole =
      report.rejected == 1
      ? "The rejected record" : "All \(report.rejected.grouped) rejected records"
    return """
      <div class="where">
      <p><strong>\(whole), byte for byte, and every reason</strong> \
      are in the folder <code>\(folder)</code>: for each table the records as <code>TABLE.csv</code>, \
      and the reasons beside them as <code>TABLE.reasons.csv</code>. \
      \(action)
      </div>
      """
  }

  /// The limits of rejected records, as they are given to the command.
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
