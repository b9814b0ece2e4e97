import Synchronization

/// How far a run is: written by its threads, a few times for each batch of rows, and read by another.
package final class RunProgress: Sendable {
  /// What a run is doing, one after the other.
  package enum Stage: Int, CaseIterable, Sendable {
    /// Dumps are read, checked and inserted.
    case read = 1
    /// Tables are filled that follow from others, while indexes are written.
    case derive
    case search
    /// The rest of the indexes, and statistics.
    case index
    /// The operator's own SQL.
    case sql
    /// The verification, and with it the comparison with the catalogue that is replaced.
    case verify
    /// The comparison of a dry run, which verifies nothing.
    case compare
    case publish
  }

  /// What is known at a moment.
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

  private let stage = Atomic(0)
  private let table = Atomic(0)
  private let bytes = Atomic(0)
  private let bytesRead = Atomic(0)
  private let records = Atomic(0)
  private let rejected = Atomic(0)

  /// The counts, each as it was at some time during the call; nil if the run has not begun.
  package var counts: Counts? {
    guard let stage = Stage(rawValue: stage.load(ordering: .relaxed)) else { return nil }
    var counts = Counts(stage)
    counts.table = table.load(ordering: .relaxed)
    counts.bytes = bytes.load(ordering: .relaxed)
    counts.bytesRead = min(bytesRead.load(ordering: .relaxed), counts.bytes)
    counts.records = records.load(ordering: .relaxed)
    counts.rejected = rejected.load(ordering: .relaxed)
    return counts
  }

  /// Says what begins.
  package func begin(_ stage: Stage) { self.stage.store(stage.rawValue, ordering: .relaxed) }

  /// Says that dumps of so many bytes are read.
  package func beginReading(bytes: Int) {
    self.bytes.store(bytes, ordering: .relaxed)
    begin(.read)
  }

  /// Says how many of them are read, and that a batch of records was checked.
  package func read(table: Int, upTo byte: Int, records: Int, rejected: Int) {
    self.table.store(table, ordering: .relaxed)
    bytesRead.store(byte, ordering: .relaxed)
    self.records.wrappingAdd(records, ordering: .relaxed)
    self.rejected.store(rejected, ordering: .relaxed)
  }
}
