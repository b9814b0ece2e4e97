import TestSupport

/// One of several shares of all trials, so that many nights together try each of them once.
struct Share {
  private var number: UInt64 = 0
  private var count: UInt64 = 1

  /// All trials.
  init() {}

  /// Reads `K/N`.
  init(_ text: String) throws {
    let words = text.split(separator: "/", omittingEmptySubsequences: false).map { UInt64($0) }
    guard words.count == 2, let number = words[0], let count = words[1], 1...count ~= number else {
      throw Failure("'\(text)' is not a valid share: expected K/N, such as 3/30")
    }
    (self.number, self.count) = (number - 1, count)
  }

  /// Whether a trial belongs to it, which depends on nothing but the words that repeat the trial.
  func contains(_ trial: Trial) -> Bool {
    // FNV-1a, mixed, since Swift's own hashes differ from run to run.
    let words = "\(trial.kind) \(trial.fault) \(trial.repetition)"
    let hash = words.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    }
    var random = SeededGenerator(seed: hash)
    return random.next() % count == number
  }
}
