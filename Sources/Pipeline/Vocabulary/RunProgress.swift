import Synchronization

/// The progress of a run, updated by its threads a few times per batch of rows, and read by another thread.
package final class RunProgress: Sendable {
  package enum Stage: CaseIterable, Sendable {
    /// Source files are read, validated and inserted.
    case read
    /// Derived tables are filled, while indexes are written.
    case derive
    case search
    /// The remaining indexes, and statistics.
    case index
    case sql
    /// The verification, including the comparison with the previous database.
    case verify
    /// The comparison in a dry run, which verifies nothing.
    case compare
    case publish
  }

  package struct Counts: Equatable, Sendable {
    package var stage: Stage
    /// The index of the current table in the schema.
    package var table = 0
    /// The stored bytes of all source files, and those read so far.
    package var bytes = 0, bytesRead = 0
    /// The records read so far, and those rejected.
    package var records = 0, rejected = 0

    package init(_ stage: Stage) { self.stage = stage }
  }

  private let current = Mutex<Counts?>(nil)

  /// The counts; nil before the run starts.
  package var counts: Counts? { current.withLock { $0 } }

  package func begin(_ stage: Stage) { update(stage) { _ in } }

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

  private func update(_ stage: Stage? = nil, _ change: (inout Counts) -> Void) {
    current.withLock { current in
      var counts = current ?? Counts(.read)
      if let stage { counts.stage = stage }
      change(&counts)
      current = counts
    }
  }
}

/// An event that a run reports, from any thread.
package enum IngestEvent: Equatable, Sendable {
  /// The most rejects reported for each code and table.
  package static let describedRejectsPerCode = 10

  /// The run waits for another run or program, which the text describes.
  case waiting(String)
  /// The run cannot be skipped, because of the change that the text describes.
  case changed(String)
  /// The tables are distributed over several nodes, as the text describes.
  case distributed(String)
  /// A record was rejected; only the first of many similar ones are reported.
  case reject(Reject)
  case warning(Warning)
  /// The source files were read, completely or up to a failure; rows are not counted yet.
  case readingEnded([TableCounts])
  case tableWritten(name: String, rows: Int, seconds: Double)
  /// A stage of the run that concerns several tables has ended.
  case stageEnded(StageTime)
}
