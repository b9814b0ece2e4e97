import Quarantine
import Vocabulary
import Platform
import Glibc
import SQLiteSwiftly

extension IngestRun {
  /// Finishes a run whose database was published.
  ///
  /// This comes last, since a replay that is not published must be repeatable.
  func completePublishing(
    _ input: RowProducer.Input, _ repaired: [WrittenRepairs], _ outcome: inout IngestOutcome
  ) throws(IngestError) {
    let finished = repaired.filter { !$0.isIncomplete }
    outcome.writtenRepairs = try published(
      "the repairs could not all be written to \(options.writtenRepairs ?? "")",
      "Run the same replay again to write them."
    ) { () throws(IngestError) in try write(finished) }
    outcome.unfinishedRepairs = repaired.filter(\.isIncomplete).map(\.table)
    if outcome.rejected == 0, let folder = input.rejectsFolder { try retire(folder) }
    try published(
      "the refused database of an earlier run could not be removed", "Remove that file."
    ) { () throws(IngestError) in try destination.removeKept(schema, options) }
  }

  /// Moves the rejected records of an earlier run away, since this run rejected none.
  private func retire(_ folder: RejectsFolder) throws(IngestError) {
    try published(
      "the rejected records of an earlier run could not be moved away",
      "Move \(folder.path) away, or run again."
    ) { () throws(IngestError) in try folder.retire() }
  }

  /// Runs a step that follows publishing; its error states what was left undone and what to do.
  private func published<Value>(
    _ undone: String, _ advice: String, _ body: () throws(IngestError) -> Value
  ) throws(IngestError) -> Value {
    do throws(IngestError) {
      return try body()
    } catch {
      throw error.afterPublishing(undone: undone, advice)
    }
  }

  /// Checks that the repairs of a replay can be written to their folder.
  func checkWrittenRepairs() throws(IngestError) {
    guard let path = options.writtenRepairs.map(withoutSlashes) else { return }
    try RepairsFolder.checkPlace(path)
    if try RepairsFolder.exists(path) {
      _ = try RepairsFolder(path, schema, recordLimit: options.recordLimit)
    }
    let folder = try RepairsFolder.exists(path) ? path : parentFolder(of: path)
    guard unsafe access(folder, W_OK | X_OK) == 0 else { throw .repairsNotWritable(path) }
  }

  /// Writes the repairs of a replay to their folder.
  ///
  /// - Returns: The number of records written; nil without a folder.
  private func write(_ repaired: [WrittenRepairs]) throws(IngestError) -> Int? {
    guard let path = options.writtenRepairs.map(withoutSlashes) else { return nil }
    return try gate.pass { (_) throws(IngestError) in
      try RepairsFolder.make(path)
      var count = 0
      for table in repaired {
        count += try table.write(to: path, recordLimit: options.recordLimit)
      }
      return count
    }
  }
}
