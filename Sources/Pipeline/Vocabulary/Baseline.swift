import SQLiteSwiftly

/// A table as it was in one night, with which later nights are compared.
package struct Baseline: Equatable, Sendable {
  /// The version of the hashes of samples; others are not read.
  package static let version = 1

  package let table: String
  /// The run that loaded it; 0 for a database that recorded no runs.
  package let run: Int
  /// When the newest source file was written, in seconds since 1970; nil if unknown.
  package let dataTime: Int?
  package let rows: Int
  /// The NULLs of each column of the sample.
  package let nulls: [Int]
  package private(set) var sample: RowSample

  package init(
    table: String, run: Int, dataTime: Int?, rows: Int, nulls: [Int], sample: RowSample
  ) {
    self.table = table
    self.run = run
    self.dataTime = dataTime
    self.rows = rows
    self.nulls = nulls
    self.sample = sample
  }

  /// With a part of the sample that suffices for slow changes.
  var shortened: Baseline {
    var baseline = self
    baseline.sample.shorten(toRows: RowSample.mostRows / 4)
    return baseline
  }

  /// The columns without a value.
  package var emptyColumns: Set<String> {
    Set(zip(sample.columns, nulls).filter { $1 == rows }.map(\.0.name))
  }

  /// Why a database keeps it.
  package enum Role: String, CaseIterable, Sendable {
    /// It is of the last accepted night.
    case accepted
    /// It is of the night that first showed a change that was not accepted.
    case changed
    /// It is of the night that first showed a change before that of `changed`, which may be all that is left of both.
    case former
    /// It is of an accepted night up to `UsualChanges.nights` ago, to find slow changes.
    case earlier
  }
}

/// What a run has found in one table.
package struct TableReview: Equatable, Sendable {
  /// The table in this run; nil without a source file, so that the night cannot be accepted.
  package let baseline: Baseline?
  package var warnings: [Warning] = []
  /// The changes that are usual if the night is accepted; nil if nothing was compared.
  package var shares: [ChangeShare]?

  package init(baseline: Baseline?) { self.baseline = baseline }
}

/// The share of a table's keys that changed in one way from one accepted night to the next.
package struct ChangeShare: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case changed, removed, added
  }

  package let kind: Kind
  /// The column with changed values; empty for other kinds.
  package let column: String
  /// In percent of the keys before, for each day of the data's time.
  package let percent: Double

  package init(_ kind: Kind, _ column: String = "", percent: Double) {
    self.kind = kind
    self.column = column
    self.percent = percent
  }
}
