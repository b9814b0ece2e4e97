import Foundation

/// Whether tests that take long are run, or run in full: if `LONG_TESTS` is set, as `.ci/nightly` does.
package enum LongTests {
  package static let areOn = ProcessInfo.processInfo.environment["LONG_TESTS"] != nil

  /// The seeds of a test of random inputs: the one that `TEST_SEED` gives, as a failure has printed it, or
  /// else so many.
  package static func seeds(few: UInt64, many: UInt64) -> [UInt64] {
    if let seed = ProcessInfo.processInfo.environment["TEST_SEED"].flatMap(UInt64.init) {
      return [seed]
    }
    return Array(0..<(areOn ? many : few))
  }
}
