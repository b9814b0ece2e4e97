package import Platform
import Text

/// The result of a run, however it ended.
package struct IngestOutcome: Sendable {
  package enum Ending: Equatable, Sendable {
    /// The new database, of this size, was published; failures are those of later steps.
    case published(bytes: Int)
    /// The previous database, of this size, was made from the same inputs; failures are those of later steps.
    case unchanged(bytes: Int)
    /// A dry run writes no database; failures are those that a real run would have had.
    case checked
    /// Nothing was published, or, if the connection was lost meanwhile, perhaps; with the path of a refused database.
    case unpublished(refused: String?)
  }

  package var ending = Ending.unpublished(refused: nil)
  /// The failures; the first decides.
  package var failures: [IngestError] = []
  /// The counts of the tables that were read, in order.
  package var tables: [TableCounts] = []
  package var warnings: [Warning] = []
  /// The suppressed warnings, which are counted but not reported.
  package var suppressed: [Warning] = []
  /// The reported rejects: the first of each code and table.
  package var rejects: [Reject] = []
  /// The differences from the previous database; nil if there is none, or if the run ended earlier.
  package var changes: DatabaseChanges?
  /// The runs that led to the database, with this one; empty if the run ended earlier.
  package var history = History()
  package var sqlFiles: [SQLFileResult] = []
  package var stages: [StageTime] = []
  package var search: SearchResult?
  /// How a server's schema was published, or would be; nil for a file, or if the run ended before.
  package var publishing: PublishingChoice?
  /// The time of the whole run, without waits for other processes.
  package var seconds = 0.0
  /// The seconds spent waiting for another run, or for a program that had locked the database.
  package var waitedForOthers = 0.0
  /// The seconds that the reading thread waited for the writing one.
  package var readerWaited = 0.0
  /// The seconds that the writing thread waited for the reading one.
  package var writerWaited = 0.0
  /// The folder with the rejected records; nil if there are none, or if they were not kept.
  package var rejectsFolder: String?
  /// The state of the previous database after a failure of a run that published nothing; nil in a dry run, or if it could
  /// not be determined.
  package var previousDatabase: PreviousState?

  package init() {}

  /// The failure of the run, or the one that a dry run predicts; nil if there is none.
  package var failure: IngestError? { failures.first }
  package var isPublished: Bool { if case .published = ending { true } else { false } }
  package var isUnchanged: Bool { if case .unchanged = ending { true } else { false } }

  /// The size of the database, if it was published or was up to date.
  package var bytes: Int? {
    switch ending {
    case .published(let bytes), .unchanged(let bytes): bytes
    case .checked, .unpublished: nil
    }
  }

  package var refusedDatabase: String? {
    if case .unpublished(let path) = ending { path } else { nil }
  }

  package var read: Int { tables.reduce(0) { $0 + $1.read } }
  package var inserted: Int { tables.reduce(0) { $0 + $1.inserted } }
  package var leftOut: Int { tables.reduce(0) { $0 + $1.leftOut } }
  package var rejected: Int { tables.reduce(0) { $0 + $1.rejected } }
}

package typealias SearchResult = (entries: Int, bytes: Int, seconds: Double)

package struct StageTime: Equatable, Sendable {
  package enum Stage: String, CaseIterable, Sendable {
    /// A first reading of a table that refers to itself.
    case survey
    case read, insert, index
    /// The filling of a derived table, or the query for its rows.
    case derive
    /// Derived tables, views, provenance and statistics.
    case finish
    /// The custom SQL, which is part of `finish`.
    case sql
    /// The index of the full-text search.
    case search
    case verify
    case compare
    case publish
  }

  package let stage: Stage
  package let table: String?
  /// Seconds since the start of the run.
  package let start: Double
  package let end: Double
}

/// The state of the previous database after a run that published nothing.
package enum PreviousState: String, Sendable {
  case absent
  case kept
  /// Another program created, changed or removed it during the run.
  case changed

  /// Compares the output before and after a run; nil if either state could not be determined.
  package init?(before: OutputState, after: OutputState) {
    switch (before, after) {
    case (.unknown, _), (_, .unknown): return nil
    case (.nothing, .nothing): self = .absent
    default: self = before == after ? .kept : .changed
    }
  }

  package var words: String {
    switch self {
    case .absent: "there was no previous database"
    case .kept: "the previous database was kept"
    case .changed: "the previous database was changed by another program during this run"
    }
  }
}

/// The state of a path, with links followed.
package enum OutputState: Equatable, Sendable {
  case nothing
  case file(FileIdentity)
  case unknown

  package init(at path: String) {
    do throws(FileError) {
      self = try identity(ofFileAt: path).map(OutputState.file) ?? .nothing
    } catch {
      self = .unknown
    }
  }
}

/// How the rows of a new schema are published, and why.
package struct PublishingChoice: Equatable, Sendable {
  package enum Mode: String, Sendable {
    /// The rows that differ are written into the published tables.
    case merge
    /// The new schema replaces the published one.
    case swap
  }

  package enum Reason: Equatable, Sendable {
    case requested
    case firstLoad
    case previousKept
    /// The published tables can take the rows; others have added this number of objects, which a merge keeps.
    case tablesFit(additions: Int)
    /// The published tables can take the rows once a merge has added these parts.
    case tablesLack([String])
    /// The published tables cannot take the rows; this part of the schema is the first that differs.
    case differs(String)
  }

  package let mode: Mode
  package let reason: Reason

  package init(mode: Mode, reason: Reason) {
    self.mode = mode
    self.reason = reason
  }
}
