import Vocabulary
import TestSupport
import Testing

/// The runs that a history keeps, and what they say is usual.
struct HistoryLimitTests {
  private func history(_ runs: Int, tables: Int = 1, share: (Int) -> Int) -> History {
    var history = History()
    history.runs = (1...runs).map { run in
      History.Run(
        number: run, dataTime: nil, sources: UInt32(run), state: "clean",
        tables: (0..<tables).map { table in
          History.Table(
            name: "t\(table)", rows: 10_000, rejected: 0,
            keys: DatabaseChanges.Keys(added: 0, removed: 0, changed: share(run)), isUnusual: false)
        })
    }
    return history
  }

  private func isUnusual(_ changed: Int, after history: History) -> Bool {
    var change = DatabaseChanges.Table(name: "t0")
    (change.rowsBefore, change.rowsAfter) = (10_000, 10_000)
    change.keys = DatabaseChanges.Keys(added: 500, removed: 0, changed: changed)
    return history.isUnusual(change)
  }

  @Test(arguments: [
    // Until ten runs are known, 5%.
    (9, 10, 500, false), (9, 10, 501, true), (1, 0, 500, false),
    // Then five times the largest share, but at least 0.5%.
    (10, 20, 100, false), (10, 20, 101, true), (10, 0, 50, false), (10, 0, 51, true),
    (400, 300, 1500, false), (400, 300, 1501, true),
  ])
  func `the share of changed keys is compared with earlier runs`(
    runs: Int, each: Int, changed: Int, expected: Bool
  ) {
    #expect(isUnusual(changed, after: history(runs) { _ in each }) == expected)
  }

  @Test func `only the last 30 runs count, and unusual ones do not`() {
    var history = history(60) { $0 == 30 ? 2000 : 10 }
    #expect(isUnusual(51, after: history))
    history.runs[59].tables[0] = History.Table(
      name: "t0", rows: 10_000, rejected: 0,
      keys: DatabaseChanges.Keys(added: 0, removed: 0, changed: 9000), isUnusual: true)
    // The last 30 usual runs are then 30 to 59.
    #expect(!isUnusual(10_000, after: history))
  }

  @Test(arguments: [(500, 4, 400), (500, 12, 333), (500, 400, 10), (3, 12, 3)])
  func `old runs are removed`(runs: Int, tables: Int, kept: Int) {
    var history = history(runs, tables: tables) { _ in 0 }
    history.shorten()
    #expect(history.runs.count == kept && history.runs.last?.number == runs)
  }
}
