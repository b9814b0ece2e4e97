import SQLiteSwiftly
import Schema
import Text
import Vocabulary

/// Compares a table with the last accepted night, column by column: see `UsualChanges`.
struct TableReviewer {
  let history: History
  let table: TableDescription
  let counters: Set<String>
  let counts: TableCounts
  /// The table in this run.
  let baseline: Baseline
  /// The differences from the previous database; nil if there is none.
  let change: DatabaseChanges.Table?

  /// The differences from the baseline of an earlier night; nil without one, or if the keys are others.
  func changes(since role: Baseline.Role) -> SampleChanges? {
    guard let old = history.baseline(role, of: table.name), !old.sample.rows.isEmpty else {
      return nil
    }
    return baseline.sample.changes(
      since: old.sample, counters: counters, new: old.emptyColumns)
  }

  /// What is unusual; `changes` are those since the last accepted night.
  ///
  /// `isLossReported` if the run is refused because of the table's lost rows.
  func review(_ changes: SampleChanges?, isLossReported: Bool) -> TableReview {
    var review = TableReview(baseline: baseline)
    guard let old = history.baseline(.accepted, of: table.name) else {
      review.warnings = named(rowsLost(since: nil, false))
      return review
    }
    var found = rowsLost(since: old, isLossReported)
    let isShrunk = !found.isEmpty
    let risen = nullsRisen(since: old)
    if let changes {
      let finder = ChangeFinder(reviewer: self, old: old, role: .accepted, changes: changes)
      found += finder.keyWarnings(withoutRemoved: isShrunk || isLossReported)
      found += finder.columnWarnings(except: risen.compactMap(\.column))
      review.shares = (found + risen).isEmpty ? finder.shares : []
    } else {
      review.shares = []
    }
    found += risen
    found += slowChanges(since: old, besides: found, withoutRemoved: isShrunk || isLossReported)
    review.warnings = named(found)
    return review
  }

  /// Names the first run that showed each change: an earlier one if the table is as it was then.
  ///
  /// What else has changed since that run is added.
  private func named(_ found: [LastingWarning]) -> [LastingWarning] {
    let role = history.baseline(.changed, of: table.name) == nil ? Baseline.Role.accepted : .changed
    guard !found.isEmpty, let first = history.baseline(role, of: table.name) else { return found }
    let since = changes(since: role)
    let finder = since.map {
      ChangeFinder(reviewer: self, old: first, role: role, changes: $0)
    }
    let differing =
      (finder?.keyWarnings(withoutRemoved: false) ?? [])
      + (finder?.columnWarnings(except: []) ?? [])
      + nullsRisen(since: first) + rowsLost(since: first, false)
    // A column with a warning may have its old values again.
    let known =
      found.map(\.column) + history.lasting.filter { $0.table == table.name }.map(\.column)
    let others = role == .changed ? differing.filter { !known.contains($0.column) } : []
    return found.map { warning in
      let known = history.lasting.first {
        $0.isAbout(warning.code, warning.table, warning.column)
      }
      let isOther = differing.contains {
        $0.column == warning.column && ($0.code != .tableEmpty || first.rows > 0)
      }
      guard let known, !isOther else { return warning }
      return warning.since(run: known.run)
    } + others
  }

  func warning(
    _ code: WarningCode, column: String? = nil, file: String? = nil, _ message: String
  ) -> LastingWarning {
    LastingWarning(
      code: code, table: table.name, column: column, run: baseline.run, message: message,
      file: file)
  }

  /// Warns of a table without records, or with many fewer rows.
  private func rowsLost(since old: Baseline?, _ isReported: Bool) -> [LastingWarning] {
    guard counts.read > 0 else {
      let loss = old.map { $0.rows == 0 ? "" : "; it had \($0.rows.of("row")) in \($0.reference)" }
      return [
        warning(
          .tableEmpty, file: counts.file,
          "no records in the source file of \(table.name)" + (loss ?? ""))
      ]
    }
    guard let old, !isReported, baseline.rows * 100 < old.rows * UsualChanges.fewestRows else {
      return []
    }
    return [
      warning(
        .tableShrunk,
        "\(table.name) shrank from \(old.rows.grouped) to \(baseline.rows.of("row")) since "
          + "\(old.reference), \(shareLost(old.rows, baseline.rows)) fewer")
    ]
  }

  private func nullsRisen(since old: Baseline) -> [LastingWarning] {
    guard baseline.rows > 0, old.rows > 0 else { return [] }
    return baseline.sample.columns.indices.compactMap { index in
      let column = baseline.sample.columns[index].name
      guard let known = old.sample.columns.firstIndex(where: { $0.name == column }) else {
        return nil
      }
      let (before, after) = (old.nulls[known], baseline.nulls[index])
      let shares = [(before, old.rows), (after, baseline.rows)].map {
        Double($0) * 100 / Double($1)
      }
      guard shares[1] - shares[0] >= UsualChanges.nullsRise else { return nil }
      let texts = shares.map(roundedPercentText)
      return warning(
        .nullsRisen, column: column,
        "\(column) is NULL in \(texts[1]) of the rows of \(table.name) (\(after.grouped) of "
          + "\(baseline.rows.grouped)), up from \(texts[0]) (\(before.grouped) of "
          + "\(old.rows.grouped)) in \(old.reference)")
    }
  }

  /// The changes that were usual every night, but have added up.
  private func slowChanges(
    since old: Baseline, besides found: [LastingWarning], withoutRemoved: Bool
  ) -> [LastingWarning] {
    guard let earlier = history.baseline(.earlier, of: table.name), earlier.run < old.run,
      let changes = changes(since: .earlier)
    else { return [] }
    let finder = ChangeFinder(reviewer: self, old: earlier, role: .earlier, changes: changes)
    return
      (finder.keyWarnings(withoutRemoved: withoutRemoved) + finder.columnWarnings(except: []))
      .filter { slow in !found.contains { $0.column == slow.column } }
  }
}

extension LastingWarning {
  fileprivate func since(run: Int) -> LastingWarning {
    LastingWarning(
      code: code, table: table, column: column, run: run, message: message, file: file)
  }
}
