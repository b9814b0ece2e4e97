import AllocationCounter

/// What is allocated on the way from gzip to tables.
///
/// Two sizes are loaded, and the difference is what the rows cost: the start of a run does not count.
struct Allocations {
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  func measurements() throws -> [Measurement] {
    guard allocations_are_counted() else { return [] }
    let sizes = [Growth.rows(0.25, of: workbench.rows), workbench.rows]
    let sides = sizes.map { rows in Side(name: "\(rows)") { try fillTables(rows) } }
    let samples = try inTurn(sides, rounds: workbench.rounds, warmUp: false)
    let records = try sizes.map { try workbench.dumps.contents(rows: $0).allRecords }
    let millions = Double(records[1] - records[0]) / 1e6
    func series(_ name: String, _ count: (TableFilling) -> Int) -> Series {
      Series(
        name: name, unit: .allocationsPerMillionRows,
        figures: zip(samples[1], samples[0]).map { Double(count($0) - count($1)) / millions })
    }
    return [
      series("gzip to tables, the pipeline", \.allocations)
        .measurement(of: .growth, bar: .atMost(1000)),
      series("gzip to tables, SQLite inside", \.allocationsOfSQLite).measurement(of: .growth),
    ]
  }

  private func fillTables(_ rows: Int) throws -> TableFilling {
    let source = try workbench.dumps.folder(rows: rows, .compressed)
    let path = workbench.freshPath("counted.sqlite")
    defer { removeFile(path) }
    let filling = try TableFilling(by: workbench.executable, source, path)
    try checkRows(of: path, are: workbench.dumps.contents(rows: rows), in: "gzip to tables")
    return filling
  }
}
