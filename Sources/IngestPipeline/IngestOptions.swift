/// What a run is to do.
package struct IngestOptions: Sendable {
  /// The folder of the dumps.
  package var source: String
  /// The catalogue to write.
  package var output: String
  /// How many rejected records a catalogue may lack.
  package var rejectLimit: RejectLimit
  /// The tables without which a catalogue is published.
  package var allowedMissing: AllowedMissing
  /// The most bytes that a record may have.
  package var recordLimit: Int

  /// Makes options; a record may have 16 MiB.
  package init(
    source: String, output: String, rejectLimit: RejectLimit = .records(0),
    allowedMissing: AllowedMissing = .tables([]), recordLimit: Int = 16 << 20
  ) {
    self.source = source
    self.output = output
    self.rejectLimit = rejectLimit
    self.allowedMissing = allowedMissing
    self.recordLimit = recordLimit
  }
}

/// How many rejected records are tolerated, in all tables together.
package enum RejectLimit: Equatable, Sendable {
  /// So many.
  case records(Int)
  /// So many of a hundred that were read.
  case percent(Double)

  /// Whether the limit is passed, however many records are still to come.
  func isCertainlyExceeded(by rejected: Int) -> Bool {
    if case .records(let limit) = self { rejected > limit } else { false }
  }

  /// Whether the limit is passed.
  func isExceeded(by rejected: Int, of read: Int) -> Bool {
    switch self {
    case .records(let limit): rejected > limit
    case .percent(let limit): Double(rejected) * 100 > limit * Double(read)
    }
  }
}
