extension ExitStatus {
  /// What it means, in a line.
  var summary: String {
    switch self {
    case .published: "Published, no record rejected."
    case .different: "The two catalogs differ (diff)."
    case .publishedWithRejects: "Published, with records rejected inside the limit."
    case .publishedWithConcerns:
      "Published, with things to look at (only with --detailed-status)."
    case .unfinished: "Published, but a later step failed."
    case .usage: "The command line is wrong."
    case .data: "The data is bad, nothing was published; or check found faults."
    case .inputMissing: "An input is missing or unreadable."
    case .fault: "A fault of ingest itself."
    case .output: "The output cannot be created, or is not ours to replace."
    case .inputOutput: "Reading or writing failed."
    case .locked: "Another run or program uses the catalog: try again."
    case .hungUp: "Ended by SIGHUP."
    case .interrupted: "Ended by SIGINT."
    case .terminated: "Ended by SIGTERM."
    }
  }

  /// What it means, and what it says of the catalog.
  var meaning: String {
    [cause, publication.sentence].filter { !$0.isEmpty }.joined(separator: " ")
  }

  private var cause: String {
    switch self {
    case .published:
      "The catalog is published, or was found to be up to date, and no record was rejected."
    case .different: "The two catalogs that 'ingest diff' compared differ."
    case .publishedWithRejects:
      "The catalog is published, with records rejected inside the limit that was given."
    case .publishedWithConcerns:
      "The catalog is published, no record was rejected, but there are things to look at. Only "
        + "--detailed-status ends so."
    case .unfinished:
      "The catalog is published, or was found to be up to date, but a later step failed: a report or the "
        + "metrics could not be written, its folder could not be synced to the disk, what a replay repaired could "
        + "not be written, or what an earlier run left could not be moved away or removed."
    case .usage: "The command line is wrong, or a file of options or acceptances that it names."
    case .data:
      "The data is bad: rejected records over the limit, a damaged file, a header that does not fit, "
        + "a catalog that has shrunk, or SQL of your own that fails."
    case .inputMissing: "An input is missing or cannot be opened."
    case .fault: "A fault of ingest itself, such as accounts that do not balance."
    case .output: "The output cannot be created, or is not ours to replace."
    case .inputOutput: "Reading or writing failed: a full disk, or an error of it."
    case .locked: "Another run or program holds a lock."
    case .hungUp: "The run was ended by SIGHUP."
    case .interrupted: "The run was ended by SIGINT."
    case .terminated: "The run was ended by SIGTERM."
    }
  }

  /// What helps.
  var remedy: String {
    switch self {
    case .published: "None is needed."
    case .different: "None is needed; 'ingest diff --keys' prints each difference."
    case .publishedWithRejects:
      "Repair the rejected records, which are kept beside the catalog, and run 'ingest replay'."
    case .publishedWithConcerns:
      "Look at the warnings: 'ingest explain CODE' says what each of them means, and a line in the "
        + "file of --suppress says that it was seen."
    case .unfinished:
      "Do what the message says, and run again. The catalog can be used meanwhile."
    case .usage: "Read the message, and 'ingest --help'."
    case .data:
      "Read the message: 'ingest explain CODE' says what its code means and what helps."
    case .inputMissing: "Check the paths that the message names, and download what is missing."
    case .fault: "Run it again. If it happens again, report it with the dumps."
    case .output: "Check the folder of --out and its permissions, or choose another file."
    case .inputOutput: "Check the disk and its free space, and do what the message says."
    case .locked: "Try again when the other is done, or wait for it with --wait SECONDS."
    case .hungUp, .interrupted, .terminated: "Run it again."
    }
  }
}
