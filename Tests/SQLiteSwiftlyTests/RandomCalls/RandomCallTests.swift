import Foundation
import SQLiteSwiftly
import TestSupport
import Testing

struct RandomCallTests {
  /// A failure names the seed that shows it, which `SQLITE_TEST_SEED` repeats.
  static let seeds: [UInt64] = {
    let seed = ProcessInfo.processInfo.environment["SQLITE_TEST_SEED"].flatMap { UInt64($0) }
    return seed.map { [$0] } ?? Array(1...(LongTests.areOn ? 100 : 8))
  }()
  static let calls = LongTests.areOn ? 3000 : 1000

  @Test("SW-15 SW-60 calls in any order do what a model of them does", arguments: seeds)
  func randomCalls(seed: UInt64) throws {
    try withFolder { folder in
      do {
        try RandomSession(seed: seed, calls: Self.calls, path: folder + "/a.sqlite").run()
      } catch let divergence as Divergence {
        Issue.record("SQLITE_TEST_SEED=\(seed): \(divergence)")
      }
    }
  }
}
