import Vocabulary
import TestSupport
import Testing

/// The runs that a history keeps.
struct HistoryLimitTests {
  private func history(_ runs: Int, tables: Int) -> History {
    var history = History()
    history.runs = (1...runs).map { run in
      History.Run(
        number: run, dataTime: nil, sources: UInt32(run), state: "clean",
        tables: (0..<tables).map { table in
          History.Table(
            name: "t\(table)", rows: 10_000, rejected: 0, keys: DatabaseChanges.Keys(),
            isUnusual: false)
        })
    }
    return history
  }

  @Test(arguments: [(500, 4, 400), (500, 12, 333), (500, 400, 10), (3, 12, 3)])
  func `old runs are removed`(runs: Int, tables: Int, kept: Int) {
    var history = history(runs, tables: tables)
    history.shorten()
    #expect(history.runs.count == kept && history.runs.last?.number == runs)
  }
}
