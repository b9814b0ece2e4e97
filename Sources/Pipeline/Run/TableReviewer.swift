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
      let finder = ChangeFinder(reviewer: self, old: old, changes: changes)
      found += finder.keyWarnings(withoutRemoved: isShrunk || isLossReported)
      found += finder.columnWarnings(except: risen.compactMap(\.column))
      review.shares = finder.shares(except: found + risen)
    } else {
      review.shares = []
    }
    found += risen
    review.warnings = named(found + slowChanges(since: old, besides: found))
    return review
  }

  /// Names the first run that showed each change: an earlier one if the table is as it was then.
  private func named(_ found: [LastingWarning]) -> [LastingWarning] {
    let role = history.baseline(.changed, of: table.name) == nil ? Baseline.Role.accepted : .changed
    guard !found.isEmpty, let first = history.baseline(role, of: table.name) else { return found }
    let since = changes(since: role)
    let finder = since.map { ChangeFinder(reviewer: self, old: first, changes: $0) }
    let differing =
      (finder?.keyWarnings(withoutRemoved: false) ?? [])
      + (finder?.columnWarnings(except: []) ?? [])
      + nullsRisen(since: first) + rowsLost(since: first, false)
    return found.map { warning in
      let known = history.lasting.first {
        $0.isAbout(warning.code, warning.table, warning.column)
      }
      let isOther = differing.contains {
        $0.column == warning.column && ($0.code != .tableEmpty || first.rows > 0)
      }
      guard let known, !isOther else { return warning }
      return warning.since(run: known.run)
    }
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
    since old: Baseline, besides found: [LastingWarning]
  ) -> [LastingWarning] {
    guard let earlier = history.baseline(.earlier, of: table.name), earlier.run < old.run,
      let changes = changes(since: .earlier)
    else { return [] }
    let finder = ChangeFinder(reviewer: self, old: earlier, changes: changes, isSlow: true)
    return (finder.keyWarnings(withoutRemoved: false) + finder.columnWarnings(except: [])).filter {
      slow in !found.contains { $0.column == slow.column }
    }
  }
}

extension LastingWarning {
  fileprivate func since(run: Int) -> LastingWarning {
    LastingWarning(
      code: code, table: table, column: column, run: run, message: message, file: file)
  }
}

/// Judges the differences between two nights.
struct ChangeFinder {
  let reviewer: TableReviewer
  let old: Baseline
  let changes: SampleChanges
  /// Whether many nights are between them, in each of which changes were usual.
  var isSlow = false

  private var table: String { reviewer.table.name }

  /// The days between both nights; 1 if they are fewer, or unknown.
  ///
  /// While a change of the column lasts, the days to the night that first showed it: with more, it would become usual.
  private func days(_ column: String? = nil) -> Double {
    let history = reviewer.history
    let lasts = history.lasting.contains {
      !$0.isSuppressed && haveSameBytes([$0.table, $0.column ?? ""], [table, column ?? ""])
    }
    let first = lasts ? history.baseline(.changed, of: table)?.dataTime : nil
    guard let before = old.dataTime, let after = first ?? reviewer.baseline.dataTime else {
      return 1
    }
    return min(max(Double(after - before) / 86_400, 1), UsualChanges.mostDays)
  }

  private func limit(_ kind: ChangeShare.Kind, _ column: String? = nil) -> Double {
    isSlow
      ? UsualChanges.slow.floor
      : reviewer.history.usualPercent(kind, column ?? "", of: table, days: days(column))
  }

  /// The share of the keys before, or of those that both nights have.
  private func percent(_ kind: ChangeShare.Kind, _ keys: Int) -> Double {
    Double(keys) * 100 / Double(max(kind == .changed ? changes.common : changes.before, 1))
  }

  private func isUnusual(_ kind: ChangeShare.Kind, _ column: String? = nil, keys: Int) -> Bool {
    let limits = isSlow ? UsualChanges.slow : UsualChanges.limits(of: kind)
    return keys >= limits.fewestKeys && percent(kind, keys) > limit(kind, column)
  }

  /// The shares of an accepted night, except those with a warning.
  func shares(except found: [LastingWarning]) -> [ChangeShare] {
    func share(_ kind: ChangeShare.Kind, _ column: String, _ keys: Int) -> ChangeShare? {
      let isWarned = found.contains { ($0.column ?? "") == column }
      return keys == 0 || isWarned
        ? nil : ChangeShare(kind, column, percent: percent(kind, keys) / days())
    }
    let columns = changes.columns.sorted { $0.key < $1.key }.compactMap { index, column in
      share(.changed, reviewer.baseline.sample.columns[index].name, column.changed.keys)
    }
    return columns
      + [share(.removed, "", changes.removed.keys), share(.added, "", changes.added.keys)]
      .compactMap(\.self)
  }

  func keyWarnings(withoutRemoved: Bool) -> [LastingWarning] {
    let (removed, added) = (changes.removed, changes.added)
    let isRemoved = !withoutRemoved && isUnusual(.removed, keys: removed.keys)
    let isAdded = !isSlow && isUnusual(.added, keys: added.keys)
    let key = reviewer.baseline.sample.columns.filter(\.isKey).map(\.name)
    let name =
      key.count < reviewer.baseline.sample.columns.count
      ? "keys (\(key.joined(separator: ", ")))" : "rows"
    let exact = reviewer.change?.keys.flatMap { isExact ? $0 : nil }
    let gone =
      exact.map { "\($0.removed.grouped) of the \(old.rows.grouped) \(name)" }
      ?? "\(removed.keys.grouped) of \(of(changes.before, name))"
    let new = (exact?.added ?? added.keys).grouped
    let both = "\(gone) of \(table) are gone since \(old.reference), and \(new) are new"
    let ofRemoved = "\(usual(.removed, removed.keys)), for example"
    if isRemoved, isAdded {
      return [
        reviewer.warning(
          .keysRenumbered,
          "\(both): \(ofRemoved) \(removed.examples[0]) is gone, and \(added.examples[0]) is new")
      ]
    }
    var warnings: [LastingWarning] = []
    if isRemoved {
      warnings.append(
        reviewer.warning(
          .changesUnusual,
          "\(both): \(ofRemoved) \(removed.examples.joined(separator: "; "))"))
    }
    if isAdded {
      let figures =
        exact.map { "\($0.added.grouped) \(name)" }
        ?? "\(added.keys.grouped) of \(of(changes.after, name))"
      warnings.append(
        reviewer.warning(
          .tableGrown,
          "\(figures) of \(table) are new since \(old.reference), which had \(old.rows.of("row")): "
            + "\(usual(.added, added.keys)), for example \(added.examples.joined(separator: "; "))")
      )
    }
    return warnings
  }

  /// Whether the previous database is that of the earlier night, so that its differences are exact.
  private var isExact: Bool { old.run == reviewer.history.runs.last?.number }

  private func of(_ count: Int, _ name: String) -> String {
    isSampled ? "\(count.grouped) sampled \(name)" : "the \(count.grouped) \(name)"
  }

  private var isSampled: Bool {
    !old.sample.isComplete || !reviewer.baseline.sample.isComplete
  }

  private func usual(
    _ kind: ChangeShare.Kind, _ keys: Int, _ column: String? = nil
  ) -> String {
    "\(roundedPercentText(percent(kind, keys))), and up to \(roundedPercentText(limit(kind, column))) is usual"
      + (isSlow ? " in \(UsualChanges.nights) nights" : "")
  }

  /// With many other keys, equal ones may be of other things.
  private var areKeysRenumbered: Bool {
    percent(.removed, changes.removed.keys) > UsualChanges.mostRenumbered
      && isUnusual(.added, keys: changes.added.keys)
  }

  func columnWarnings(except reported: [String]) -> [LastingWarning] {
    guard !areKeysRenumbered else { return [] }
    let columns = reviewer.baseline.sample.columns
    return changes.columns.sorted { $0.key < $1.key }.compactMap { index, found in
      let name = columns[index].name
      guard !reported.hasName(name) else { return nil }
      let isUnusual = isUnusual(.changed, name, keys: found.changed.keys)
      if isUnusual, let warning = constant(index) { return warning }
      if !isSlow, found.encodedTwice.keys > 0 { return encodedTwice(name, found.encodedTwice) }
      guard isUnusual else { return nil }
      return reviewer.warning(.changesUnusual, column: name, changed(name, found.changed))
    }
  }

  private func changed(_ column: String, _ found: SampleChanges.Kind) -> String {
    "\(column) has changed for \(figures(column, found.keys)) of \(table) since \(old.reference): "
      + "\(usual(.changed, found.keys, column)), for example "
      + found.examples.joined(separator: "; ")
  }

  /// The keys with another value, and the keys that both nights have.
  private func figures(_ column: String, _ keys: Int) -> String {
    guard let change = reviewer.change, let all = change.keys, let before = change.rowsBefore,
      isExact, !reviewer.counters.contains(column)
    else { return "\(keys.grouped) of \(of(changes.common, "keys"))" }
    let changed = change.columns.first { haveSameBytes($0.name, column) }?.keys ?? 0
    return "\(changed.grouped) of the \((before - all.removed).grouped) keys"
  }

  /// The warning if nearly all values have become one.
  private func constant(_ index: Int) -> LastingWarning? {
    let (sample, name) = (reviewer.baseline.sample, reviewer.baseline.sample.columns[index].name)
    guard let (value, share) = sample.mostCommonValue(ofColumn: index),
      share >= UsualChanges.constantShare
    else { return nil }
    let before = old.sample.share(of: value, inColumn: name)
    guard before <= UsualChanges.variedShare else { return nil }
    let text = RowSample.shown(value, isText: sample.columns[index].type == "text")
    let examples = changes.columns[index]?.changed.examples ?? []
    return reviewer.warning(
      .columnConstant, column: name,
      "\(name) is \(text) in \(roundedPercentText(share * 100)) of the rows of \(table), up from "
        + "\(roundedPercentText(before * 100)) in \(old.reference), for example "
        + examples.joined(separator: "; "))
  }

  private func encodedTwice(_ column: String, _ found: SampleChanges.Kind) -> LastingWarning {
    reviewer.warning(
      .textEncodedTwice, column: column,
      "\(column) is encoded twice as UTF-8 for \(found.keys.grouped) of \(of(changes.common, "keys")) of "
        + "\(table) since \(old.reference), for example \(found.examples.joined(separator: "; "))")
  }
}
