import Facts

extension ReportPage {
  /// How to find out what became of a row, for a reader who knows nothing else.
  var missingRow: Section? {
    guard !readFiles.isEmpty else { return nil }
    let rejected: HTML =
      if report.rejected == 0 {
        "Was it rejected? No record was."
      } else if let folder = report.rejectsFolder {
        """
        Was it <a href="#rejects">rejected</a>? Look for its key in the records that are kept in \
        <code>\(folder)</code>; the reasons beside them give line, byte, column, value and code. \
        <code>ingest explain CODE</code> says what a code means and what to do.
        """
      } else {
        """
        Was it <a href="#rejects">rejected</a>? The places in the dumps are given there, and \
        <code>ingest explain CODE</code> says what a code means and what to do.
        """
      }
    let gone: HTML =
      report.changes == nil
      ? .empty
      : """
      <li>Was it in the last catalog? The <a href="#changes">changes</a> say how many keys are gone \
      from each table.</li>

      """
    let unpublished: HTML =
      report.failure == nil || report.isPublished || options.isDryRun
      ? .empty
      : "<li>This run published nothing: whatever the output holds is from an earlier run.</li>\n"
    let replaced: HTML =
      options.replayedFolder.map {
        "<li>Did it give way to a repaired record? Those are in <code>\($0)</code>.</li>\n"
      } ?? .empty
    let leftOut: HTML =
      options.repairsFolder.map {
        "<li>Was it left out or replaced by a <a href=\"#repairs\">standing repair</a>? Those are in "
          + "<code>\($0)</code>.</li>\n"
      } ?? .empty
    return Section(
      id: "missing-row", title: "If a row is missing",
      content: """
        <p>A record of a dump becomes one row, or it is rejected; the <a href="#accounts">accounts</a> \
        show that there is nothing else. So ask of a row that is not in the catalog:</p>
        <ul>
        \(unpublished)<li>\(rejected)</li>
        \(replaced)\(leftOut)<li>Is it in the dumps at all? The <a href="#files">files</a> and their time stamps say which \
        were read.</li>
        \(gone)</ul>
        """)
  }

  var request: Section? {
    let allowed =
      switch options.allowedMissing {
      case .all: "every table"
      case .tables(let names): names.isEmpty ? "no table" : names.sorted().joined(separator: ", ")
      }
    let shrink = options.shrinkLimits
    let tables = shrink.tables.sorted { $0.key < $1.key }
      .map { ", \($0.key) \(percentText($0.value))" }.joined()
    let entries: [(String, HTML)] = [
      ("Dumps", "<code>\(options.source)</code>"),
      ("Catalog", "<code>\(options.output)</code>"),
      ("Rejected records tolerated", "<code>\(limitText)</code>"),
      ("Smaller than the last catalog by at most", "\(percentText(shrink.run))\(tables)"),
      ("Dumps that may be missing", "\(allowed)"),
      ("Longest record", "\(options.recordLimit.of("byte"))"),
      ("Most memory for keys", "\(options.keyMemory.of("byte"))"),
      (
        "Your own SQL",
        options.sqlFiles.isEmpty
          ? "none" : "<code>\(options.sqlFiles.joined(separator: ", "))</code>"
      ),
      ("Standing repairs", options.repairsFolder.map { "<code>\($0)</code>" } ?? "none"),
      ("Drift", options.isStrict ? "refused (<code>--strict-schema</code>)" : "allowed"),
      (
        "Accepted warnings",
        options.suppressFile.map { "<code>\($0)</code> (<code>--suppress</code>)" } ?? "none"
      ),
      (
        "Nothing if the catalog was made from the same",
        options.skipsUnchanged ? "yes (<code>--if-changed</code>)" : "no"
      ),
      ("Dry run", options.isDryRun ? "yes (<code>--dry-run</code>)" : "no"),
      (
        "Folder for rejected records",
        options.rejectsFolder.map { "<code>\($0)</code>" } ?? "named after the catalog"
      ),
      (
        "Repaired records of", options.replayedFolder.map { "<code>\($0)</code>" } ?? "no other run"
      ),
    ]
    return Section(
      id: "options", title: "What was asked for",
      content: """
        <dl class="options">
        \(entries.map { "<div><dt>\($0.0)</dt><dd>\($0.1)</dd></div>\n" as HTML })</dl>
        """)
  }
}
