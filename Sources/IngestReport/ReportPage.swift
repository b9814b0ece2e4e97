import Schema
import Vocabulary
import Platform
import SQLiteSwiftly
import Text

/// A report as one page for a browser: no scripts, no external resources, all values escaped.
struct ReportPage {
  let facts: ReportFacts

  var outcome: IngestOutcome { facts.outcome }
  var options: IngestOptions { facts.options }

  fileprivate var page: HTML {
    let sections = sections
    let css = String(decoding: PackageResources.ReportPage_css, as: UTF8.self)
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="outcome" content="\(facts.outcomeName)">
      <meta name="exit-code" content="\("\(facts.exitCode)")">
      <title>\(title): \(options.output.name)</title>
      <style>
      \(HTML(css))</style>
      </head>
      <body>
      <header class="page">
      \(heading)
      </header>
      <main>
      \(changes?.html)\(rejectsLocation)\(figures)\
      \(if: outcome.verdict.state != .clean, nextCommand)
      <nav aria-label="Sections of this report">
      \(sections.map { "<a href=\"#\($0.id)\">\($0.title)</a>\n" as HTML })</nav>
      \(sections.map(\.html))</main>
      <footer>\(colophon)</footer>
      </body>
      </html>

      """
  }

  struct Section {
    let id: String
    let title: String
    let content: HTML

    /// Creates a section; nil if it has no content.
    init?(_ id: String, _ title: String, _ content: HTML) {
      guard !content.text.isEmpty else { return nil }
      (self.id, self.title, self.content) = (id, title, content)
    }

    var html: HTML {
      """
      <section id="\(id)" aria-labelledby="\(id)-title">
      <h2 id="\(id)-title">\(title)</h2>
      \(content)
      </section>

      """
    }
  }

  /// The sections after the changes, in order of importance; empty ones are omitted.
  private var sections: [Section] {
    [
      rejects, drift, warnings, suppressed, repairs, customSQL, tables, history, missingRow, times,
      files, counts, requestedOptions,
    ].compactMap(\.self)
  }

  func explanation(of code: String) -> HTML {
    guard let known = CodeExplanation(of: code) else { return "" }
    return """
      <p>\(known.meaning) <strong>Usual cause:</strong> \(known.cause) \
      <strong>Remedy:</strong> \(known.remedy)</p>
      """
  }

  private var colophon: HTML {
    """
    <p>Written \(timeText(facts.time)) by ingest \(facts.toolVersion) with SQLite \
    \(SQLiteLibrary.version), schema version \(String(facts.schema.version)). \
    <code>--report FILE.json</code> writes the same facts for programs.</p>
    """
  }

  func length(_ part: Double, of whole: Double) -> String {
    "\((part / whole * 100).rounded(decimals: 3))%"
  }

  /// A point in time as `2026-11-21 17:01:03 UTC`.
  func timeText(_ secondsSince1970: Int) -> String {
    let iso = utc(secondsSince1970)
    return "\(iso.prefix(10)) \(iso.dropFirst(11).prefix(8)) UTC"
  }

  /// Instructions for finding a missing row.
  var missingRow: Section? {
    guard !readFiles.isEmpty else { return nil }
    let rejected: HTML =
      outcome.rejected == 0
      ? "Was it rejected? No record was rejected."
      : "Was it <a href=\"#rejects\">rejected</a>? Search for its key in the rejected records."
    let isUnpublished = if case .unpublished = outcome.ending { true } else { false }
    let repair: HTML = repairs == nil ? "repair" : "<a href=\"#repairs\">repair</a>"
    let leftOut = options.repairsFolder.map {
      "<li>Was it skipped or replaced by a \(repair)? Those are in <code>\($0)</code>.</li>\n"
        as HTML
    }
    return Section(
      "missing-row", "Missing rows",
      """
      <p>Each record of a source file becomes one row or is rejected, as the <a href="#counts">row counts</a> \
      show. If a row is missing in the database, check:</p>
      <ul>
      \(if: isUnpublished, "<li>This run published nothing: the database is from an earlier run.</li>\n")\
      <li>\(rejected)</li>
      \(leftOut)<li>Is it in the source files? The <a href="#files">files</a> that were read are listed with their \
      time stamps.</li>
      \(if: outcome.changes != nil, """
        <li>Was it in the previous database? The <a href="#changes">changes</a> show how many keys were \
        removed from each table.</li>

        """)</ul>
      """)
  }

  var requestedOptions: Section? {
    Section(
      "options", "Options",
      """
      <dl class="options">
      \(options.requested.map { "<div><dt>\($0.title)</dt><dd>\($0.html)</dd></div>\n" as HTML })</dl>
      \(if: outcome.verdict.state == .clean, nextCommand)
      """)
  }

  private var nextCommand: HTML {
    let (purpose, line) = outcome.nextCommand(options)
    return options.command.isEmpty
      ? "" : "<p>\(purpose.beginningSentence):</p>\n<pre><code>\(line)</code></pre>\n"
  }
}

extension ReportFacts {
  var html: String { ReportPage(facts: self).page.text }
}
