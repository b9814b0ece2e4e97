import Vocabulary
import Platform
import Text
import Quarantine

/// `ingest repair`: saves edited rejected records as repairs.
struct RepairCommand {
  let options: IngestOptions
  let family: Family

  func run() throws(IngestError) -> ExitStatus {
    let (rejects, repairs) = (options.rejectsFolder ?? "", options.repairsFolder ?? "")
    let family = options.findsSourcesByName ? family.matchingFiles(in: options.source) : family
    let patience = Patience { Messages(.normal).show(.waiting($0)) }
    let edited = try EditedRejects(
      rejects, of: family.schema, source: options.source, recordLimit: options.recordLimit,
      timeout: options.lockTimeout, patience: patience)
    let saved = try edited.save(to: repairs)
    let lines = saved.files.map { file in
      "\(file.path): \(file.added.of("record")) added"
        + (file.removed > 0 ? ", \(file.removed.grouped) removed" : "")
    }
    let status = Console.printResults(
      lines.isEmpty
        ? ["\(rejects): no new edits, so nothing was written"]
        : lines + ["load the source files again with --repairs \(shellWord(repairs))"])
    for (table, records) in saved.unsaved {
      throw .editsTooLong(table, records, limit: options.recordLimit)
    }
    return status
  }
}
