package import Vocabulary
import Text

extension IngestOutcome {
  /// The shell command that saves the rejected records, once they are fixed, as repairs of the source files.
  ///
  /// Nil if the records were not kept, are all of repairs, which must be corrected in their files, or if a source file was
  /// not read to its end, so that others might be rejected.
  package func repairCommand(_ options: IngestOptions) -> String? {
    let sources = tables.flatMap(\.sources).filter { $0.rejected.records > 0 }
    guard let folder = rejectsFolder, !options.isDryRun, failure?.code?.file == nil,
      sources.allSatisfy(\.isComplete), sources.isEmpty || !sources.allSatisfy(\.isRepairs)
    else { return nil }
    var words = ["--rejects", folder]
    if let description = options.description { words += ["--schema", description.name] }
    words += options.schemaWords
    if options.findsSourcesByName { words += ["--source", options.source] }
    let unnamed = options.server == nil ? options.output + ".repairs" : "repairs"
    words += ["--repairs", options.repairsFolder ?? unnamed]
    return "ingest repair " + words.map(shellWord).joined(separator: " ")
  }
}

/// A word of a command, quoted for the shell if necessary.
package func shellWord(_ word: String) -> String {
  let isPlain = word.allSatisfy {
    $0.isASCII && ($0.isLetter || $0.isNumber || "/.-_=".contains($0))
  }
  return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
}
