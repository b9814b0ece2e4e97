@testable import Quarantine
@testable import Vocabulary
import Foundation
import FoundationXML
import Testing
@testable import IngestReport
import Text

@Suite struct ReportPageTests {
  /// The text of a page without tags, with white space collapsed.
  private func words(_ html: String) -> String {
    let body = html.components(separatedBy: "</style>").last ?? html
    let text = body.replacingOccurrences(of: "<[^>]*>", with: " ", options: .regularExpression)
    return text.replacingOccurrences(of: "\\s+", with: " ", options: .regularExpression)
      .replacingOccurrences(of: " ([.,:;])", with: "$1", options: .regularExpression)
  }

  @Test(arguments: [
    (Reports.clean, "Published, clean"),
    (Reports.clean, "now has 1,000,000 rows in 2 tables, loaded from 1,000,000 records in 1 file."),
    (Reports.clean, "The full-text search over 12 names took 0.100 s and uses 65.5 kB."),
    (Reports.rejects, "Published with 4 warnings"),
    (Reports.rejects, "37 records (3.7 %) were rejected, within the limit --max-rejects 5%"),
    (Reports.rejects, "--max-rejects 5% --max-rejects nodes=40"),
    (Reports.rejects, "All 37 rejected records, byte for byte, and every reason"),
    (Reports.rejects, "ingest repair --rejects &#39;it&#39;\\&#39;&#39;s kept&#39; --source dumps"),
    (
      Reports.rejects,
      "Invalid values in 1 record of nodes.csv.gz; 36 records refer to it: nodes. Rejected records by code and table "
        + "records reason tables 1 duplicate-key"
    ),
    (Reports.rejects, "36 records, the first 10 of which are shown here"),
    (Reports.rejects, "nodes.csv.gz:2-3 record 1, 10 bytes at byte 10"),
    (Reports.rejects, "parent the parent is not there"),
    (Reports.rejects, "The end of this record is uncertain"),
    (
      Reports.rejects,
      "To load it, change the description: add to the fields of nodes: {&quot;name&quot;: &quot;mood&quot;"
    ),
    (Reports.failed, "Not published: 2 source files cannot be used"),
    (Reports.failed, "gzip-corrupt: nodes.csv.gz: the checksum is another one."),
    (Reports.failed, "nodes cannot be used: gzip-corrupt 10 10"),
    (Reports.failed, "file-missing: labels has no dump."),
    (Reports.failed, "Explanation of gzip-corrupt"),
    (Reports.failed, "The run ended before it read things, labels, owners."),
    (Reports.failed, "nodes.csv.gz 12 1 100 500 613 ✕ not read to the end"),
    (Reports.dryRun, "Dry run: would be published with 1 warning"),
    (Reports.dryRun, "nothing was written"),
    (Reports.changes, "Not published: too many rows were lost"),
    (Reports.changes, "The refused database was kept for comparison: out.sqlite.refused."),
    (Reports.changes, "To accept it: ingest @night --max-shrink &#39;100%&#39;"),
    (Reports.changes, "nodes 2,000 1,000 \u{2212}1,000 5 1,005 17"),
    (Reports.changes, "gone 3 – table removed"), (Reports.changes, "new – 4 new table"),
    (Reports.changes, "nodes. parent 20 1.0 % 400 40.0 %"),
    (Reports.repaired, "records skipped 10"),
    (Reports.repaired, "10 repairs fixed the source files."),
    (Reports.repaired, "skips records of nodes 10 10 0 0"),
    (Reports.repaired, "Was it skipped or replaced by a repair ? Those are in standing."),
    (Reports.rejects, "Suppressed by known &amp; suppressed.txt: file-unknown 2, blank-line 1."),
    (Reports.rejects, "Line for --suppress: column-unknown nodes.mood: the column is not loaded"),
    (Reports.unchanged, "Unchanged, nothing was loaded; 2 warnings"),
    (Reports.unchanged, "nul-byte 2 records rejected: nodes 2"),
    (Reports.unchanged, "nodes: 2 records Other warnings"),
    (
      Reports.unchanged,
      "is up to date: its 1,000,000 rows were loaded from the same 1 file with the same options, and it "
        + "has not been changed since. The rest of this report is from the run that loaded it. That run "
        + "rejected 2 records, within the limit."
    ),
    (Reports.empty, "Not published: locked by another program; try again"),
    (Reports.empty, "Nothing was written."),
    (Reports.changes, "out.sqlite: the previous database was kept."),
    (
      Reports.unfinished,
      "Published, but its folder cannot be synced to the disk file-unknown files"
    ),
    (Reports.unfinished, "out.sqlite now has 1,000,000 rows"),
    (Reports.uncertain, "Possibly published: the connection was lost while publishing"),
    (Reports.uncertain, "the connection is gone."),
  ])
  func `a page contains`(_ facts: ReportFacts, _ sentence: String) {
    let words = words(facts.html)
    #expect(words.contains(sentence), "\(words)")
  }

  @Test(arguments: [(Reports.clean, true), (Reports.rejects, true), (Reports.empty, false)])
  func `records are counted if any file was opened`(_ facts: ReportFacts, isCounted: Bool) {
    #expect(facts.html.contains("<dt>records read</dt>") == isCounted)
    #expect(facts.html.contains("<dt>exit status</dt>"))
  }

  @Test func `a name can break after an underscore, and is escaped`() {
    #expect(breakable("set_<nums>_").text == "set_<wbr>&lt;nums&gt;_<wbr>")
  }

  @Test func `unchanged tables have no row`() {
    var report = Reports.cleanReport
    var nodes = DatabaseChanges.Table(name: "nodes")
    (nodes.rowsBefore, nodes.rowsAfter) = (200, 210)
    nodes.keys = .init(added: 10)
    nodes.nulls = [
      (column: "parent", before: 150, after: 150), (column: "mood", before: 1, after: 7),
    ]
    var things = DatabaseChanges.Table(name: "things")
    (things.rowsBefore, things.rowsAfter, things.keys) = (77, 77, .init())
    report.changes = DatabaseChanges()
    report.changes?.tables = [nodes, things]
    let html = Reports.facts(report).html
    let changes =
      html.components(separatedBy: "id=\"changes\"").last?
      .components(separatedBy: "</section>").first ?? ""
    #expect(changes.contains("<wbr>mood") && !changes.contains("<wbr>parent"))
    #expect(!changes.contains("things") && changes.contains("No other table changed."))
    #expect(words(changes).contains("all 277 287 +10 10 0 0"), "\(words(changes))")
    // Before the figures and the navigation.
    #expect(
      html.range(of: "id=\"changes\"")!.lowerBound < html.range(of: "class=\"figures\"")!.lowerBound
    )
    report.changes?.tables = [things]
    #expect(Reports.facts(report).html.contains("<p>No table changed.</p>"))
  }

  @Test func `the first step names columns, tables and folders`() {
    var report = Reports.cleanReport
    report.tables[0].rejectedByCode = [.missingParent: 2]
    report.rejects = [Reports.reject(1), Reports.reject(2)]
    report.rejectsFolder = "bad"
    let options = Reports.facts(report).options
    #expect(
      report.firstStep(options)
        == "nodes.parent: If the parent was rejected, fix it. The source files are in dumps, the rejected records in bad."
    )
    report = Reports.cleanReport
    report.warnings = ["a", "b", "c", "d"].map { table in
      Warning(file: table, code: .tableShrunk, table: table, "it shrank")
    }
    #expect(
      report.firstStep(options)
        == "a, b, c: Compare the file with that of the day before. The source files are in dumps."
    )
  }

  @Test func `a clean run has its command at the end`() {
    let page = Reports.facts(Reports.cleanReport) { $0.command = "ingest @night" }.html
    #expect(
      page.range(of: "To run again")!.lowerBound > page.range(of: "id=\"options\"")!.lowerBound)
  }

  /// The page explains every code completely.
  @Test func `every code is explained on the page`() {
    var report = Reports.cleanReport
    report.tables[0] = Reports.account(
      "nodes", [Reports.source("nodes.csv", records: 100, rejected: 15)])
    for code in RecordCode.allCases { report.tables[0].rejectedByCode[code] = 1 }
    report.warnings = WarningCode.allCases.map { Warning(file: "nodes.csv", code: $0, "found") }
    let html = Reports.facts(report).html
    for code in CodeExplanation.all where [.record, .warning].contains(code.level) {
      #expect(html.contains("<code>\(code.code)</code>"))
      for text in [code.meaning, code.cause, code.remedy] {
        #expect(html.contains(("\(text)" as HTML).text), "\(code.code)")
      }
    }
  }

  @Test(arguments: Reports.all.map(\.facts))
  func `a page is well formed and self-contained`(_ facts: ReportFacts) throws {
    let html = facts.html
    let delegate = Tags()
    // Parts of HTML that are not XML.
    let xml = html.replacingOccurrences(of: "<!DOCTYPE html>\n", with: "")
      .replacingOccurrences(of: "(<meta [^>]*)>", with: "$1/>", options: .regularExpression)
      .replacingOccurrences(of: "<wbr>", with: "")
    let parser = XMLParser(data: Data(xml.utf8))
    parser.delegate = delegate
    #expect(parser.parse(), "line \(parser.lineNumber): \(String(describing: parser.parserError))")
    let allowed: Set = [
      "a", "article", "body", "caption", "circle", "code", "dd", "details", "div", "dl", "dt",
      "footer", "h1", "h2", "h3", "h4", "head", "header", "html", "li", "main", "meta", "nav", "ol",
      "p", "path", "pre", "section", "span", "strong", "style", "summary", "svg", "table", "tbody",
      "td", "tfoot", "th", "thead", "title", "tr", "ul",
    ]
    #expect(delegate.names.subtracting(allowed).isEmpty)
    #expect(delegate.identifiers.count == Set(delegate.identifiers).count)
    // Every link has a target on the page.
    let places = Set(delegate.identifiers.map { "#" + $0 })
    #expect(Set(delegate.links).subtracting(places).isEmpty)
    #expect(!html.contains("url(") && !html.contains("@import"))
  }

  @Test func `data never becomes markup, and is never invisible`() {
    let html = Reports.hostile.html
    #expect(!html.contains("<script"))
    #expect(html.contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;"))
    #expect(html.contains("\\u{0}\\u{1b}[31m\\u{7f}\\u{85}\\u{202e}gnp\\u{2028}\\u{feff}"))
    for scalar in html.unicodeScalars where scalar != "\n" {
      let category = scalar.properties.generalCategory
      #expect(category != .control && category != .format, "\(scalar.value)")
    }
  }

  @Test(arguments: [
    (0, 10, "0 %"), (10, 10, "100 %"), (0, 0, "0 %"), (1, 10_000_000, "under 0.001 %"),
    (1, 3000, "0.033 %"), (1, 3, "33.3 %"), (9999, 10_000, "99.990 %"),
    (9_999_999, 10_000_000, "over 99.999 %"),
  ])
  func `a share is never rounded to 0 or 100`(_ part: Int, _ whole: Int, _ text: String) {
    #expect(share(part, of: whole) == text)
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (99_949, "99.9 kB"),
    (99_950, "100 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"), (56_590_336, "56.6 MB"),
    (Int.max, "9,223,372 TB"),
  ])
  func `a size has about three digits`(_ bytes: Int, _ text: String) {
    #expect(bytes.asSize == text)
  }

  @Test(arguments: [
    (0, "0.000 s"), (0.0004, "0.000 s"), (9.9994, "9.999 s"), (9.9996, "10.0 s"),
    (4711.25, "4,711.3 s"), (Double.nan, "– s"), (Double.infinity, "– s"),
  ])
  func `seconds have meaningful decimals`(_ seconds: Double, _ text: String) {
    #expect(seconds.asSeconds == text)
  }

  @Test(arguments: [
    ("dumps/2026-11-21", "dumps/2026-11-21"), ("", "''"), ("a b", "'a b'"), ("a'b", "'a'\\''b'"),
    ("$HOME", "'$HOME'"), ("~", "'~'"), ("é", "'é'"),
  ])
  func `a word of a command is quoted if the shell requires it`(_ word: String, _ quoted: String) {
    #expect(shellWord(word) == quoted)
  }
}

/// Collects the tags of a page.
private final class Tags: NSObject, XMLParserDelegate {
  private(set) var names: Set<String> = []
  private(set) var identifiers: [String] = []
  private(set) var links: [String] = []

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    names.insert(name)
    if let identifier = attributes["id"] { identifiers.append(identifier) }
    if let link = attributes["href"] { links.append(link) }
  }
}
