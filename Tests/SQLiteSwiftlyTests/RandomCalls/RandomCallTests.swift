import SQLiteSwiftly
import Testing

struct RandomCallTests {
  static let seeds = LongTests.seeds(few: 8, many: 100)
  static let calls = LongTests.areOn ? 3000 : 1000

  @Test("SW-15 SW-60 calls in any order match a model", arguments: seeds)
  func randomCalls(seed: UInt64) throws {
    try withFolder { folder in
      do {
        try RandomSession(seed: seed, calls: Self.calls, path: folder + "/a.sqlite").run()
      } catch let divergence as Divergence {
        Issue.record("TEST_SEED=\(seed): \(divergence)")
      }
    }
  }
}
