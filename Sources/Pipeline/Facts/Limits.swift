package import SQLiteSwiftly

package enum RejectLimit: Equatable, Sendable {
  case records(Int)
  /// This many of a hundred that were read.
  case percent(Double)

  /// Whether the limit is exceeded, however many records are still to come.
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

/// The limits of a run: a table that has a limit of its own is judged by it alone, all others
/// together by that of the run.
package struct RejectLimits: Equatable, Sendable {
  package var run = RejectLimit.records(0)
  package var tables: [String: RejectLimit] = [:]

  package init(run: RejectLimit = .records(0), tables: [String: RejectLimit] = [:]) {
    self.run = run
    self.tables = tables
  }
}

extension RejectLimits {
  /// The limits that are not those of a run without the option, as they are given to the command.
  package var words: [String] {
    let own = run == .records(0) ? [] : [run.description]
    return own + tables.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }

  /// Whether a limit is exceeded, however many records are still to come, if this many were
  /// rejected so far of each table in `tables`.
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

  func excesses(in accounts: [TableCounts]) -> [String] {
    var sentences: [String] = []
    var others = (rejected: 0, read: 0)
    for account in accounts {
      let read = account.read - account.replaced - account.leftOut
      guard let limit = tables[account.table] else {
        others.rejected += account.rejected
        others.read += read
        continue
      }
      if limit.isExceeded(by: account.rejected, of: read) {
        sentences.append(
          "\(account.rejected.grouped) of \(read.of("record")) of \(account.table) are rejected, more than "
            + "--max-rejects \(account.table)=\(limit) allows")
      }
    }
    if run.isExceeded(by: others.rejected, of: others.read) {
      sentences.append(
        "\(others.rejected.grouped) of \(others.read.of("record")) are rejected, more than "
          + "--max-rejects \(run) allows")
    }
    return sentences
  }
}

/// How many of a hundred rows a new catalog may have less than the one that it replaces.
package struct ShrinkLimits: Equatable, Sendable {
  /// The limit of every table that has none of its own, and so of all of them together.
  package var run = 50.0
  package var tables: [String: Double] = [:]

  package func limit(of table: String) -> Double { tables[table] ?? run }

  /// A table that has lost more than its limit, and the message about it.
  package struct Excess: Equatable {
    package let table: String
    package let after: Int
    package let sentence: String
    /// The narrowest limit that would allow the loss, as it is given to the command.
    let leastLimit: String
  }

  /// The tables that have lost more than their limit.
  ///
  /// A table that is gone or empty has lost all, and one that was empty has nothing to lose.
  func excesses(in changes: CatalogChanges) -> [Excess] {
    changes.tables.compactMap { table in
      let (before, after) = (table.rowsBefore ?? 0, table.rowsAfter ?? 0)
      let lost = Double(before - after)
      guard before > after, lost * 100 > limit(of: table.name) * Double(before) else { return nil }
      let option = tables[table.name].map { "\(table.name)=\(percentText($0))" } ?? percentText(run)
      let fate =
        table.rowsAfter == nil
        ? "is gone and had \(before.of("row"))"
        : "has \(after.of("row")) and had \(before.grouped)"
      return Excess(
        table: table.name, after: after,
        sentence: "\(table.name) \(fate), which is \(shareLost(before, after)) fewer, more than "
          + "--max-shrink \(option) allows",
        leastLimit: percentText((lost * 1000 / Double(before)).rounded(.up) / 10))
    }
  }
}

package func shareLost(_ before: Int, _ after: Int) -> String {
  percentText((Double(before - after) * 1000 / Double(before)).rounded() / 10)
}

package func percentText(_ percent: Double) -> String {
  percent == percent.rounded() ? "\(Int(percent))%" : "\(percent)%"
}
