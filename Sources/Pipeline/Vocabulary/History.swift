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
  /// The warnings about changes that are not accepted.
  package var lasting: [Warning] = []
  /// Those about changes that are, as long as a line for `--suppress` names them.
  package var accepted: [Warning] = []
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
  mutating func complete(_ state: String, suppressed: [Warning], isNamed: (Warning) -> Bool) {
    guard let last = runs.indices.last else { return }
    runs[last].state = state
    let before = accepted.filter(isNamed)
    (lasting, accepted) = ([], [])
    for review in reviews {
      let open = review.warnings.filter { !suppressed.contains(where: $0.isAboutSame) }
      lasting += open
      accepted += review.warnings.filter { suppressed.contains(where: $0.isAboutSame) }
      if let baseline = review.baseline {
        complete(baseline, review, isAccepted: open.isEmpty, in: last)
      }
    }
    let found = lasting + accepted
    accepted += before.filter { old in
      !found.contains { $0.isAboutSame(as: old) && $0.suppression == old.suppression }
    }
    reviews = []
  }

  private mutating func complete(
    _ baseline: Baseline, _ review: TableReview, isAccepted: Bool, in run: Int
  ) {
    let name = baseline.table
    if isAccepted {
      setEarlier(before: baseline, acceptingChange: !review.warnings.isEmpty)
      set(.accepted, of: name, to: baseline)
      set(.changed, of: name, to: nil)
      set(.former, of: name, to: nil)
    } else {
      let (changed, former) = (self.baseline(.changed, of: name), self.baseline(.former, of: name))
      let first = review.warnings.map { $0.difference?.firstRun }
      if first.contains(baseline.run) {
        if former == nil, changed?.run != baseline.run {
          set(.former, of: name, to: changed)
        }
        set(.changed, of: name, to: baseline)
      } else if let former, first.allSatisfy({ $0 == former.run }) {
        set(.changed, of: name, to: former)
        set(.former, of: name, to: changed)
      }
    }
    guard let index = runs[run].tables.firstIndex(where: { haveSameBytes($0.name, name) }),
      runs[run].tables[index].shares == nil
    else { return }
    runs[run].tables[index].isUnusual = !isAccepted
    if isAccepted { runs[run].tables[index].shares = review.shares }
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
