import RebrickableCatalog
import SQLiteSwiftly

/// The insert hot path: each way of inserting many rows, with each page size.
struct HotPath {
  /// A way of inserting many rows.
  enum Candidate: Equatable {
    /// Bind, step, reset for each row, in C: what the others are compared with.
    case loop
    /// `InsertStatement`, with rows that are values of Swift's.
    case insertStatement
    /// One `VALUES` with the parameters of so many rows, in C.
    case values(rows: Int)
    /// An `INSERT … SELECT` from a virtual table in C, with this number of rows per run.
    case tableInC(rows: Int)
    /// `BatchInsertStatement`, with batches of so many rows.
    case virtualTable(rows: Int)

    static let all: [Candidate] = [
      .loop, .insertStatement, .values(rows: 10), .values(rows: 100),
      .tableInC(rows: 1000), .virtualTable(rows: 100), .virtualTable(rows: 1000),
      .virtualTable(rows: 10_000),
    ]

    /// Its name in the report.
    var name: String {
      switch self {
      case .loop: "loop in C"
      case .insertStatement: "InsertStatement"
      case .values(let rows): "\(rows) rows per VALUES, in C"
      case .tableInC(let rows): "virtual table, \(rows.grouped) rows, in C"
      case .virtualTable(let rows): "virtual table, \(rows.grouped) rows"
      }
    }

    /// The rows that one run of the statement takes.
    var rowsPerRun: Int {
      switch self {
      case .loop, .insertStatement: 1
      case .values(let rows), .tableInC(let rows), .virtualTable(let rows): rows
      }
    }
  }

  /// The kibibytes of a page.
  static let pages = [4, 8, 16, 32]
  /// The page size of the picture, which is the pipeline's.
  static let plottedPage = 16

  private let workbench: Workbench
  private let rows: PartRows
  private let values: [[SQLiteValue]]
  private let expected: Sums
  private let batches: [Int: Batches]

  init(_ workbench: Workbench) throws {
    self.workbench = workbench
    rows = try workbench.someParts.get()
    values = rows.values()
    expected = try workbench.contents.keptPartSums
    let sizes = Candidate.all.compactMap { candidate in
      if case .virtualTable(let rows) = candidate { rows } else { nil }
    }
    batches = Dictionary(uniqueKeysWithValues: sizes.map { [rows] in ($0, rows.batches(of: $0)) })
  }

  /// The name of a measurement.
  static func name(_ candidate: Candidate, page: Int, form: Form = .catalog) -> String {
    "\(candidate.name), \(page) KiB pages\(form == .catalog ? "" : ", rowids")"
  }

  /// A form of the table.
  enum Form {
    /// As the catalog has it, without secondary indexes.
    case catalog
    /// With rowids and without any key, which would be an index of its own.
    case rowid

    var table: TableDescription {
      let parts = RebrickableCatalog.inventoryParts
      return switch self {
      case .catalog:
        TableDescription(parts.name, columns: parts.columns, primaryKey: parts.primaryKey)
      case .rowid: TableDescription(parts.name, columns: parts.columns, primaryKey: [])
      }
    }
  }

  func measurements() throws -> [Measurement] {
    let catalog = try Self.pages.flatMap { page in
      try compare(Candidate.all, page: page, form: .catalog)
    }
    let rowids = try compare(
      [.loop, .tableInC(rows: 1000), .virtualTable(rows: 1000)], page: Self.plottedPage,
      form: .rowid)
    return catalog + rowids
  }

  private func compare(
    _ candidates: [Candidate], page: Int, form: Form
  ) throws -> [Measurement] {
    let loading = try Loading(workbench, table: form.table, pageBytes: page << 10)
    let sides = candidates.map { candidate in
      Side(name: Self.name(candidate, page: page, form: form)) {
        try seconds(candidate, loading)
      }
    }
    let samples = try inTurn(sides, rounds: workbench.rounds)
    let series = zip(sides, samples).map { side, seconds in
      Series(
        name: side.name, unit: .millionRowsPerSecond,
        figures: seconds.map { Double(rows.parts.count) / $0 / 1e6 })
    }
    return [series[0].measurement(of: .hotPath)]
      + series.dropFirst().map { $0.measurement(of: .hotPath, against: series[0]) }
  }

  /// Inserts all rows into a new table, and returns the processor time that it took.
  private func seconds(_ candidate: Candidate, _ loading: Loading) throws -> Double {
    let work = "\(Subject.hotPath.rawValue), \(candidate.name)"
    switch candidate {
    case .loop: return try loading.insert(rows, rowsPerStatement: 1, expecting: expected, in: work)
    case .values(let count):
      return try loading.insert(rows, rowsPerStatement: count, expecting: expected, in: work)
    case .tableInC(let count):
      return try loading.insertFromTable(
        rows, rowsPerStatement: count, expecting: expected, in: work)
    case .insertStatement:
      return try loading.insert(expecting: expected, in: work) { connection throws(SQLiteError) in
        var statement = try connection.prepareInsertIntoTable(describedBy: loading.table)
        for row in values { try statement.insert(row) }
      }
    case .virtualTable(let count):
      return try loading.insert(expecting: expected, in: work) { connection throws(SQLiteError) in
        var statement = try BatchInsertStatement(into: loading.table, on: connection)
        try batches[count]?.forEach { batch throws(SQLiteError) in try statement.insert(batch) }
      }
    }
  }
}
