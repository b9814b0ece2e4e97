import SQLiteSwiftly
import Vocabulary

/// Judges the differences of a table from an earlier night.
struct ChangeFinder {
  let reviewer: TableReviewer
  let old: Baseline
  let role: Baseline.Role
  /// Nil if the keys are others, or there were none.
  let changes: SampleChanges?

  init(_ reviewer: TableReviewer, _ old: Baseline, _ role: Baseline.Role) {
    self.reviewer = reviewer
    self.old = old
    self.role = role
    changes =
      old.sample.rows.isEmpty
      ? nil
      : reviewer.baseline.sample.changes(
        since: old.sample, counters: reviewer.counters, new: old.emptyColumns)
  }

  private var new: Baseline { reviewer.baseline }

  /// Whether many nights are between them, in each of which changes were usual.
  private var isSlow: Bool { role == .earlier }

  /// All that is unusual; `isLossReported` if keys that are gone are not.
  func warnings(isLossReported: Bool = false) -> [Warning] {
    let lost = isSlow ? [] : rowsLost(isReported: isLossReported)
    let columns = isSlow ? [] : columnsChanged
    guard let changes else { return lost + columns }
    return lost + keyWarnings(changes, withoutRemoved: isLossReported || !lost.isEmpty)
      + columnWarnings(changes, besides: columns) + columns
  }

  /// The changes of a night without a warning.
  var shares: [ChangeShare] {
    guard let changes else { return [] }
    let columns = new.sample.columns.map(\.name).filter { changes.columns[$0] != nil }
    let kinds = columns.map { (ChangeShare.Kind.changed, $0) } + [(.removed, ""), (.added, "")]
    return kinds.compactMap { kind, column in
      let percent = figures(kind, column).percent
      return percent == 0 ? nil : ChangeShare(kind, column, percent: percent / days())
    }
  }
}

extension ChangeFinder {
  /// The days between both nights; 1 if they are fewer, or unknown.
  ///
  /// While a change of the column lasts, the days to the night that first showed it: with more, it would become usual.
  private func days(_ column: String? = nil) -> Double {
    let first =
      lasting(column) == nil
      ? nil : reviewer.history.baseline(.changed, of: reviewer.table.name)?.dataTime
    guard let before = old.dataTime, let after = first ?? new.dataTime else { return 1 }
    return min(max(Double(after - before) / 86_400, 1), UsualChanges.mostDays)
  }

  private func limit(_ kind: ChangeShare.Kind, _ column: String? = nil) -> Double {
    isSlow
      ? UsualChanges.slow.floor
      : reviewer.history.usualPercent(
        kind, column ?? "", of: reviewer.table.name, days: days(column))
  }

  /// The keys that changed in a way, and those of which they are a part: exact if the previous database is that of the
  /// earlier night, or else sampled.
  private func figures(
    _ kind: ChangeShare.Kind, _ column: String? = nil
  ) -> NightDifference.Figures {
    let change = reviewer.change
    let isSampled = !old.sample.isComplete || !new.sample.isComplete
    if isSampled, old.run == reviewer.history.runs.last?.number, change?.rowsBefore == old.rows,
      let keys = change?.keys, !reviewer.counters.contains(column ?? "")
    {
      return switch kind {
      case .changed:
        .init(
          change?.columns.first { haveSameBytes($0.name, column ?? "") }?.keys ?? 0,
          of: old.rows - keys.removed)
      case .removed: .init(keys.removed, of: old.rows)
      case .added: .init(keys.added, of: old.rows)
      }
    }
    func sampled(_ count: Int?, _ all: Int?) -> NightDifference.Figures {
      .init(count ?? 0, of: all ?? 0, isSampled: isSampled)
    }
    switch kind {
    case .changed: return sampled(changes?.columns[column ?? ""]?.keys, changes?.common)
    case .removed: return sampled(changes?.removed.keys, changes?.before)
    case .added:
      let added = sampled(changes?.added.keys, changes?.before)
      // A table without a key may have equal rows.
      let grown = NightDifference.Figures(new.rows - old.rows, of: old.rows)
      return grown.percent > added.percent ? grown : added
    }
  }

  /// The warning about a change since the last accepted night that the previous run found; nil if there was none.
  private func lasting(_ column: String?) -> Warning? {
    guard role == .accepted else { return nil }
    return reviewer.history.lasting.first {
      haveSameBytes([$0.table ?? "", $0.column ?? ""], [reviewer.table.name, column ?? ""])
    }
  }

  /// A change that was unusual lasts until less than half of it, or of the limit, is left.
  private func isUnusual(_ kind: ChangeShare.Kind, _ column: String? = nil) -> Bool {
    let limits = isSlow ? UsualChanges.slow : UsualChanges.limits(of: kind)
    let figures = figures(kind, column)
    let before = lasting(column)?.difference?.figures?.percent ?? .infinity
    let rest = figures.percent > before / 2 ? 0.5 : 1
    return Double(figures.count) >= Double(limits.fewestKeys) * rest
      && figures.percent > limit(kind, column) * rest
  }

  /// A warning with these facts and those of the earlier night.
  private func warning(
    _ code: WarningCode, column: String? = nil, _ figures: NightDifference.Figures?,
    keys: String = "keys", _ complete: (inout NightDifference) -> Void = { _ in }
  ) -> Warning {
    var facts = NightDifference(firstRun: new.run, since: old, figures)
    complete(&facts)
    return reviewer.warning(code, column: column, facts, keys: keys)
  }

  /// Warns of a table without records, or with many fewer rows.
  private func rowsLost(isReported: Bool) -> [Warning] {
    guard reviewer.counts.read > 0 || reviewer.counts.isUnused else {
      return [warning(.tableEmpty, old.rows > 0 ? .init(old.rows, of: old.rows) : nil)]
    }
    guard !isReported, new.rows * 100 < old.rows * UsualChanges.fewestRows else { return [] }
    return [warning(.tableShrunk, .init(old.rows - new.rows, of: old.rows))]
  }

  /// The warnings about the types of columns, and what is counted in all their rows: NULLs, and texts encoded twice.
  private var columnsChanged: [Warning] {
    let (sample, known) = (new.sample, old.sample)
    return sample.columns.indices.compactMap { index in
      let (name, type) = (sample.columns[index].name, sample.columns[index].type)
      guard let place = known.columns.firstIndex(where: { haveSameBytes($0.name, name) }) else {
        return nil
      }
      guard type == known.columns[place].type else {
        return warning(.typeChanged, column: name, nil) {
          ($0.valueBefore, $0.value) = (known.columns[place].type, type)
        }
      }
      guard new.rows > 0, old.rows > 0 else { return nil }
      let before = NightDifference.Figures(old.nulls[place], of: old.rows)
      let after = NightDifference.Figures(new.nulls[index], of: new.rows)
      if after.percent - before.percent >= UsualChanges.nullsRise {
        return warning(.nullsRisen, column: name, after) { $0.percentBefore = before.percent }
      }
      let more = sample.encodedTwice[index].keys - known.encodedTwice[place].keys
      guard more > 0 else { return nil }
      return warning(.textEncodedTwice, column: name, .init(more, of: new.rows)) {
        $0.examples = sample.encodedTwice[index].examples
      }
    }
  }

  private func keyWarnings(_ changes: SampleChanges, withoutRemoved: Bool) -> [Warning] {
    let isRemoved = !withoutRemoved && isUnusual(.removed)
    let isAdded = !isSlow && isUnusual(.added)
    guard isRemoved || isAdded else { return [] }
    let key = new.sample.columns.filter(\.isKey).map(\.name)
    let name =
      key.count < new.sample.columns.count ? "keys (\(key.joined(separator: ", ")))" : "rows"
    let code: WarningCode =
      isRemoved ? isAdded ? .keysRenumbered : .changesUnusual : .tableGrown
    let kind = isRemoved ? ChangeShare.Kind.removed : .added
    return [
      warning(code, figures(kind), keys: name) { facts in
        (facts.usualPercent, facts.isSlow) = (limit(kind), isSlow)
        if isRemoved { facts.added = figures(.added).count }
        facts.examples =
          (isRemoved ? changes.removed.examples : []) + (isAdded ? changes.added.examples : [])
      }
    ]
  }

  private func columnWarnings(_ changes: SampleChanges, besides reported: [Warning]) -> [Warning] {
    // With many other keys, equal ones may be of other things.
    guard figures(.removed).percent <= UsualChanges.mostRenumbered || !isUnusual(.added) else {
      return []
    }
    return new.sample.columns.indices.compactMap { index in
      let name = new.sample.columns[index].name
      let risen = reported.first { haveSameBytes($0.column ?? "", name) }?.difference?.figures
      // A few texts that were encoded twice do not explain many changes.
      guard let found = changes.columns[name], isUnusual(.changed, name),
        (risen?.percent ?? 0) * 2 < figures(.changed, name).percent
      else { return nil }
      if let warning = constant(index, found) { return warning }
      return warning(.changesUnusual, column: name, figures(.changed, name)) { facts in
        (facts.usualPercent, facts.isSlow) = (limit(.changed, name), isSlow)
        facts.examples = found.examples
      }
    }
  }

  /// The warning if nearly all values have become one.
  private func constant(_ index: Int, _ changed: SampleChanges.Kind) -> Warning? {
    let (sample, name) = (new.sample, new.sample.columns[index].name)
    guard let (value, count) = sample.mostCommonValue(ofColumn: index) else { return nil }
    let figures = NightDifference.Figures(
      count, of: sample.rows.count, isSampled: !sample.isComplete)
    let before = old.sample.percent(of: value, inColumn: name)
    guard figures.percent >= UsualChanges.constantPercent, before <= UsualChanges.variedPercent
    else { return nil }
    return warning(.columnConstant, column: name, figures) { facts in
      facts.percentBefore = before
      facts.value = RowSample.text(of: value)
      facts.examples = changed.examples
    }
  }
}
