import Compression
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
    /// Whether later runs are not compared with it, since its source file was missing or a change is not accepted.
    package var isUnusual: Bool
    /// The shares of its keys that changed since the last accepted run, as far as they are usual; nil if that is unknown,
    /// or if this run is not accepted.
    package var shares: [ChangeShare]?

    package init(
      name: String, rows: Int, rejected: Int, keys: DatabaseChanges.Keys?, isUnusual: Bool,
      shares: [ChangeShare]? = nil
    ) {
      self.name = name
      self.rows = rows
      self.rejected = rejected
      self.keys = keys
      self.isUnusual = isUnusual
      self.shares = shares
    }
  }

  /// The runs, the oldest first.
  package var runs: [Run] = []
  /// The tables with which runs are compared.
  package var baselines: [Baseline.Role: [Baseline]] = [:]
  /// The changes that were not accepted, and those that were, as long as a line for `--suppress` names them.
  package var lasting: [LastingWarning] = []
  /// Whether the database before is of an accepted run; not stored.
  package var followsAccepted = true
  /// What the last of the runs has found, until `complete` decides which of its tables are accepted.
  package var reviews: [TableReview] = []

  package init() {}

  /// The runs that are kept at most.
  private static let mostRuns = 400
  /// The bytes that the runs may take in a database, about.
  private static let mostBytes = 150_000

  package func baseline(_ role: Baseline.Role, of table: String) -> Baseline? {
    baselines[role]?.first { haveSameBytes($0.table, table) }
  }

  private mutating func set(_ role: Baseline.Role, of table: String, to baseline: Baseline?) {
    baselines[role, default: []].removeAll { haveSameBytes($0.table, table) }
    if let baseline { baselines[role]?.append(baseline) }
  }

  /// Keeps the accepted night before `next` for slow changes, and replaces it after `UsualChanges.nights` runs; begins anew
  /// with the next night if a change was accepted in this one.
  private mutating func setEarlier(before next: Baseline, acceptingChange: Bool) {
    let earlier = acceptingChange ? nil : baseline(.earlier, of: next.table)
    let isRecent = earlier.map { next.run - $0.run < UsualChanges.nights } ?? false
    guard !isRecent else { return }
    let last = acceptingChange ? nil : baseline(.accepted, of: next.table)
    guard acceptingChange || last?.run != next.run else { return }
    set(.earlier, of: next.table, to: last?.shortened)
  }

  /// Completes the last run with its verdict: a table whose changes are usual or suppressed becomes the baseline.
  ///
  /// `isNamed` is whether a line for `--suppress` names an accepted change.
  mutating func complete(
    _ state: String, suppressed: [Warning], isNamed: (LastingWarning) -> Bool
  ) {
    guard !runs.isEmpty else { return }
    runs[runs.count - 1].state = state
    let accepted = lasting.filter { $0.isSuppressed && isNamed($0) }
    lasting = []
    for review in reviews {
      let warnings = review.warnings.map { warning in
        var warning = warning
        warning.isSuppressed = suppressed.contains {
          warning.isAbout($0.code, $0.table ?? "", $0.column)
        }
        return warning
      }
      lasting += warnings
      guard let baseline = review.baseline else { continue }
      let isAccepted = warnings.allSatisfy(\.isSuppressed)
      let name = baseline.table
      if isAccepted {
        setEarlier(before: baseline, acceptingChange: !warnings.isEmpty)
        set(.accepted, of: name, to: baseline)
        set(.changed, of: name, to: nil)
      } else if warnings.contains(where: { $0.run == baseline.run }) {
        set(.changed, of: name, to: baseline)
      }
      let last = runs.count - 1
      guard let index = runs[last].tables.firstIndex(where: { haveSameBytes($0.name, name) }),
        runs[last].tables[index].shares == nil
      else { continue }
      runs[last].tables[index].isUnusual = !isAccepted
      if isAccepted { runs[last].tables[index].shares = review.shares }
    }
    let found = lasting
    lasting += accepted.filter { old in
      !found.contains { $0.isAbout(old.code, old.table, old.column) && $0.run == old.run }
    }
    reviews = []
  }

  package static func checksum(of text: String) -> UInt32 {
    var sum = CRC32()
    sum.append(Array(text.utf8).span)
    return sum.value
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

extension DatabaseChanges.Keys {
  /// The keys of the previous database that are removed or changed.
  package var lost: Int { removed + changed }

  /// These keys as a share of the rows before, in percent.
  package func share(ofRows rows: Int) -> Double {
    rows > 0 ? Double(lost) * 100 / Double(rows) : 0
  }
}
