import SQLiteSwiftly
import Text
import Vocabulary

/// A number of keys, and the keys of which they are a part.
private struct Figures {
  let keys: Int
  let all: Int
  let isSampled: Bool

  var percent: Double { Double(keys) * 100 / Double(max(all, 1)) }

  func text(_ name: String) -> String {
    "\(keys.grouped) of \(isSampled ? "" : "the ")\(all.grouped) \(isSampled ? "sampled " : "")\(name)"
  }
}

/// Judges the differences between two nights.
struct ChangeFinder {
  let reviewer: TableReviewer
  let old: Baseline
  let role: Baseline.Role
  let changes: SampleChanges
  private let names: [String]
  /// The numbers of the columns that can be compared.
  private let places: [String: Int]

  init(reviewer: TableReviewer, old: Baseline, role: Baseline.Role, changes: SampleChanges) {
    self.reviewer = reviewer
    self.old = old
    self.role = role
    self.changes = changes
    let names = reviewer.baseline.sample.columns.map(\.name)
    self.names = names
    places = Dictionary(changes.columns.keys.map { (names[$0], $0) }) { first, _ in first }
  }

  /// Whether many nights are between them, in each of which changes were usual.
  private var isSlow: Bool { role == .earlier }

  private var table: String { reviewer.table.name }

  /// The days between both nights; 1 if they are fewer, or unknown.
  ///
  /// While a change of the column lasts, the days to the night that first showed it: with more, it would become usual.
  private func days(_ column: String? = nil) -> Double {
    let first = lasts(column) ? reviewer.history.baseline(.changed, of: table)?.dataTime : nil
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

  /// The keys that changed in a way, and those of which they are a part: exact if the previous database is that of the
  /// earlier night, or else sampled.
  private func figures(_ kind: ChangeShare.Kind, _ column: String? = nil) -> Figures {
    let change = reviewer.change
    if isSampled, old.run == reviewer.history.runs.last?.number, change?.rowsBefore == old.rows,
      let keys = change?.keys, !reviewer.counters.contains(column ?? "")
    {
      let count =
        switch kind {
        case .changed: change?.columns.first { haveSameBytes($0.name, column ?? "") }?.keys ?? 0
        case .removed: keys.removed
        case .added: keys.added
        }
      let all = kind == .changed ? old.rows - keys.removed : old.rows
      return Figures(keys: count, all: all, isSampled: false)
    }
    switch kind {
    case .changed:
      let found = places[column ?? ""].flatMap { changes.columns[$0] }?.changed
      return Figures(keys: found?.keys ?? 0, all: changes.common, isSampled: isSampled)
    case .removed:
      return Figures(keys: changes.removed.keys, all: changes.before, isSampled: isSampled)
    case .added:
      let added = Figures(keys: changes.added.keys, all: changes.before, isSampled: isSampled)
      // A table without a key may have equal rows.
      let grown = Figures(
        keys: reviewer.baseline.rows - old.rows, all: old.rows, isSampled: false)
      return grown.percent > added.percent ? grown : added
    }
  }

  private var isSampled: Bool {
    !old.sample.isComplete || !reviewer.baseline.sample.isComplete
  }

  /// Whether a change since the last accepted night was found before.
  private func lasts(_ column: String?) -> Bool {
    role == .accepted
      && reviewer.history.lasting.contains {
        !$0.isSuppressed && haveSameBytes([$0.table, $0.column ?? ""], [table, column ?? ""])
      }
  }

  /// A change that was unusual lasts until less than half of it is left.
  private func isUnusual(_ kind: ChangeShare.Kind, _ column: String? = nil) -> Bool {
    let limits = isSlow ? UsualChanges.slow : UsualChanges.limits(of: kind)
    let (figures, rest) = (figures(kind, column), lasts(column) ? 0.5 : 1)
    return Double(figures.keys) >= Double(limits.fewestKeys) * rest
      && figures.percent > limit(kind, column) * rest
  }

  /// The changes of a night without a warning.
  var shares: [ChangeShare] {
    let kinds =
      changes.columns.keys.sorted().map { (ChangeShare.Kind.changed, names[$0]) }
      + [(.removed, ""), (.added, "")]
    return kinds.compactMap { kind, column in
      let percent = figures(kind, column).percent
      return percent == 0 ? nil : ChangeShare(kind, column, percent: percent / days())
    }
  }

  func keyWarnings(withoutRemoved: Bool) -> [LastingWarning] {
    let isRemoved = !withoutRemoved && isUnusual(.removed)
    let isAdded = !isSlow && isUnusual(.added)
    guard isRemoved || isAdded else { return [] }
    let (removed, added) = (figures(.removed), figures(.added))
    let key = reviewer.baseline.sample.columns.filter(\.isKey).map(\.name)
    let name = key.count < names.count ? "keys (\(key.joined(separator: ", ")))" : "rows"
    let gone =
      "\(removed.text(name)) of \(table) are gone since \(old.reference), and \(added.keys.grouped) are "
      + "new: \(usual(.removed))"
    let (goneKeys, newKeys) = (shown(changes.removed), shown(changes.added))
    if isRemoved, isAdded {
      return [
        reviewer.warning(
          .keysRenumbered, "\(gone)\(goneKeys)\(newKeys.isEmpty ? "" : "; new\(newKeys)")")
      ]
    }
    if isRemoved { return [reviewer.warning(.changesUnusual, gone + goneKeys)] }
    return [
      reviewer.warning(
        .tableGrown,
        "\(added.keys.grouped) \(added.isSampled ? "sampled " : "")\(name) of \(table) are new since "
          + "\(old.reference), in addition to \(added.all.grouped): \(usual(.added))\(newKeys)")
    ]
  }

  /// The examples, if there are any: a few changes may not be among the sampled rows.
  private func shown(_ found: SampleChanges.Kind) -> String {
    found.examples.isEmpty ? "" : ", for example " + found.examples.joined(separator: "; ")
  }

  private func usual(_ kind: ChangeShare.Kind, _ column: String? = nil) -> String {
    let texts = [figures(kind, column).percent, limit(kind, column)].map(roundedPercentText)
    return "\(texts[0]), and up to \(texts[1]) is usual"
      + (isSlow ? " in \(UsualChanges.nights) nights" : "")
  }

  /// With many other keys, equal ones may be of other things.
  private var areKeysRenumbered: Bool {
    figures(.removed).percent > UsualChanges.mostRenumbered && isUnusual(.added)
  }

  func columnWarnings(except reported: [String]) -> [LastingWarning] {
    guard !areKeysRenumbered else { return [] }
    return changes.columns.sorted { $0.key < $1.key }.compactMap { index, found in
      let name = names[index]
      guard !reported.hasName(name) else { return nil }
      let isUnusual = isUnusual(.changed, name)
      if isUnusual, let warning = constant(index) { return warning }
      if !isSlow, found.encodedTwice.keys > 0 { return encodedTwice(name, found.encodedTwice) }
      guard isUnusual else { return nil }
      return reviewer.warning(.changesUnusual, column: name, changed(name, found.changed))
    }
  }

  private func changed(_ column: String, _ found: SampleChanges.Kind) -> String {
    "\(column) has changed for \(figures(.changed, column).text("keys")) of \(table) since "
      + "\(old.reference): \(usual(.changed, column))" + shown(found)
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
    let examples = shown(changes.columns[index]?.changed ?? SampleChanges.Kind())
    return reviewer.warning(
      .columnConstant, column: name,
      "\(name) is \(text) in \(roundedPercentText(share * 100)) of the rows of \(table), up from "
        + "\(roundedPercentText(before * 100)) in \(old.reference)" + examples)
  }

  private func encodedTwice(_ column: String, _ found: SampleChanges.Kind) -> LastingWarning {
    reviewer.warning(
      .textEncodedTwice, column: column,
      "\(column) is encoded twice as UTF-8 for "
        + Figures(keys: found.keys, all: changes.common, isSampled: isSampled).text("keys")
        + " of \(table) since \(old.reference)" + shown(found))
  }
}
