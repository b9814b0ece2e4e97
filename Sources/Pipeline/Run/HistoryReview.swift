package import SQLiteSwiftly
package import Schema
import Text
package import Vocabulary

/// A run compared with the last accepted night: warnings, and the history that its database carries on.
package struct HistoryReview {
  package private(set) var warnings: [Warning] = []
  /// With this run, which still lacks its verdict.
  package private(set) var history: History
  /// The differences from the previous database, completed with those from the last accepted night.
  package private(set) var changes: DatabaseChanges?

  private let catalog: String
  private let tables: [TableCounts]
  private let schema: SchemaDescription
  /// The history without an earlier run on the same source files, which this run repeats.
  private let base: History
  private let repeated: History.Run?
  /// For each table, this run and the differences from the last accepted night; nil without a source file, unless it is
  /// optional and there was one.
  private var reviewers: [(table: TableReviewer, accepted: ChangeFinder?)?] = []

  /// Compares the tables of a run, and `samples` of their rows, with earlier ones; `changes` are those since the previous
  /// database.
  package init(
    _ tables: [TableCounts], _ samples: [RowSample], of schema: SchemaDescription,
    _ changes: DatabaseChanges?, after previous: History, catalog: String
  ) {
    self.catalog = catalog
    self.tables = tables
    self.schema = schema
    self.changes = changes
    let sources = Self.checksum(of: tables)
    var base = previous
    if base.runs.isEmpty, let changes { base.runs = [.unrecorded(changes)] }
    repeated = base.runs.last.flatMap { last in
      last.sources == sources && tables.allSatisfy { last.table($0.table)?.rows == $0.inserted }
        ? last : nil
    }
    self.base = base
    history = base
    history.followsAccepted = base.lasting.isEmpty
    if repeated != nil { history.runs.removeLast() }
    let number = repeated?.number ?? (base.runs.last?.number ?? 0) + 1
    let time = tables.dataTime
    reviewers = tables.enumerated().map { index, counts in
      let isGone = counts.isUnused && base.baseline(.accepted, of: counts.table)?.rows ?? 0 > 0
      guard counts.file != nil || isGone, index < samples.count else { return nil }
      let nulls = isGone ? schema.tables[index].columns.map { _ in 0 } : counts.nulls
      let reviewer = TableReviewer(
        history: base, table: schema.tables[index], counters: schema.counters(ofTable: index),
        counts: counts, catalog: catalog,
        baseline: Baseline(
          table: counts.table, run: number, dataTime: time?.seconds, rows: counts.inserted,
          nulls: nulls, sample: samples[index]),
        change: self.changes?.tables.first { haveSameBytes($0.name, counts.table) })
      return (reviewer, reviewer.finder(.accepted))
    }
    history.runs.append(
      History.Run(
        number: number, dataTime: time?.text, sources: sources, state: "",
        tables: tables.map(entry)))
    history.shorten()
    addBaselines()
  }

  private static func checksum(of tables: [TableCounts]) -> UInt32 {
    let words = tables.flatMap { table in
      table.sources.filter { !$0.isRepairs }.map { "\(table.table) \($0.crc32)" }
    }
    return History.checksum(of: words.joined(separator: "\n"))
  }

  private func entry(_ counts: TableCounts) -> History.Table {
    if let entry = repeated?.table(counts.table) { return entry }
    let change = changes?.tables.first { haveSameBytes($0.name, counts.table) }
    return History.Table(
      name: counts.table, rows: counts.inserted, rejected: counts.rejected, keys: change?.keys,
      isUnusual: counts.file == nil)
  }

  /// Adds the rows and the changed keys since the last accepted night, by which limits are judged, too, unless that is
  /// the previous one.
  private mutating func addBaselines() {
    for index in tables.indices {
      guard let old = history.baseline(.accepted, of: tables[index].table),
        old.run != base.runs.last?.number,
        let place = changes?.tables.firstIndex(where: { haveSameBytes($0.name, old.table) })
      else { continue }
      let percent = reviewers[index]?.accepted?.changes.map {
        Double($0.lost) * 100 / Double(max($0.before, 1))
      }
      changes?.tables[place].sinceAccepted = (rows: old.rows, lostPercent: percent ?? 100)
    }
  }

  /// Warns of what is unusual, except of lost rows of the tables in `reported`.
  package mutating func review(lossesReportedOf reported: [String]) {
    history.reviews = []
    for (index, counts) in tables.enumerated() {
      let reviewer = reviewers[index]
      var review =
        reviewer?.table.review(
          reviewer?.accepted, isLossReported: reported.hasName(counts.table))
        ?? TableReview(baseline: nil)
      // A run over the same files adds no night.
      if repeated?.table(counts.table)?.isUnusual == false { review.shares = nil }
      warnings += review.warnings
      history.reviews.append(review)
    }
    let known = schema.tables.map(\.name)
    for role in Baseline.Role.allCases {
      history.baselines[role]?.removeAll { !known.hasName($0.table) }
    }
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
