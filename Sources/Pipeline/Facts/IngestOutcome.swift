/// All that is known of a run at its end, however it ended.
package struct IngestOutcome: Equatable, Sendable {
  /// The accounts of the tables that the reading reached, in its order.
  package var tables: [TableCounts] = []
  package var warnings: [Warning] = []
  /// The warnings that are acknowledged, which are counted and not told.
  package var suppressed: [Warning] = []
  /// The rejects that were reported: the first of each code and table.
  package var rejects: [Reject] = []
  /// What differs from the catalog that is replaced; nil if there was none, or if the run did not get
  /// there.
  package var changes: CatalogChanges?
  /// The catalog that is there, if nothing was done since it was made from the same; nil otherwise.
  package var unchanged: UnchangedCatalog?
  /// The files of the operator's own SQL, in the order in which they were run, or would be.
  package var sqlFiles: [SQLFileResult] = []
  /// What was done when, in the order of the starts.
  package var stages: [StageTime] = []
  package var search: SearchResult?
  /// The time of the whole run, but for what it waited for others.
  package var seconds = 0.0
  /// The seconds in which the run waited for another run, or for a program that had locked the catalog.
  package var waitedForOthers = 0.0
  /// The seconds in which the reading thread waited for the writing one.
  package var readerWaited = 0.0
  /// The seconds in which the writing thread waited for the reading one.
  package var writerWaited = 0.0
  /// The size of the published file; nil if nothing was published.
  package var outputBytes: Int?
  /// The folder that holds the rejected records; nil if there are none, or if they were not kept.
  package var rejectsFolder: String?
  /// How many records a replay has added to standing repairs; nil if it was not to add any.
  package var writtenRepairs: Int?
  /// The tables of which none were added, since edited records of theirs are rejected again.
  package var unfinishedRepairs: [String] = []
  /// Where a file is that was complete and sound, but not published; nil if there is none.
  package var keptCandidate: String?
  /// What is at the output although nothing was published; nil if something was, in a dry run, or if it
  /// could not be looked at.
  package var previousDatabase: PreviousDatabase?
  /// Why the run failed; nil if it did not, or, in a dry run, if it would not have.
  package var failure: IngestError?
  /// More of the same: the other files that cannot be used.
  package var furtherFailures: [IngestError] = []

  package init() {}

  /// Adds what has failed after all that the run does itself, such as a report that cannot be written.
  package mutating func add(_ failure: IngestError) {
    if self.failure == nil { self.failure = failure } else { furtherFailures.append(failure) }
  }

  /// Whether the new catalog is in its place, be it that something failed after that.
  package var isPublished: Bool { outputBytes != nil }
  package var failures: [IngestError] { [failure].compactMap(\.self) + furtherFailures }
  package var read: Int { tables.reduce(0) { $0 + $1.read } }
  package var inserted: Int { tables.reduce(0) { $0 + $1.inserted } }
  /// In a replay, by how many the repaired records are fewer than those that they replace.
  package var leftOut: Int {
    let sources = tables.flatMap(\.sources)
    let repaired = sources.reduce(0) { $0 + ($1.isRepaired && !$1.isStanding ? $1.records : 0) }
    return max(0, sources.reduce(0) { $0 + $1.replaced.records } - repaired)
  }
  package var rejected: Int { tables.reduce(0) { $0 + $1.rejected } }

  package func leftOutWarning(replaying folder: String?) -> Warning? {
    guard let folder, leftOut > 0 else { return nil }
    return Warning(
      file: folder, code: .recordsLeftOut,
      "\(leftOut.of("record")) of the dumps gave way to nothing: whoever repaired the rejected ones has "
        + "deleted them")
  }
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
    /// The filling of a table that is derived from others, or the query for what fills it.
    case derive
    /// Derived tables, views, provenance and statistics.
    case finish
    /// The operator's own SQL, which is a part of the finish.
    case sql
    /// The index of the full-text search.
    case search
    case verify
    /// The comparison with the catalog that is replaced.
    case compare
    case publish
  }

  package let stage: Stage
  /// The table, if the stage is one table's.
  package let table: String?
  /// Seconds from the beginning of the run.
  package let start: Double
  package let end: Double
}
