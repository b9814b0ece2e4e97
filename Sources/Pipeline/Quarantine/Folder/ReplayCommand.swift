package import Facts
import Files

extension IngestOutcome {
  /// The shell command that loads the same source files again with the rejected records, once they are fixed.
  ///
  /// Nil if the records were not kept, if a file cannot be used, or if one of their source files was not read to its end, so
  /// that further records might be rejected.
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
func shellWord(_ word: String) -> String {
  let isPlain = word.utf8.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
      UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "="):
      true
    default: false
    }
  }
  if isPlain && !word.isEmpty { return word }
  return "'"
    + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
