import IngestPipeline
import SQLiteSwiftly

/// The texts that the command prints about itself.
enum Help {
  static let version = "ingest 0.1.0 (SQLite \(SQLiteLibrary.version))"

  static let usage = "Usage: ingest --source DIR --out FILE [options]"

  static let text = """
    Loads the dumps of the LEGO catalogue that Rebrickable publishes into one SQLite file.

    \(usage)
           ingest explain [CODE]

    The folder holds each table as TABLE.csv.gz or TABLE.csv. Every record is checked; the file at
    --out is replaced only when all is well, in one step, so readers find the old catalogue or the
    new one. Standard output gets a summary, standard error all messages; 'ingest explain' says what
    the code of a message means, and what to do.

    Options:
      --source DIR            the folder of the dumps
      --out FILE              the catalogue to write; an existing file is replaced only if ingest
                              made it
      --max-rejects N|P%      publish although up to N records, or P percent of all, are rejected
                              (default: 0)
      --allow-missing TABLE   leave the table empty if its dump is not there; may be repeated, and
                              'all' stands for every table
      -q, --quiet             print nothing but errors and rejected records
      -v, --verbose           report each table as it is completed
      -h, --help              print this text
      --version               print the version

    Exit status:
       0  published, no record rejected        70  a fault of ingest itself
       3  published, with records rejected     73  the output cannot be created, or is not ours
          inside the limit                     74  reading or writing failed
      64  the command line is wrong            75  another run is writing the same file
      65  the data is bad, nothing published  130  ended by SIGINT
      66  an input is missing or unreadable   143  ended by SIGTERM

    Example:
      ingest --source dumps/ --out catalog.sqlite --max-rejects 0.1%
    """

  /// What a code means, and what to do.
  static func explanation(of code: CodeExplanation) -> String {
    """
    \(code.code) (\(consequence(of: code.level)))

    Meaning:     \(code.meaning)
    Example:     \(code.example)
    Usual cause: \(code.cause)
    Remedy:      \(code.remedy)
    """
  }

  /// All codes with what they mean.
  static var codes: String {
    let width = CodeExplanation.all.map(\.code.count).max() ?? 0
    let levels = CodeExplanation.Level.allCases.map { level in
      let lines = CodeExplanation.all.filter { $0.level == level }.map { code in
        "  \(code.code)\(String(repeating: " ", count: width - code.code.count))  \(code.meaning)"
      }
      return ([consequence(of: level) + ":"] + lines).joined(separator: "\n")
    }
    return levels.joined(separator: "\n\n")
  }

  private static func consequence(of level: CodeExplanation.Level) -> String {
    switch level {
    case .file: "a file cannot be used, and nothing is published"
    case .run: "every file could be read, and nothing is published"
    case .record: "a record is rejected"
    case .notice: "a notice; all is loaded"
    }
  }
}
