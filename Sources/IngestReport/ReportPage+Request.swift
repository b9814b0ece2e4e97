import Vocabulary
import Text

extension ReportPage {
  /// Instructions for finding a missing row.
  var missingRow: Section? {
    guard !readFiles.isEmpty else { return nil }
    let rejected: HTML =
      if report.rejected == 0 {
        "Was it rejected? No record was rejected."
      } else if let folder = report.rejectsFolder {
        """
        Was it <a href="#rejects">rejected</a>? Search for its key in the records in \
        <code>\(folder)</code>. The reasons beside them have line, byte, column, value and code; \
        <code>ingest explain CODE</code> explains a code.
        """
      } else {
        """
        Was it <a href="#rejects">rejected</a>? The positions in the source files are listed there; \
        <code>ingest explain CODE</code> explains a code.
        """
      }
    let removed: HTML =
      report.changes == nil
      ? .empty
      : """
      <li>Was it in the previous database? The <a href="#changes">changes</a> show how many keys were \
      removed from each table.</li>

      """
    let unpublished: HTML =
      report.failure == nil || report.isPublished || options.isDryRun
      ? .empty
      : "<li>This run published nothing: the database is from an earlier run.</li>\n"
    let repair: HTML = repairs == nil ? "repair" : "<a href=\"#repairs\">repair</a>"
    let leftOut: HTML =
      options.repairsFolder.map {
        "<li>Was it skipped or replaced by a \(repair)? Those are in <code>\($0)</code>.</li>\n"
      } ?? .empty
    return Section(
      id: "missing-row", title: "Missing rows",
      content: """
        <p>Each record of a source file becomes one row or is rejected, as the <a href="#counts">row counts</a> \
        show. If a row is missing in the database, check:</p>
        <ul>
        \(unpublished)<li>\(rejected)</li>
        \(leftOut)<li>Is it in the source files? The <a href="#files">files</a> that were read are listed with their \
        time stamps.</li>
        \(removed)</ul>
        """)
  }

  private func words(of limits: PercentLimits) -> String {
    let tables = limits.tables.sorted { $0.key < $1.key }
    return percentText(limits.run) + tables.map { ", \($0.key) \(percentText($0.value))" }.joined()
  }

  var requestedOptions: Section? {
    let allowed =
      switch options.allowedMissing {
      case .all: "every table"
      case .tables(let names): names.isEmpty ? "no table" : names.sorted().joined(separator: ", ")
      }
    let entries: [(String, HTML)] = [
      ("Source files", "<code>\(options.source)</code>"),
      ("Database", "<code>\(options.output)</code>"),
      ("Rejected records allowed", "<code>\(limitText)</code>"),
      ("Lost rows allowed", "\(words(of: options.shrinkLimits))"),
      ("Changed keys allowed", "\(words(of: options.changeLimits))"),
      ("Missing source files allowed", "\(allowed)"),
      ("Record size limit", "\(options.recordLimit.of("byte"))"),
      ("Key memory limit", "\(options.keyMemory.of("byte"))"),
      (
        "Custom SQL",
        options.sqlFiles.isEmpty
          ? "none" : "<code>\(options.sqlFiles.joined(separator: ", "))</code>"
      ),
      ("Repairs", options.repairsFolder.map { "<code>\($0)</code>" } ?? "none"),
      ("Schema drift", options.isStrict ? "not allowed (<code>--strict-schema</code>)" : "allowed"),
      (
        "Suppressed warnings",
        options.suppressFile.map { "<code>\($0)</code> (<code>--suppress</code>)" } ?? "none"
      ),
      (
        "Skip if up to date",
        options.skipsUnchanged ? "yes (<code>--if-changed</code>)" : "no"
      ),
      ("Dry run", options.isDryRun ? "yes (<code>--dry-run</code>)" : "no"),
      (
        "Folder for rejected records",
        options.rejectsFolder.map { "<code>\($0)</code>" } ?? "named after the database"
      ),
    ]
    return Section(
      id: "options", title: "Options",
      content: """
        <dl class="options">
        \(entries.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>\n" as HTML })</dl>
        """)
  }
}
