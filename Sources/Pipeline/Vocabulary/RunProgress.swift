import Synchronization

/// The progress of a run, updated by its threads a few times per batch of rows, and read by another thread.
package final class RunProgress: Sendable {
  package struct Counts: Equatable, Sendable {
    /// The stage: `read` while source files are read, validated and inserted, `index` for the remaining indexes, `verify`
    /// with the comparison; `compare` is a stage of a dry run alone.
    package var stage: StageTime.Stage
    /// The index of the current table in the schema.
    package var table = 0
    /// The stored bytes of all source files, and those read so far.
    package var bytes = 0, bytesRead = 0
    /// The records read so far, and those rejected.
    package var records = 0, rejected = 0

    package init(_ stage: StageTime.Stage) { self.stage = stage }
  }

  private let current = Mutex<Counts?>(nil)

  /// The counts; nil before the run starts.
  package var counts: Counts? { current.withLock { $0 } }

  package func begin(_ stage: StageTime.Stage) { update(stage) { _ in } }

  package func beginReading(bytes: Int) { update(.read) { $0.bytes = bytes } }

  /// Updates the bytes read, and adds a batch of validated records.
  package func read(table: Int, upTo byte: Int, records: Int, rejected: Int) {
    update { counts in
      counts.table = table
      counts.bytesRead = min(byte, counts.bytes)
      counts.records += records
      counts.rejected = rejected
    }
  }

  private func update(_ stage: StageTime.Stage? = nil, _ change: (inout Counts) -> Void) {
    current.withLock { current in
      var counts = current ?? Counts(.read)
      if let stage { counts.stage = stage }
      change(&counts)
      current = counts
    }
  }
}
