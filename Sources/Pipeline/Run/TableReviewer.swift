import SQLiteSwiftly
import Schema
import Vocabulary

/// Compares a table with earlier nights, column by column: see `UsualChanges`.
struct TableReviewer {
  let history: History
  let table: TableDescription
  let counters: Set<String>
  let counts: TableCounts
  /// The name of the database in warnings.
  let catalog: String
  /// The table in this run.
  let baseline: Baseline
  /// The differences from the previous database; nil if there is none.
  let change: DatabaseChanges.Table?

  /// The differences from an earlier night; nil without one.
  func finder(_ role: Baseline.Role) -> ChangeFinder? {
    history.baseline(role, of: table.name).map { ChangeFinder(self, $0, role) }
  }

  /// What is unusual; `accepted` are the differences from the last accepted night.
  ///
  /// `isLossReported` if the run is refused because of the table's lost rows.
  func review(_ accepted: ChangeFinder?, isLossReported: Bool) -> TableReview {
    var review = TableReview(baseline: baseline)
    guard let accepted else {
      review.warnings = named(counts.read > 0 ? [] : [warning(.tableEmpty)])
      return review
    }
    var found = accepted.warnings(isLossReported: isLossReported)
    review.shares = found.isEmpty ? accepted.shares : []
    if let earlier = finder(.earlier), earlier.old.run < accepted.old.run {
      // The changes that were usual every night, but have added up.
      let isLost =
        isLossReported || found.contains { [.tableEmpty, .tableShrunk].contains($0.code) }
      let slow = earlier.warnings(isLossReported: isLost)
      found += slow.filter { slow in !found.contains { $0.column == slow.column } }
    }
    review.warnings = named(found)
    return review
  }

  /// Names the first run that showed each change: an earlier one if the table is as it was then.
  ///
  /// What else has changed since that run is added.
  private func named(_ found: [Warning]) -> [Warning] {
    let nights = [Baseline.Role.changed, .former].compactMap(finder).map { ($0, $0.warnings()) }
    func isOther(_ warning: Warning, _ night: (finder: ChangeFinder, differing: [Warning])) -> Bool
    {
      let wasEmpty = night.finder.old.rows == 0
      return wasEmpty && baseline.rows > 0
        || night.differing.contains {
          $0.column == warning.column && !($0.code == .tableEmpty && wasEmpty)
        }
    }
    guard !found.isEmpty,
      let night = nights.first(where: { night in !found.contains { isOther($0, night) } })
        ?? nights.first
    else { return found }
    let lasting = history.lasting + history.accepted
    // A column with a warning may have its old values again.
    let known = found.map(\.column) + lasting.filter { $0.table == table.name }.map(\.column)
    return found.map { warning in
      guard !isOther(warning, night) else { return warning }
      let first = lasting.first(where: warning.isAboutSame)?.difference?.firstRun
      return (night.0.role == .former ? night.0.old.run : first).map(warning.since) ?? warning
    } + night.1.filter { !known.contains($0.column) }
  }

  /// A warning about the table, with the message that its facts lead to; `keys` is what its keys are called.
  func warning(
    _ code: WarningCode, column: String? = nil, _ facts: NightDifference? = nil,
    keys: String = "keys"
  ) -> Warning {
    let facts = facts ?? NightDifference(firstRun: baseline.run)
    let known = baseline.sample.columns.first { $0.name == column }
    let reason = counts.isUnused ? ": it has no source file" : ""
    return Warning(
      file: code == .tableEmpty ? counts.file ?? catalog : catalog, code: code, table: table.name,
      column: column, facts.message(code, of: table.name, known, keys: keys) + reason, facts)
  }
}
