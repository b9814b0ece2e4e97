import Quarantine
import Vocabulary
import Text

extension IngestRun {
  /// Finishes a run whose database was published: moves away the rejected records of an earlier run if this one rejected
  /// none, and removes a refused database.
  func completePublishing(
    _ input: RowProducer.Input, _ context: RunContext, _ outcome: IngestOutcome
  ) throws(IngestError) {
    if outcome.rejected == 0, let folder = input.rejectsFolder {
      try published(
        "the rejected records of an earlier run could not be moved away",
        "Move \(folder.path) away, or run again."
      ) { () throws(IngestError) in try folder.retire() }
    }
    try published(
      "the refused database of an earlier run could not be removed", "Remove that file."
    ) { () throws(IngestError) in try destination.removeKept(context) }
  }

  /// Runs a step that follows publishing; its error states what was left undone and what to do.
  private func published(
    _ undone: String, _ advice: String, _ body: () throws(IngestError) -> Void
  ) throws(IngestError) {
    try mapError(
      body(), as: { (error: IngestError) in error.afterPublishing(undone: undone, advice) })
  }
}
