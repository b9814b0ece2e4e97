import Compression
import SQLiteSwiftly
import Text

/// The warnings whose causes last until the rows concerned are as they were.
extension History.Cause {
  /// The most keys of which a database keeps a sample.
  package static let mostSamples = 40

  /// The largest share of keys, in percent, for which one suppression lasts; that of a larger one is for one run.
  private static let regularShare = 20.0

  /// `columns` has the columns with changed values, those with the most first; `example` is a value of the first.
  package static func unusualChanges(
    _ change: DatabaseChanges.Table, since history: History,
    in columns: [(name: String, values: Int)], example: String?, _ samples: [History.Sample]
  ) -> History.Cause? {
    guard let keys = change.keys, let rows = change.rowsBefore else { return nil }
    let share = keys.share(ofRows: rows)
    let usual = roundedPercentText(history.usualShare(of: change.name))
    let facts =
      share > regularShare
      ? "since run \(history.runs.last?.number ?? 0)"
      : "up to \(percentText((share / 10).rounded(.up) * 10)) of the keys"
    return History.Cause(
      code: .changesUnusual, table: change.name, column: nil,
      message:
        "\(keys.changed.grouped) changed and \(keys.removed.grouped) removed of the "
        + "\(rows.of("key")) of \(change.name) since \(history.reference): "
        + "\(roundedPercentText(share)), and up to \(usual) is usual"
        + Self.words(for: columns, example),
      facts: facts, share: Int(share * 100), samples: samples)
  }

  /// The columns shown in a warning.
  private static let mostColumns = 3

  private static func words(
    for columns: [(name: String, values: Int)], _ example: String?
  ) -> String {
    guard !columns.isEmpty else { return "" }
    let others = columns.count - mostColumns
    let names = columns.prefix(mostColumns).map { "\($0.name) (\($0.values.grouped))" }
    return "; changed: " + names.joined(separator: ", ") + (others > 0 ? " and \(others) more" : "")
      + (example.map { ", such as \($0)" } ?? "")
  }

  /// Nearly all values of a column have become one; `rows` of `all` have it now, and `before` of `allBefore` had.
  package static func constant(
    _ column: String, of change: DatabaseChanges.Table, value: String, rows: Int, before: Int,
    since history: History, _ samples: [History.Sample]
  ) -> History.Cause {
    History.Cause(
      code: .columnConstant, table: change.name, column: column,
      message:
        "\(column) is \(value) in \(rows.grouped) of the \((change.rowsAfter ?? 0).of("row")) of "
        + "\(change.name), up from \(before.grouped) of \((change.rowsBefore ?? 0).grouped) in "
        + history.reference,
      facts: value, share: 10_000, samples: samples)
  }

  /// Values of a column have become their own UTF-8 bytes, each read as a character and encoded again.
  package static func encodedTwice(
    _ column: String, of table: String, values: Int, example: String, since history: History,
    _ samples: [History.Sample]
  ) -> History.Cause {
    History.Cause(
      code: .textEncodedTwice, table: table, column: column,
      message:
        "\(values.of("value")) of \(table).\(column) encoded twice as UTF-8 since "
        + "\(history.reference), such as \(example)",
      facts: "", share: 10_000, samples: samples)
  }

  /// The smallest share of rows with the same value for a column to be constant, in percent, and the largest share
  /// before for it to have become so.
  private static let (constantShare, variedShare) = (98, 90)

  package static func isConstant(_ rows: Int, of change: DatabaseChanges.Table) -> Bool {
    rows * 100 >= (change.rowsAfter ?? 0) * constantShare
  }

  package static func wasVaried(_ rows: Int, of change: DatabaseChanges.Table) -> Bool {
    rows * 100 <= (change.rowsBefore ?? 0) * variedShare
  }

  /// Whether the cause still applies if the checksums of the samples are now `sums`, nil for a missing key.
  package func applies(toSums sums: [String?]) -> Bool {
    guard !samples.isEmpty, sums.count == samples.count else { return true }
    let equal = zip(samples, sums).count { haveSameBytes($0.sum, $1 ?? "") }
    // The samples have the checksums before an unusual change, but those after any other.
    if code == .textEncodedTwice { return equal > 0 }
    if code == .columnConstant { return equal * 2 > samples.count }
    let remaining = Double(share) * Double(samples.count - equal) / Double(samples.count)
    return remaining > min(Self.goneShare, Double(share) / 2)
  }

  /// The share of keys that may differ from before an unusual change once its cause is gone, in hundredths of a percent,
  /// but not more than half of those that had changed.
  private static let goneShare = 500.0

  /// Whether a change can be the return to the rows before the cause, with the changes of a usual run: a larger one is
  /// another change.
  fileprivate func isUndone(by change: DatabaseChanges.Table, since history: History) -> Bool {
    let share = change.keys?.share(ofRows: change.rowsBefore ?? 0) ?? 0
    return share <= Double(self.share) / 100 + history.usualShare(of: table)
  }

  package func warning(of catalog: String) -> Warning {
    Warning(file: catalog, code: code, table: table, column: column, message, facts: facts)
  }
}

extension DatabaseChanges.Table {
  /// Adds the causes of lasting warnings: those of earlier runs that still apply, and new ones.
  ///
  /// - Parameters:
  ///   - history: the runs before.
  ///   - columns: the columns that both tables have, except those of the key.
  ///   - candidates: the columns that may have a cause, in the order of the warnings; constant columns count only after an
  ///     unusual change.
  ///   - sums: returns the checksums of values in the new table, for the keys of samples.
  ///   - find: returns the cause of a candidate, or of an unusual change of the table; nil if there is none.
  /// - Throws: what `sums` and `find` throw.
  package mutating func addCauses<Failure>(
    after history: History, among columns: [String],
    _ candidates: [(code: WarningCode, column: String)],
    sums: (_ columns: [String], [History.Sample]) throws(Failure) -> [String?],
    find: (DatabaseChanges.Table, WarningCode, _ column: String) throws(Failure) -> History.Cause?
  ) throws(Failure) {
    var causes: [History.Cause] = []
    for cause in history.causes(of: name, among: columns) {
      let compared = cause.column.map { [$0] } ?? columns
      if cause.applies(toSums: try sums(compared, cause.samples)) {
        causes.append(cause)
      } else if cause.code == .changesUnusual, cause.isUndone(by: self, since: history) {
        isRestored = true
      }
    }
    let isUnusual = !isRestored && history.isUnusual(self)
    // One suppression does not cover another change.
    if isUnusual { causes.removeAll { $0.code == .changesUnusual && $0.isSuppressed } }
    for (code, column) in [(.changesUnusual, "")] + candidates
    where isUnusual || code == .textEncodedTwice {
      let isKnown = causes.contains { $0.code == code && ($0.column ?? "") == column }
      if !isKnown, let cause = try find(self, code, column) { causes.append(cause) }
    }
    self.causes = causes
  }
}

extension History {
  /// The causes in a table, without those in columns other than `columns`.
  package func causes(of table: String, among columns: [String]) -> [Cause] {
    causes.filter { haveSameBytes($0.table, table) && $0.column.map(columns.hasName) != false }
  }

  package var reference: String { runs.last?.reference ?? "the previous database" }

  /// The checksum of a value for a sample.
  package static func sum(of text: String) -> String { checksum(of: text).hexadecimal }

  package static func checksum(of text: String) -> UInt32 {
    var sum = CRC32()
    sum.append(Array(text.utf8).span)
    return sum.value
  }
}

extension History.Run {
  package var reference: String {
    guard number > 0 else { return "the previous database" }
    return "run \(number)" + (dataTime.map { " (data of \($0.prefix(10)))" } ?? "")
  }
}
