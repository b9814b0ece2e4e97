import Quarantine
import Facts
import Files
import Glibc
import SQLiteSwiftly
import Threads

extension IngestRun {
  /// Does what only makes sense when the catalog is in its place: a replay that is not published must be
  /// possible again.
  func completePublishing(
    _ input: RowProducer.Input, _ repaired: [WrittenRepairs], _ outcome: inout IngestOutcome
  ) throws(IngestError) {
    let finished = repaired.filter { !$0.isIncomplete }
    outcome.writtenRepairs = try published(
      "what was repaired is not all written to \(options.writtenRepairs ?? "")",
      "Run the same replay again to write it."
    ) { () throws(IngestError) in try write(finished) }
    outcome.unfinishedRepairs = repaired.filter(\.isIncomplete).map(\.table)
    if outcome.rejected == 0, let folder = input.rejectsFolder { try retire(folder) }
    try published("what an earlier run had refused could not be removed", "Remove that file.") {
      () throws(IngestError) in try destination.removeKept(schema, options)
    }
  }

  /// Moves the rejected records of an earlier run away: there are none any more.
  private func retire(_ folder: RejectsFolder) throws(IngestError) {
    let edited = try published(
      "the rejected records of an earlier run could not be moved away",
      "Move \(folder.path) away, or run again."
    ) { () throws(IngestError) in try folder.retire() }
    if let edited { recorder.record(.warning(.editedRejects(keptAs: edited))) }
  }

  /// Does what is left to do when the catalog is in its place; an error of it says what is left undone, as part
  /// of a sentence, and what to do then.
  private func published<Value>(
    _ undone: String, _ advice: String, _ body: () throws(IngestError) -> Value
  ) throws(IngestError) -> Value {
    do throws(IngestError) {
      return try body()
    } catch {
      throw IngestError(
        error.kind, code: error.code, undone: undone,
        "\(error.message) The catalog is published all the same. \(advice)")
    }
  }

  /// Makes sure that what a replay repairs can be written where it is to stand.
  func checkWrittenRepairs() throws(IngestError) {
    guard let path = options.writtenRepairs.map(withoutSlashes) else { return }
    if try RepairsFolder.exists(path) {
      _ = try RepairsFolder(path, schema, recordLimit: options.recordLimit)
    }
    let folder = try RepairsFolder.exists(path) ? path : parentFolder(of: path)
    guard unsafe access(folder, W_OK | X_OK) == 0 else {
      throw IngestError(
        .of(errno, otherwise: .output),
        "\(path): what is repaired cannot be written there: \(systemError()). Nothing was published. Name "
          + "another folder with --write-repairs.")
    }
  }

  /// Writes what a replay has repaired where it is to stand.
  ///
  /// - Returns: How many records that are; nil if they are not written.
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
