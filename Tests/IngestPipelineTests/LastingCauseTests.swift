import SQLiteSwiftly
import Testing
import Vocabulary

/// Warnings about changes that last until the rows are as they were.
@Suite struct LastingCauseTests {
  private static let samples = (0..<40).map { History.Sample(key: "[\($0)]", sum: "\($0)") }

  /// A history of 12 runs with few changes, and then one in which a share of the 1,000 keys changed, in percent.
  private static func history(share: Double) -> History {
    var history = History()
    history.runs = (1...13).map { number in
      let changed = number == 13 ? Int(share * 10) : 1
      let table = History.Table(
        name: "t", rows: 1000, rejected: 0, keys: .init(added: 0, removed: 0, changed: changed),
        isUnusual: number == 13)
      return History.Run(
        number: number, dataTime: nil, sources: UInt32(number), state: "clean", tables: [table])
    }
    history.causes = [
      History.Cause(
        code: .changesUnusual, table: "t", column: nil, message: "", facts: "",
        share: Int(share * 100), samples: samples)
    ]
    return history
  }

  /// The next run, in which some keys change and some of the samples are as before the cause.
  private static func next(
    after share: Double, changed: Int, equal: Int
  ) -> (isRestored: Bool, messages: [String]) {
    var change = DatabaseChanges.Table(name: "t")
    (change.rowsBefore, change.rowsAfter) = (1000, 1000)
    change.keys = .init(added: 0, removed: 0, changed: changed)
    change.addCauses(after: history(share: share), among: ["a"], []) { _, samples in
      samples.enumerated().map { $0 < equal ? $1.sum : "other" }
    } find: { change, _, _ in
      .unusualChanges(change, since: history(share: share), in: [("a", 2)], example: nil, samples)
    }
    return (change.isRestored, change.causes.map(\.message))
  }

  @Test(arguments: [0.6, 1.9, 4.9, 17, 100])
  func `a change of any size lasts while its rows are not as before`(share: Double) {
    let next = Self.next(after: share, changed: 0, equal: 0)
    #expect(!next.isRestored && next.messages == [""])
  }

  @Test(arguments: [0.6, 1.9, 4.9, 17, 100])
  func `it ends when its rows are as before`(share: Double) {
    let next = Self.next(after: share, changed: Int(share * 10), equal: 40)
    #expect(next.isRestored && next.messages == [])
  }

  @Test func `another change of the run that restores the rows is reported`() {
    let next = Self.next(after: 1.9, changed: 1000, equal: 40)
    #expect(!next.isRestored)
    #expect(next.messages.count == 1 && next.messages[0].hasPrefix("1,000 changed and 0 removed"))
  }
}
