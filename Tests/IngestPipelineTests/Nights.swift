@testable import Run
import SQLiteSwiftly
import Schema
import Text
@testable import Vocabulary

/// Nights of one table `t` with the key `id`, a text `name`, a text `kind` and a counter `uses`.
struct Nights {
  typealias Row = (id: Int, name: String?, kind: String, uses: Int)

  static let table = TableDescription(
    "t",
    columns: [
      ColumnDescription("id", .integer), ColumnDescription("name", .text, isNullable: true),
      ColumnDescription("kind", .text), ColumnDescription("uses", .integer),
    ], primaryKey: ["id"])

  private(set) var history = History()
  private(set) var changes: DatabaseChanges?
  /// The rows of the published database.
  private var published: [Row] = []
  /// The nights so far; the data of each is a day newer than that before.
  private var count = 0
  private let schema: SchemaDescription

  init() {
    var schema = SchemaDescription(tables: [Self.table], applicationID: 1, version: 1)
    schema.setCounters(["uses"], ofTable: "t")
    self.schema = schema
  }

  static func rows(_ count: Int) -> [Row] {
    (0..<count).map { (id: $0, name: "name \($0)", kind: "kind \($0 % 7)", uses: 1000 + $0) }
  }

  /// A history of clean nights over rows, in each of which a few change unless `changing` is false.
  init(clean nights: Int, over rows: [Row], changing: Bool = true) {
    self.init()
    for night in 0..<nights {
      var rows = rows
      // Not the same files again.
      if !changing { rows[0].uses += night }
      for index in rows.indices where changing && index % 4000 == night {
        rows[index].name? += " (old)"
      }
      _ = load(rows)
    }
  }

  /// Loads a night; returns the warnings that no line suppresses.
  mutating func load(
    _ rows: [Row], accepting lines: [String] = [], days: Int = 1, isKept: Bool = true
  ) -> [Warning] {
    count += days
    var counts = TableCounts(table: "t")
    var source = SourceCounts(name: "t.csv")
    source.records = rows.count
    source.crc32 = History.checksum(of: "\(rows)")
    var gzip = SourceCounts.Gzip()
    gzip.timeStamp = UInt32(1_600_000_000 + count * 86_400)
    source.gzip = gzip
    counts.sources = [source]
    counts.inserted = rows.count
    counts.nulls = [0, rows.count { $0.name == nil }, 0, 0]
    var review = HistoryReview(
      [counts], [Self.sample(rows)], of: schema, differences(rows), after: history,
      catalog: "t.sqlite")
    review.review(lossesReportedOf: [])
    changes = review.changes
    let (suppressed, open) = (
      review.warnings.filter { lines.contains($0.suppression ?? "") },
      review.warnings.filter { !lines.contains($0.suppression ?? "") }
    )
    if isKept {
      history = review.history
      history.complete(open.isEmpty ? "clean" : "warnings", suppressed: suppressed) {
        lines.contains($0.suppression ?? "")
      }
      published = rows
    }
    return open
  }

  /// The lines of the warnings.
  mutating func lines(
    _ rows: [Row], accepting lines: [String] = [], days: Int = 1
  ) -> [String] {
    load(rows, accepting: lines, days: days).map(\.line)
  }

  private func differences(_ rows: [Row]) -> DatabaseChanges? {
    guard !published.isEmpty else { return nil }
    let before = Dictionary(uniqueKeysWithValues: published.map { ($0.id, $0) })
    let common = rows.compactMap { row in before[row.id].map { (before: $0, after: row) } }
    var table = DatabaseChanges.Table(name: "t")
    (table.rowsBefore, table.rowsAfter) = (published.count, rows.count)
    table.keys = .init(
      added: rows.count - common.count, removed: published.count - common.count,
      changed: common.count { $0.before != $0.after })
    table.columns = [("name", common.count { $0.before.name != $0.after.name })]
    var changes = DatabaseChanges()
    changes.tables = [table]
    return changes
  }

  static func sample(_ rows: [Row]) -> RowSample {
    var sampler = RowSampler(table)
    for start in stride(from: 0, to: rows.count, by: 1000) {
      var (values, classes, text) = ([Int64](), [UInt8](), [UInt8]())
      func add(_ string: String?) {
        let start = UInt32(text.count)
        text += (string ?? "").utf8
        values.append(RowBatch.value(ofTextAt: start, UInt32(text.count)))
        classes.append(string == nil ? RowBatch.StorageClass.null : RowBatch.StorageClass.text)
      }
      func add(_ number: Int) {
        values.append(Int64(number))
        classes.append(RowBatch.StorageClass.integer)
      }
      for row in rows[start..<min(start + 1000, rows.count)] {
        add(row.id)
        add(row.name)
        add(row.kind)
        add(row.uses)
      }
      sampler.add(RowBatch(columns: 4, values: values, classes: classes, text: text))
    }
    return sampler.sample()
  }
}

extension Warning {
  var line: String { suppression ?? "" }
}
