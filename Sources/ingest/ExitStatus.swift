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
  /// No run can end with it, but a shell or a service manager shows it.
  case killed = 137
  case terminated = 143

  /// The status of a finished run; for a dry run, the status that a real run would have had so far.
  init(_ outcome: IngestOutcome, isDetailed: Bool) {
    if let failure = outcome.failure {
      self = failure.undone == nil ? ExitStatus(failure.kind) : .incomplete
    } else if outcome.rejected > 0 {
      self = .publishedWithRejects
    } else {
      self = isDetailed && outcome.verdict.state != .clean ? .publishedWithWarnings : .published
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

  /// Whether the database was published; explanations, alerts and the handbook must agree with it.
  enum Publication {
    /// The new database was published, or the previous one is up to date.
    case published
    case unpublished
    /// Nothing was published, with the exception that the meaning states.
    case uncertain
    case unrelated
  }

  var publication: Publication {
    switch self {
    case .published, .publishedWithRejects, .publishedWithWarnings, .incomplete: .published
    case .usage, .data, .inputMissing, .fault, .output, .locked, .hungUp, .interrupted, .terminated:
      .unpublished
    case .inputOutput, .killed: .uncertain
    case .different: .unrelated
    }
  }

  var summary: String {
    switch self {
    case .published: "Published, no rejected records."
    case .different: "The two databases differ (diff)."
    case .publishedWithRejects: "Published, with rejected records within the limit."
    case .publishedWithWarnings: "Published with warnings (only with --detailed-status)."
    case .incomplete: "Published, but a later step failed."
    case .usage: "Invalid command line."
    case .data: "Invalid data, nothing published; or faults found by check."
    case .inputMissing: "An input is missing or unreadable."
    case .fault: "Internal error."
    case .output: "The output cannot be created, or must not be replaced."
    case .inputOutput: "Reading or writing failed."
    case .locked: "Locked by another run or program; try again."
    case .hungUp: "Ended by SIGHUP."
    case .interrupted: "Ended by SIGINT."
    case .killed: "Killed by SIGKILL, for example for lack of memory."
    case .terminated: "Ended by SIGTERM."
    }
  }

  /// The meaning, and whether the database was published.
  var meaning: String {
    switch publication {
    case .published, .unrelated: cause
    case .unpublished: "\(cause) Nothing was published."
    case .uncertain where self == .killed:
      "\(cause) Nothing was published, unless the run was just ending: 'ingest history FILE' shows the last run."
    case .uncertain:
      "\(cause) Nothing was published, unless the verdict is 'possibly published': the connection to PostgreSQL was "
        + "lost during publishing."
    }
  }

  private var cause: String {
    switch self {
    case .published:
      "The database was published or already up to date, and no record was rejected."
    case .different: "The two databases of 'ingest diff' differ."
    case .publishedWithRejects:
      "The database was published, with rejected records within the limit."
    case .publishedWithWarnings:
      "The database was published and no record was rejected, but there are warnings. Only "
        + "--detailed-status uses this status."
    case .incomplete:
      "The database was published or already up to date, but a later step failed. Either a report, metrics or "
        + "fixed records could not be written, or the folder could not be synced to the disk, or files of an "
        + "earlier run could not be moved or removed."
    case .usage: "The command line is invalid, or a file of options or suppressions that it names."
    case .data:
      "The data is invalid: too many rejected records, a damaged file, a wrong header, a database "
        + "that lost too many rows, or custom SQL that failed."
    case .inputMissing: "An input is missing or cannot be opened."
    case .fault: "Internal error of ingest, such as row counts that do not add up."
    case .output:
      "The output cannot be created, or is a file that ingest did not make and does not replace."
    case .inputOutput: "Reading or writing failed, for example because the disk is full or damaged."
    case .locked: "Another run or program holds a lock."
    case .hungUp: "The run was ended by SIGHUP."
    case .interrupted: "The run was ended by SIGINT."
    case .killed: "The run was killed by SIGKILL, usually by the kernel for lack of memory."
    case .terminated: "The run was ended by SIGTERM."
    }
  }

  var remedy: String {
    switch self {
    case .published: "None is needed."
    case .different: "None is needed; 'ingest diff --keys' prints each difference."
    case .publishedWithRejects:
      "Fix the rejected records, which are kept beside the database, and run 'ingest repair'."
    case .publishedWithWarnings:
      "Check the warnings; 'ingest explain CODE' explains each of them. Add a line to the file of "
        + "--suppress for each warning that needs no action."
    case .incomplete: "Follow the message and run again. The database can be used meanwhile."
    case .usage: "Read the message and 'ingest --help'."
    case .data: "Read the message; 'ingest explain CODE' explains its code."
    case .inputMissing: "Check the paths in the message, and download missing files."
    case .fault: "Run again. If it happens again, report it with the source files."
    case .output: "Check the folder of --out and its permissions, or use another file."
    case .inputOutput: "Check the disk and its free space, and follow the message."
    case .locked: "Try again later, or wait for the lock with --wait SECONDS."
    case .hungUp, .interrupted, .terminated: "Run again."
    case .killed:
      "Read the kernel's log ('journalctl -k'), and run again: the next run removes the leftovers."
    }
  }
}
