import SQLiteSwiftly

/// What a database records of the runs that published it and its predecessors.
///
/// It is carried from database to database, and depends on no clock: equal inputs and an equal previous database lead to
/// an equal history.
package struct History: Equatable, Sendable {
  package struct Run: Equatable, Sendable {
    /// Counted from 1; 0 for a database that recorded no runs.
    package let number: Int
    /// The date of the data in ISO 8601; nil if unknown.
    package let dataTime: String?
    /// A checksum of the checksums of all files read.
    package let sources: UInt32
    /// The verdict: `clean`, `warnings`, or `unknown` for a database that recorded no runs.
    package var state: String
    package var tables: [Table]

    package init(number: Int, dataTime: String?, sources: UInt32, state: String, tables: [Table]) {
      self.number = number
      self.dataTime = dataTime
      self.sources = sources
      self.state = state
      self.tables = tables
    }

    /// A previous database that records no runs.
    package static func unrecorded(_ changes: DatabaseChanges) -> Run {
      Run(
        number: 0, dataTime: nil, sources: 0, state: "unknown",
        tables: changes.tables.compactMap { table in
          table.rowsBefore.map {
            Table(name: table.name, rows: $0, rejected: 0, keys: nil, isUnusual: false)
          }
        })
    }

    package func table(_ name: String) -> Table? { tables.first { haveSameBytes($0.name, name) } }
  }

  package struct Table: Equatable, Sendable {
    package let name: String
    package let rows: Int
    package let rejected: Int
    /// The differences from the run before; nil if unknown.
    package let keys: DatabaseChanges.Keys?
    /// Whether the run had a warning that its rows or keys are unusual, so that later runs are not compared with it.
    package var isUnusual: Bool

    package init(
      name: String, rows: Int, rejected: Int, keys: DatabaseChanges.Keys?, isUnusual: Bool
    ) {
      self.name = name
      self.rows = rows
      self.rejected = rejected
      self.keys = keys
      self.isUnusual = isUnusual
    }
  }

  /// The NULLs of a column in the last run without a warning about them.
  package struct Column: Equatable, Sendable {
    package let table: String
    package let name: String
    package let rows: Int
    package let nulls: Int

    package init(table: String, name: String, rows: Int, nulls: Int) {
      self.table = table
      self.name = name
      self.rows = rows
      self.nulls = nulls
    }
  }

  /// The cause of a warning that lasts: rows that were changed in an unusual way.
  package struct Cause: Equatable, Sendable {
    package let code: WarningCode
    package let table: String
    package let column: String?
    package let message: String
    package let facts: String
    /// The share of keys that it affects, in hundredths of a percent of those before.
    package let share: Int
    /// Some of these keys, to determine whether the cause is gone.
    package let samples: [Sample]
    package var isSuppressed = false

    package init(
      code: WarningCode, table: String, column: String?, message: String, facts: String, share: Int,
      samples: [Sample], isSuppressed: Bool = false
    ) {
      self.code = code
      self.table = table
      self.column = column
      self.message = message
      self.facts = facts
      self.share = share
      self.samples = samples
      self.isSuppressed = isSuppressed
    }
  }

  /// A key, and a checksum of values that it had.
  package struct Sample: Equatable, Sendable {
    /// The values of the key, as an array in JSON.
    package let key: String
    package let sum: String

    package init(key: String, sum: String) {
      self.key = key
      self.sum = sum
    }
  }

  /// The runs, the oldest first.
  package var runs: [Run] = []
  package var columns: [Column] = []
  package var causes: [Cause] = []

  package init() {}

  /// The runs that are kept at most.
  private static let mostRuns = 400
  /// The bytes that the runs may take in a database, about.
  private static let mostBytes = 150_000

  mutating func complete(_ state: String, suppressed: [Warning]) {
    if !runs.isEmpty { runs[runs.count - 1].state = state }
    for index in causes.indices {
      let cause = causes[index]
      causes[index].isSuppressed = suppressed.contains {
        $0.code == cause.code && $0.table == cause.table && $0.column == cause.column
      }
    }
  }

  package mutating func shorten() {
    var (kept, bytes) = (0, 0)
    for run in runs.reversed().prefix(Self.mostRuns) {
      // The numbers take up to 32 bytes in a row, with its header and the pointer to it.
      bytes += run.tables.reduce(40) { $0 + $1.name.utf8.count + 32 }
      guard bytes <= Self.mostBytes else { break }
      kept += 1
    }
    runs.removeFirst(runs.count - kept)
  }
}

extension History {
  /// The smallest share of changed and removed keys that is unusual, in percent, until `knownRuns` are known.
  private static let unusualShare = 5.0
  private static let knownRuns = 10
  /// Then this multiple of the largest share of the last `comparedRuns` is.
  private static let unusualMultiple = 5.0
  private static let leastUnusualShare = 0.5
  private static let comparedRuns = 30
  /// In a small table, a few keys are a large share: half of them are reported, but never fewer than the first number.
  private static let fewestKeys = (20, 50)

  /// The last runs in which a table was not unusual, the newest first.
  private func usual(_ name: String) -> some Sequence<(run: Run, table: Table)> {
    runs.reversed().lazy.compactMap { run in run.table(name).map { (run, $0) } }
      .filter { !$0.1.isUnusual }.prefix(Self.comparedRuns)
  }

  /// The most rows that a table had in the last runs in which it was not unusual; nil if none is known.
  package func mostRows(_ table: String) -> (run: Run, rows: Int)? {
    usual(table).map { ($0, $1.rows) }.max { $0.rows < $1.rows }
  }

  /// The share of a table's keys that can change or be removed in a run without a warning, in percent.
  func usualShare(of table: String) -> Double {
    let shares = usual(table).compactMap { _, table -> Double? in
      guard let keys = table.keys else { return nil }
      return keys.share(ofRows: table.rows - keys.added + keys.removed)
    }
    guard shares.count >= Self.knownRuns, let largest = shares.max() else {
      return Self.unusualShare
    }
    return max(largest * Self.unusualMultiple, Self.leastUnusualShare)
  }

  /// Whether more keys of a table were changed or removed than usual.
  package func isUnusual(_ change: DatabaseChanges.Table) -> Bool {
    // An empty table has its own warning.
    guard let keys = change.keys, let rows = change.rowsBefore, rows > 0, change.rowsAfter != 0
    else { return false }
    return keys.lost >= min(Self.fewestKeys.1, max(Self.fewestKeys.0, rows / 2))
      && keys.share(ofRows: rows) > usualShare(of: change.name)
  }
}

extension DatabaseChanges.Keys {
  /// The keys of the previous database that are removed or changed.
  package var lost: Int { removed + changed }

  /// These keys as a share of the rows before, in percent.
  package func share(ofRows rows: Int) -> Double {
    rows > 0 ? Double(lost) * 100 / Double(rows) : 0
  }
}
