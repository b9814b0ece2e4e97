import CMistakes
import Foundation
import Testing

/// Mistakes that a sanitizer has to find, for a run without any to mean something: see Tests/System/Sanitizers/sanitizers.
///
/// The one that is named in the environment is made, and the run must fail.
@Suite struct MistakeTests {
  private static func isMade(_ name: String) -> Bool {
    ProcessInfo.processInfo.environment["MAKE_MISTAKE"] == name
  }
  /// Not a constant, which the compiler would calculate with.
  private static let one = Int32(ProcessInfo.processInfo.arguments.count.signum())

  @Test(.enabled(if: isMade("address"))) func `a byte after a buffer is written`() {
    let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 8)
    unsafe bytes.initialize(repeating: 0, count: 8)
    unsafe bytes[8 * Int(Self.one)] = 1
    unsafe bytes.deallocate()
  }

  @Test(.enabled(if: isMade("leak"))) func `memory is lost`() {
    for _ in 0..<10 {
      let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 1000)
      unsafe bytes.initialize(repeating: 0, count: 1000)
    }
  }

  @Test(.enabled(if: isMade("undefined-in-header"))) func `a header's code overflows`() {
    #expect(add_in_header(Self.one) != 0)
  }

  @Test(.enabled(if: isMade("undefined-in-source"))) func `a C module's code overflows`() {
    #expect(add_in_source(Self.one) != 0)
  }

  nonisolated(unsafe) private static var count = 0

  @Test(.enabled(if: isMade("thread"))) func `two threads write a number`() {
    // Of one pair the first may have ended before the second begins, and then the sanitizer sees no race.
    for _ in 0..<50 {
      let threads = (0..<2).map { _ in Thread { for _ in 0..<100_000 { unsafe Self.count += 1 } } }
      threads.forEach { $0.start() }
      while threads.contains(where: { !$0.isFinished }) { usleep(1000) }
    }
    #expect(unsafe Self.count > 0)
  }
}
