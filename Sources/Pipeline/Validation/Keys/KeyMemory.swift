package import Vocabulary

/// The memory limit for all keys of a run, counted whenever a table grows, which is rare.
///
/// A source file of a few megabytes can have keys that take gigabytes. At the limit, sets stop growing; the code that adds
/// keys checks `isExceeded` every few hundred records, and before it reports a duplicate, and ends the run.
package final class KeyMemory {
  package let limit: Int
  private(set) var used = 0
  /// Whether a set could not grow; its answers are then wrong.
  package private(set) var isExceeded = false

  /// A table of at most this size may always grow; a larger one has room for some hundred keys.
  private static let alwaysAllowed = 64 << 10

  package init(limit: Int) { self.limit = limit }

  /// Counts the growth of a table, and returns whether it is allowed; the old and new table exist at the same time.
  func grow(from old: Int, to new: Int) -> Bool {
    if used + new > limit { isExceeded = true }
    guard !isExceeded || new <= Self.alwaysAllowed else { return false }
    used += new - old
    return true
  }

  package func restart(with bytes: Int) { used = bytes }
}

extension KeyMemory {
  package func check(at line: Int, in file: String) throws(IngestError) {
    guard isExceeded else { return }
    throw .keyMemoryExceeded(
      file, line: line, limit: Self.text(limit), raised: Self.text(2 * limit))
  }

  private static func text(_ bytes: Int) -> String {
    switch bytes.trailingZeroBitCount {
    case 30...: "\(bytes >> 30)G"
    case 20...: "\(bytes >> 20)M"
    case 10...: "\(bytes >> 10)K"
    default: "\(bytes)"
    }
  }
}
