import Quarantine
import Validation
import Facts

/// What the command's exit status says; a number never changes its meaning.
enum ExitStatus: Int32, CaseIterable {
  /// Published, and no record rejected; with `--detailed-status`, and nothing to look at.
  case published = 0
  /// Two catalogues differ, as `diff` has it.
  case different = 1
  /// Published, with records rejected inside the limit that was given.
  case publishedWithRejects = 3
  /// Published, no record rejected, but with things to look at, if that was asked for.
  case publishedWithConcerns = 4
  /// Published, or found to be up to date, but a later step failed.
  case unfinished = 5
  /// The command line is wrong (EX_USAGE).
  case usage = 64
  /// The data is bad; nothing is published (EX_DATAERR).
  case data = 65
  /// An input is missing or cannot be opened (EX_NOINPUT).
  case inputMissing = 66
  /// A fault of the tool itself (EX_SOFTWARE).
  case fault = 70
  /// The output cannot be created, or is not ours to replace (EX_CANTCREAT).
  case output = 73
  /// Reading or writing failed (EX_IOERR).
  case inputOutput = 74
  /// Another run or program uses the catalogue, and may have ended later (EX_TEMPFAIL).
  case locked = 75
  /// Ended by SIGHUP.
  case hungUp = 129
  /// Ended by SIGINT.
  case interrupted = 130
  /// Ended by SIGTERM.
  case terminated = 143

  /// The status of a run that has ended; of a dry run, that which a run would have had so far.
  init(_ report: IngestOutcome, isDetailed: Bool) {
    if let failure = report.failure {
      self = failure.undone == nil ? ExitStatus(failure.kind) : .unfinished
    } else if report.rejected > 0 {
      self = .publishedWithRejects
    } else {
      self = isDetailed && report.verdict != .clean ? .publishedWithConcerns : .published
    }
  }

  /// The status of a run that failed, and did not publish.
  init(_ kind: IngestError.Kind) {
    switch kind {
    case .usage: self = .usage
    case .data: self = .data
    case .inputMissing: self = .inputMissing
    case .fault: self = .fault
    case .output: self = .output
    case .inputOutput, .uncertain: self = .inputOutput
    case .locked: self = .locked
    // As a shell has it.
    case .interrupted(let signal): self = ExitStatus(rawValue: 128 + signal) ?? .terminated
    }
  }
}
