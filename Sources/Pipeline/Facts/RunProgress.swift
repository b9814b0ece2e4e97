import Synchronization

/// How far a run is: written by its threads, a few times for each batch of rows, and read by another.
package final class RunProgress: Sendable {
  package enum Stage: CaseIterable, Sendable {
    /// Dumps are read, checked and inserted.
    case read
    /// Tables are filled that follow from others, while indexes are written.
    case derive
    case search
    /// The rest of the indexes, and statistics.
    case index
    case sql
    /// The verification, and with it the comparison with the catalog that is replaced.
    case verify
    /// The comparison of a dry run, which verifies nothing.
    case compare
    case publish
  }

  package struct Counts: Equatable, Sendable {
    package var stage: Stage
    /// The place in the schema of the table that is read.
    package var table = 0
    /// The bytes of the dumps, as they are in their files, and how many of them are read.
    package var bytes = 0, bytesRead = 0
    /// The records that are read, and how many of them were rejected.
    package var records = 0, rejected = 0

    package init(_ stage: Stage) { self.stage = stage }
  }

  private let known = Mutex<Counts?>(nil)

  /// The counts; nil if the run has not begun.
  package var counts: Counts? { known.withLock { $0 } }

  package func begin(_ stage: Stage) { update(stage) { _ in } }

  package func beginReading(bytes: Int) { update(.read) { $0.bytes = bytes } }

  /// Says how many bytes are read, and that a batch of records was checked.
  package func read(table: Int, upTo byte: Int, records: Int, rejected: Int) {
    update { counts in
      counts.table = table
      counts.bytesRead = min(byte, counts.bytes)
      counts.records += records
      counts.rejected = rejected
    }
  }

  private func update(_ stage: Stage? = nil, _ change: (inout Counts) -> Void) {
    known.withLock { known in
      var counts = known ?? Counts(.read)
      if let stage { counts.stage = stage }
      change(&counts)
      known = counts
    }
  }
}
