import Foundation

/// Whether tests that take long are run, or run in full: if `LONG_TESTS` is set, as `.ci/nightly` does.
package enum LongTests {
  package static let areOn = ProcessInfo.processInfo.environment["LONG_TESTS"] != nil
}
