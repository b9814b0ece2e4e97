package import SQLiteSwiftly
package import Schema
import Text
package import Vocabulary

/// A run compared with the runs before it: warnings, and the history that its database carries on.
package struct HistoryReview {
  package private(set) var warnings: [Warning] = []
  /// With this run, which still lacks its verdict.
  package private(set) var history: History

  private let catalog: String
  /// The history without an earlier run on the same source files, which this run repeats.
  private let base: History
  private let repeated: History.Run?

  /// The smallest share of rows without a warning, in percent of the most rows of the last runs.
  private static let fewestRows = 90
  /// The smallest rise in the share of NULLs with a warning, in percentage points.
  private static let reportedRise = 10.0

  /// Compares the tables of a run, and `changes`, which are those since the previous database.
  ///
  /// No loss is reported for the tables in `reported`.
  package init(
    _ tables: [TableCounts], of schema: SchemaDescription, _ changes: DatabaseChanges?,
    after previous: History, catalog: String, lossesReportedOf reported: [String]
  ) {
    self.catalog = catalog
    let sources = Self.checksum(of: tables)
    var base = previous
    if base.runs.isEmpty, let changes { base.runs = [.unrecorded(changes)] }
    repeated = base.runs.last.flatMap { last in
      last.sources == sources && tables.allSatisfy { last.table($0.table)?.rows == $0.inserted }
        ? last : nil
    }
    if repeated != nil { base.runs.removeLast() }
    self.base = base
    history = base
    history.causes = []
    var entries: [History.Table] = []
    for (table, counts) in zip(schema.tables, tables) {
      let change = changes?.tables.first { haveSameBytes($0.name, counts.table) }
      entries.append(review(counts, change, isReported: reported.hasName(counts.table)))
      reviewNulls(of: table, counts, change)
    }
    let known = schema.tables.map(\.name)
    for change in changes?.tables ?? [] where !known.hasName(change.name) {
      reportLoss(of: change.name, rows: change.rowsAfter ?? 0, reported.hasName(change.name))
    }
    history.columns = history.columns.filter { known.hasName($0.table) }
    history.runs.append(
      History.Run(
        number: repeated?.number ?? (base.runs.last?.number ?? 0) + 1,
        dataTime: tables.dataTime?.text, sources: sources, state: "", tables: entries))
    history.shorten()
  }

  private static func checksum(of tables: [TableCounts]) -> UInt32 {
    let words = tables.flatMap { table in
      table.sources.filter { !$0.isRepairs }.map { "\(table.table) \($0.crc32)" }
    }
    return History.checksum(of: words.joined(separator: "\n"))
  }

  private mutating func review(
    _ counts: TableCounts, _ change: DatabaseChanges.Table?, isReported: Bool
  ) -> History.Table {
    let isAbsent = counts.file == nil
    let isShrunk =
      if isAbsent {
        counts.isOptional && reportLoss(of: counts.table, rows: 0, isReported)
      } else if counts.read == 0 {
        reportEmpty(counts)
      } else {
        reportLoss(of: counts.table, rows: counts.inserted, isReported)
      }
    let causes = isAbsent ? [] : change?.causes ?? []
    history.causes += causes
    warnings += causes.map { $0.warning(of: catalog) }
    warnings += (change?.types ?? []).map { type in
      Warning(
        file: catalog, code: .typeChanged, table: counts.table, column: type.column,
        "\(type.column) of \(counts.table) was \(type.before) and is now \(type.after)",
        facts: "\(type.before) to \(type.after)")
    }
    if let entry = repeated?.table(counts.table) { return entry }
    return History.Table(
      name: counts.table, rows: counts.inserted, rejected: counts.rejected, keys: change?.keys,
      isUnusual: isAbsent || isShrunk || causes.contains { $0.code == .changesUnusual }
        || change.map(base.isUnusual) == true)
  }

  /// Warns of a table without records; returns whether it had rows.
  private mutating func reportEmpty(_ counts: TableCounts) -> Bool {
    let before = base.mostRows(counts.table).flatMap { $0.rows > 0 ? $0 : nil }
    let loss = before.map { "; it had \($0.rows.of("row")) in \($0.run.reference)" } ?? ""
    warnings.append(
      Warning(
        file: counts.file ?? counts.table, code: .tableEmpty, table: counts.table,
        "no records in the source file of \(counts.table)" + loss,
        facts: before.map { "it had \($0.rows.of("row"))" } ?? ""))
    return before != nil
  }

  /// Warns of a table with many fewer rows than in the last runs; returns whether it has.
  @discardableResult
  private mutating func reportLoss(of table: String, rows: Int, _ isReported: Bool) -> Bool {
    guard let (run, most) = base.mostRows(table), rows * 100 < most * Self.fewestRows else {
      return false
    }
    guard !isReported else { return true }
    let band = (rows * 10 / most + 1) * 10
    warnings.append(
      Warning(
        file: catalog, code: .tableShrunk, table: table,
        "\(table) shrank from \(most.grouped) to \(rows.of("row")) since \(run.reference), "
          + "\(shareLost(most, rows)) fewer", facts: "below \(band)% of \(most.grouped)"))
    return true
  }

  /// Warns of columns with a much larger share of NULLs than in the last run without this warning.
  private mutating func reviewNulls(
    of table: TableDescription, _ counts: TableCounts, _ change: DatabaseChanges.Table?
  ) {
    guard counts.inserted > 0 else { return }
    for (column, nulls) in zip(table.columns, counts.nulls) where column.isNullable {
      let index = history.columns.firstIndex {
        haveSameBytes([$0.table, $0.name], [table.name, column.name])
      }
      let since = change?.nulls.first { haveSameBytes($0.column, column.name) }
      let known = index.map { (history.columns[$0].nulls, history.columns[$0].rows) }
      let before = known ?? since.map { ($0.before, change?.rowsBefore ?? 0) }
      if let before, before.1 > 0,
        let warning = nullWarning(table.name, column.name, before, (nulls, counts.inserted))
      {
        warnings.append(warning)
        if index == nil {
          history.columns.append(
            .init(table: table.name, name: column.name, rows: before.1, nulls: before.0))
        }
        continue
      }
      if let index { history.columns.remove(at: index) }
      history.columns.append(
        .init(table: table.name, name: column.name, rows: counts.inserted, nulls: nulls))
    }
  }

  private func nullWarning(
    _ table: String, _ column: String, _ before: (nulls: Int, rows: Int),
    _ after: (nulls: Int, rows: Int)
  ) -> Warning? {
    let shares = [before, after].map { Double($0.nulls) * 100 / Double($0.rows) }
    guard shares[1] - shares[0] >= Self.reportedRise else { return nil }
    let texts = shares.map(roundedPercentText)
    return Warning(
      file: catalog, code: .nullsRisen, table: table, column: column,
      "\(column) is NULL in \(texts[1]) of the rows of \(table) "
        + "(\(after.nulls.grouped) of \(after.rows.grouped)), up from \(texts[0]) "
        + "(\(before.nulls.grouped) of \(before.rows.grouped))",
      facts: "\(texts[0]) to at least \(percentText((shares[1] / 10).rounded(.down) * 10))")
  }
}

extension TableDescription {
  /// With fewer rows, a column may be empty by chance.
  private static let fewestRows = 100

  /// A warning for each column of the source file that is NULL in every row, except those reported before.
  package func emptyColumnWarnings(
    _ counts: TableCounts, except reported: [Warning]
  ) -> [Warning] {
    guard let file = counts.file, counts.inserted >= Self.fewestRows else { return [] }
    return zip(columns, counts.nulls).compactMap { column, nulls in
      let isReported = reported.contains {
        $0.table == name && $0.column == column.name
          && [.columnAbsent, .nullsRisen].contains($0.code)
      }
      // A description may permit that a column is absent, without a warning.
      let header = counts.sources.first?.header ?? []
      let isPresent = header.isEmpty || header.hasName(column.name)
      guard nulls == counts.inserted, isPresent, !isReported else { return nil }
      return Warning(
        file: file, code: .columnEmpty, table: name, column: column.name,
        "column \(column.name) is empty in the source file: it is NULL in all "
          + "\(counts.inserted.of("row")) of \(name)",
        facts: "")
    }
  }
}
