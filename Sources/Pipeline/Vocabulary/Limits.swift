package import SQLiteSwiftly
import Text

package enum RejectLimit: Equatable, Sendable {
  case records(Int)
  case percent(Double)

  /// Whether the limit is exceeded, however many records follow.
  package func isCertainlyExceeded(by rejected: Int) -> Bool {
    if case .records(let limit) = self { rejected > limit } else { false }
  }

  package func isExceeded(by rejected: Int, of read: Int) -> Bool {
    switch self {
    case .records(let limit): rejected > limit
    case .percent(let limit): Double(rejected) * 100 > limit * Double(read)
    }
  }
}

extension RejectLimit: CustomStringConvertible {
  package var description: String {
    switch self {
    case .records(let limit): "\(limit)"
    case .percent(let limit): percentText(limit)
    }
  }
}

/// The reject limits of a run: tables with their own limit are checked separately, and all others together.
package struct RejectLimits: Equatable, Sendable {
  package var run = RejectLimit.records(0)
  package var tables: [String: RejectLimit] = [:]

  package init(run: RejectLimit = .records(0), tables: [String: RejectLimit] = [:]) {
    self.run = run
    self.tables = tables
  }
}

extension RejectLimits {
  /// The limits that differ from the default, as on the command line.
  package var words: [String] {
    let own = run == .records(0) ? [] : [run.description]
    return own + tables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }

  /// Whether a limit is exceeded, however many records follow; `rejected` are the counts of each table so far.
  package func isCertainlyExceeded(by rejected: [Int], of tables: [TableDescription]) -> Bool {
    var others = 0
    for (table, count) in zip(tables, rejected) {
      guard let limit = self.tables[table.name] else {
        others += count
        continue
      }
      if limit.isCertainlyExceeded(by: count) { return true }
    }
    return run.isCertainlyExceeded(by: others)
  }

  package func excesses(in counts: [TableCounts]) -> [String] {
    var sentences: [String] = []
    var others = (rejected: 0, read: 0)
    for table in counts {
      let read = table.read - table.leftOut
      guard let limit = tables[table.table] else {
        others.rejected += table.rejected
        others.read += read
        continue
      }
      if limit.isExceeded(by: table.rejected, of: read) {
        sentences.append(
          "\(table.rejected.grouped) of \(read.of("record")) of \(table.table) "
            + "\(table.rejected.verb("is", "are")) rejected, more than "
            + "--max-rejects \(table.table)=\(limit) allows")
      }
    }
    if run.isExceeded(by: others.rejected, of: others.read) {
      sentences.append(
        "\(others.rejected.grouped) of \(others.read.of("record")) "
          + "\(others.rejected.verb("is", "are")) rejected, more than "
          + "--max-rejects \(run) allows")
    }
    return sentences
  }
}

/// The percentages of rows that a new database may lose, or of keys that may change.
package struct PercentLimits: Equatable, Sendable {
  /// The limit of every table without its own limit; 100 for none.
  package var run: Double
  package var tables: [String: Double] = [:]

  package init(run: Double, tables: [String: Double] = [:]) {
    self.run = run
    self.tables = tables
  }

  package func limit(of table: String) -> Double { tables[table] ?? run }

  /// The limit of a table as on the command line.
  private func words(of table: String) -> String {
    tables[table].map { "\(table)=\(percentText($0))" } ?? percentText(run)
  }

  /// A table that exceeds its limit, and the message about it.
  package struct Excess: Equatable {
    package let table: String
    package let after: Int
    package let sentence: String
    /// The same in short, for a headline.
    package let summary: String
    /// The least limit that allows it, as on the command line.
    package let allowance: String
  }

  /// The tables that have lost more rows than allowed.
  ///
  /// A table that is gone or empty has lost all rows, and one that was empty cannot lose any. Rows that the last accepted
  /// night did not have do not count.
  package func losses(in changes: DatabaseChanges) -> [Excess] {
    changes.tables.compactMap { table in
      let previous = table.rowsBefore ?? 0
      let (before, after) = (
        min(previous, table.sinceAccepted?.rows ?? previous), table.rowsAfter ?? 0
      )
      let lost = Double(before - after)
      guard before > after, lost * 100 > limit(of: table.name) * Double(before) else { return nil }
      let fate =
        table.rowsAfter == nil
        ? ", which had \(before.of("row")), is gone"
        : " shrank from \(before.grouped) to \(after.of("row"))"
      return Excess(
        table: table.name, after: after,
        sentence: "\(table.name)\(fate), \(shareLost(before, after)) fewer, more than "
          + "--max-shrink \(words(of: table.name)) allows",
        summary: "\(table.name) has \(shareLost(before, after)) fewer rows than before",
        allowance: "\(table.name)=\(percentText((lost * 1000 / Double(before)).rounded(.up) / 10))")
    }
  }

  /// The tables with more changed and removed keys than allowed.
  ///
  /// The share is the smaller one of those since the previous database and since the last accepted night: so rows that
  /// are again as they were do not count.
  package func changedTables(in changes: DatabaseChanges) -> [Excess] {
    changes.tables.compactMap { table in
      guard let keys = table.keys, let before = table.rowsBefore else { return nil }
      let share = min(keys.share(ofRows: before), table.sinceAccepted?.lostPercent ?? 100)
      guard share > limit(of: table.name) else { return nil }
      let text = roundedPercentText(share)
      return Excess(
        table: table.name, after: table.rowsAfter ?? 0,
        sentence: "\(keys.changed.grouped) changed and \(keys.removed.grouped) removed of the "
          + "\(before.of("key")) of \(table.name), \(text), more than --max-change "
          + "\(words(of: table.name)) allows",
        summary: "\(text) of the keys of \(table.name) were changed or removed",
        allowance: "\(table.name)=\(percentText((share * 10).rounded(.up) / 10))")
    }
  }
}

package func shareLost(_ before: Int, _ after: Int) -> String {
  percentText((Double(before - after) * 1000 / Double(before)).rounded() / 10)
}

package func percentText(_ percent: Double) -> String {
  percent == percent.rounded() ? "\(Int(percent))%" : "\(percent)%"
}

/// A percentage with at most one decimal.
package func roundedPercentText(_ percent: Double) -> String {
  percentText((percent * 10).rounded() / 10)
}
