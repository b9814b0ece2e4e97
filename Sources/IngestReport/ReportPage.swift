import Schema
import Vocabulary
import Platform
import SQLiteSwiftly

/// A report as one page for a browser: no scripts, no external resources, all values escaped.
struct ReportPage {
  let facts: ReportFacts

  init(_ facts: ReportFacts) { self.facts = facts }

  var report: IngestOutcome { facts.report }
  var options: IngestOptions { facts.options }

  var text: String { page.text }

  private var page: HTML {
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
      <meta name="outcome" content="\(facts.outcome.rawValue)">
      <meta name="exit-code" content="\("\(facts.exitCode)")">
      <title>\(verdict.title): \(options.output)</title>
      <style>
      \(HTML(css))</style>
      </head>
      <body>
      <header class="page">
      \(heading)
      </header>
      <main>
      \(changes?.html ?? .empty)\(rejectsLocation)\(figures)\(commandToRepeat)
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
    guard let known = CodeExplanation(of: code) else { return .empty }
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
}

extension ReportFacts {
  var html: String { ReportPage(self).text }
}

/// A table that scrolls separately on narrow screens; the caption is for screen readers.
func scrollingTable(
  _ caption: String, head: [(String, String)], rows: [HTML], foot: HTML = .empty
) -> HTML {
  let head = head.map { title, style -> HTML in
    let attribute: HTML = style.isEmpty ? .empty : " class=\"\(style)\""
    return "<th scope=\"col\"\(attribute)>\(title)</th>"
  }
  return """
    <div class="scroll" role="region" aria-label="\(caption)" tabindex="0">
    <table>
    <caption class="hidden">\(caption)</caption>
    <thead><tr>\(head)</tr></thead>
    <tbody>
    \(rows)</tbody>
    \(foot)</table>
    </div>
    """
}

/// A name that may break after underscores.
func breakable(_ name: String) -> HTML {
  let parts = ("\(name)" as HTML).text.split(separator: "_", omittingEmptySubsequences: false)
  return HTML(parts.joined(separator: "_<wbr>"))
}
