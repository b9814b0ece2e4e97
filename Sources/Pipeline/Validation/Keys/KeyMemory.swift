package import Facts

/// The memory that the keys of a run may take, counted when a table grows, which is seldom.
///
/// A dump of a few megabytes can name keys that take gigabytes. So there is a limit, and after it a
/// set does not grow any more; whoever adds keys looks at `isExceeded`, after every few hundred records
/// and before one is called a duplicate, and ends the run.
package final class KeyMemory {
  package let limit: Int
  private(set) var used = 0
  /// The most bytes at any time, including those that are copied from.
  private(set) var highest = 0
  /// Whether a set has been refused what it needed: what it says is then wrong.
  package private(set) var isExceeded = false

  /// A table of so few bytes may grow anyway; one that is larger has room for some hundred keys.
  private static let always = 64 << 10

  package init(limit: Int) { self.limit = limit }

  /// Whether a table may become larger: old and new exist at the same time.
  func grow(from old: Int, to new: Int) -> Bool {
    highest = max(highest, used + new)
    if used + new > limit { isExceeded = true }
    guard !isExceeded || new <= Self.always else { return false }
    used += new - old
    return true
  }

  package func restart(with bytes: Int) { used = bytes }
}

extension KeyMemory {
  package func check(at line: Int, in file: String) throws(IngestError) {
    guard isExceeded else { return }
    throw IngestError(
      .data, runCode: .keyMemoryExceeded,
      "\(file): line \(line): the keys up to this record take more than \(Self.text(limit)) of memory. "
        + "Nothing was published. Check whether the file is a dump at all; if it is, allow more: "
        + "--max-key-memory \(Self.text(2 * limit))")
  }

  private static func text(_ bytes: Int) -> String {
    for (shift, unit) in [(30, "G"), (20, "M"), (10, "K")]
    where bytes.isMultiple(of: 1 << shift) && bytes > 0 {
      return "\(bytes >> shift)\(unit)"
    }
    return "\(bytes)"
  }
}
