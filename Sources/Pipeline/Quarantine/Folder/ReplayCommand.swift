package import Vocabulary

extension IngestOutcome {
  /// The shell command that loads the same source files again with the rejected records, once they are fixed.
  ///
  /// Nil if the records were not kept, or if a source file was not read to its end, so that others might be rejected.
  package func replayCommand(_ options: IngestOptions) -> String? {
    let sources = tables.flatMap(\.sources)
    guard let folder = rejectsFolder, !options.isDryRun, failure?.code == nil,
      !sources.contains(where: { $0.rejected.records > 0 && !$0.isComplete })
    else { return nil }
    let missing =
      switch options.allowedMissing {
      case .all: ["all"]
      case .tables(let names): names.sorted()
      }
    var words = ["--rejects", folder]
    if let description = options.description { words += ["--schema", description.name] }
    words += options.schemaWords
    if options.findsSourcesByName { words += ["--source", options.source] }
    words += ["--out", options.output]
    words += missing.flatMap { ["--allow-missing", $0] }
    words += options.sqlFiles.flatMap { ["--sql", $0] }
    if let path = options.suppressFile { words += ["--suppress", path] }
    if let path = options.repairsFolder { words += ["--repairs", path] }
    return "ingest replay " + words.map(shellWord).joined(separator: " ")
  }
}

/// A word of a command, quoted for the shell if necessary.
package func shellWord(_ word: String) -> String {
  let isPlain = word.allSatisfy {
    $0.isASCII && ($0.isLetter || $0.isNumber || "/.-_=".contains($0))
  }
  return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
}
