import Text

/// The result of a run, however it ended.
package struct IngestOutcome: Equatable, Sendable {
  /// The counts of the tables that were read, in order.
  package var tables: [TableCounts] = []
  package var warnings: [Warning] = []
  /// The suppressed warnings, which are counted but not reported.
  package var suppressed: [Warning] = []
  /// The reported rejects: the first of each code and table.
  package var rejects: [Reject] = []
  /// The differences from the previous database; nil if there is none, or if the run ended earlier.
  package var changes: CatalogChanges?
  /// The runs that led to the database, with this one; empty if the run ended earlier.
  package var history = History()
  /// The previous database, if the run was skipped because it was made from the same inputs.
  package var unchanged: UnchangedCatalog?
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
  /// The size of the published file; nil if nothing was published.
  package var outputBytes: Int?
  /// The folder with the rejected records; nil if there are none, or if they were not kept.
  package var rejectsFolder: String?
  /// The path of a refused database; nil if there is none.
  package var keptCandidate: String?
  /// The state of the previous database after a run that published nothing; nil after publishing, in a dry run, or if it
  /// could not be determined.
  package var previousDatabase: PreviousDatabase?
  /// The failure of the run, or the one that a dry run predicts; nil if there is none.
  package var failure: IngestError?
  /// Further failures, of other files.
  package var furtherFailures: [IngestError] = []

  package init() {}

  /// Adds a failure after the run itself, such as a report that cannot be written.
  package mutating func add(_ failure: IngestError) {
    if self.failure == nil { self.failure = failure } else { furtherFailures.append(failure) }
  }

  /// Whether the new database was published, even if a later step failed.
  package var isPublished: Bool { outputBytes != nil }
  package var failures: [IngestError] { [failure].compactMap(\.self) + furtherFailures }
  package var read: Int { tables.reduce(0) { $0 + $1.read } }
  package var inserted: Int { tables.reduce(0) { $0 + $1.inserted } }
  package var leftOut: Int { tables.reduce(0) { $0 + $1.leftOut } }
  package var rejected: Int { tables.reduce(0) { $0 + $1.rejected } }
}

package struct SearchResult: Equatable, Sendable {
  package let entries: Int
  package let bytes: Int
  package let seconds: Double

  package init(entries: Int, bytes: Int, seconds: Double) {
    self.entries = entries
    self.bytes = bytes
    self.seconds = seconds
  }
}

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
