package import Facts

/// The memory that the keys of a run may take, counted when a table grows, which is seldom.
///
/// A dump of a few megabytes can name keys that take gigabytes. So there is a limit, and after it a
/// set does not grow any more; whoever adds keys looks at `isExceeded`, after every few hundred records
/// and before one is called a duplicate, and ends the run.
package final class KeyMemory {
  /// Bytes.
  package let limit: Int
  private(set) var used = 0
  /// The most bytes at any time, including those that are copied from.
  private(set) var highest = 0
  /// Whether a set has been refused what it needed: what it says is then wrong.
  package private(set) var isExceeded = false

  /// A table of so few bytes may grow anyway; one that is larger has room for some hundred keys.
  private static let always = 64 << 10

  package init(limit: Int) { self.limit = limit }

  /// Asks for a table to become larger: old and new exist at the same time.
  ///
  /// - Returns: Whether it may.
  func grow(from old: Int, to new: Int) -> Bool {
    highest = max(highest, used + new)
    if used + new > limit { isExceeded = true }
    guard !isExceeded || new <= Self.always else { return false }
    used += new - old
    return true
  }

  /// Restarts the count at that many bytes.
  package func restart(with bytes: Int) { used = bytes }
}

extension KeyMemory {
  /// What ends a run whose keys take too much.
  package func failure(at line: Int, in file: String) -> IngestError {
    IngestError(
      .data, runCode: .keyMemoryExceeded,
      "\(file): line \(line): the keys up to this record take more than \(Self.text(limit)) of memory. "
        + "Nothing was published. Check whether the file is a dump at all; if it is, allow more: "
        + "--max-key-memory \(Self.text(2 * limit))")
  }

  /// A size as the option takes it.
  private static func text(_ bytes: Int) -> String {
    for (shift, unit) in [(30, "G"), (20, "M"), (10, "K")]
    where bytes.isMultiple(of: 1 << shift) && bytes > 0 {
      return "\(bytes >> shift)\(unit)"
    }
    return "\(bytes)"
  }
}
