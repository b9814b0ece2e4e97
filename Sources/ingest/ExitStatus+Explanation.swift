extension ExitStatus {
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
    case .terminated: "Ended by SIGTERM."
    }
  }

  /// The meaning, and whether the database was published.
  var meaning: String {
    [cause, publication.sentence].filter { !$0.isEmpty }.joined(separator: " ")
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
    }
  }
}
