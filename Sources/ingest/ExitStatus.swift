import Vocabulary

/// The exit status of the command; see `summary`; numbers never change their meaning.
enum ExitStatus: Int32, CaseIterable {
  case published = 0
  case different = 1
  case publishedWithRejects = 3
  case publishedWithWarnings = 4
  case incomplete = 5
  // The numbers of sysexits.h: EX_USAGE, EX_DATAERR, EX_NOINPUT, EX_SOFTWARE, EX_CANTCREAT, EX_IOERR, EX_TEMPFAIL.
  case usage = 64
  case data = 65
  case inputMissing = 66
  case fault = 70
  case output = 73
  case inputOutput = 74
  case locked = 75
  // As in a shell: 128 plus the number of the signal.
  case hungUp = 129
  case interrupted = 130
  case terminated = 143

  /// The status of a finished run; for a dry run, the status that a real run would have had so far.
  init(_ report: IngestOutcome, isDetailed: Bool) {
    if let failure = report.failure {
      self = failure.undone == nil ? ExitStatus(failure.kind) : .incomplete
    } else if report.rejected > 0 {
      self = .publishedWithRejects
    } else {
      self = isDetailed && report.verdict != .clean ? .publishedWithWarnings : .published
    }
  }

  /// The status of a failed run that did not publish.
  init(_ kind: IngestError.Kind) {
    switch kind {
    case .usage: self = .usage
    case .data: self = .data
    case .inputMissing: self = .inputMissing
    case .fault: self = .fault
    case .output: self = .output
    case .inputOutput, .uncertain: self = .inputOutput
    case .locked: self = .locked
    case .interrupted(let signal): self = ExitStatus(rawValue: 128 + signal) ?? .terminated
    }
  }
}
