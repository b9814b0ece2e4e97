import IngestPipeline
import IngestReport
import SQLiteSwiftly

/// The texts that the command prints about itself.
enum Help {
  static let version = "ingest \(toolVersion) (SQLite \(SQLiteLibrary.version))"

  static let usage = "Usage: ingest --source DIR --out FILE [options]"

  /// How a command is used that has words of its own.
  private static let usages = [
    "diff": "ingest diff [--keys | --json] OLD NEW", "check": "ingest check [-q] FILE",
    "explain": "ingest explain [CODE | STATUS]",
  ]

  /// How the command is used that the first word asks for.
  static func usage(of word: String?) -> String {
    word.flatMap { usages[$0] }.map { "Usage: \($0)" } ?? usage
  }

  static let text = """
    Loads the dumps of the LEGO catalogue that Rebrickable publishes into one SQLite file.

    \(usage)
           ingest replay --source DIR --out FILE [options]
           ingest explain [CODE | STATUS]
           ingest metadata --datasette [--database NAME] | --dictionary | --diagram
           ingest diff [--keys | --json] OLD NEW
           ingest check [-q] FILE

    The folder holds each table as TABLE.csv.gz or TABLE.csv. Every record is checked; the file at
    --out is replaced only when all is well, in one step, so readers find the old catalogue or the
    new one. Rejected records are kept as they are, with all reasons, and 'ingest replay' loads the
    dumps again with the records that were repaired there in their place. Standard output gets a
    summary that begins with the verdict, standard error all messages; 'ingest explain' says what the code of a message means, and
    what to do. 'ingest diff' says in what two catalogues differ, 'ingest check' looks for faults in
    one; both only read. 'ingest metadata' prints what the tables and columns mean: for Datasette,
    where the file is NAME.sqlite (default: catalog), as a dictionary in Markdown, or as a picture in
    SVG.

    Options:
      --source DIR            the folder of the dumps
      --out FILE              the catalogue to write; an existing file is replaced only if ingest
                              made it
      --rejects DIR           the folder for rejected records, made if there are any
                              (default: FILE.rejects); what an earlier run left there is moved to
                              DIR.previous. For a replay, the folder with the repaired records
      --max-rejects N|P%      publish although up to N records, or P percent of all, are rejected
                              (default: 0)
      --max-rejects TABLE=N|P%
                              a limit of the table's own: it is judged by that alone, and all others
                              together by the limit without a table; may be repeated
      --fail-fast             stop as soon as it is certain that nothing will be published, instead
                              of reading on to show all that is wrong
      --max-shrink P%         do not publish if a table, or all together, would have lost more than
                              P percent of its rows (default: 50%); TABLE=P% for one table; the new
                              file is then kept as FILE.refused
      --max-key-memory SIZE   end the run if the keys of all tables take more memory, in bytes or with
                              K, M or G after the number (default: 192M)
      --strict-schema         do not publish if columns, files or values are not as described
      --allow-missing TABLE   leave the table empty if its dump is not there; may be repeated, and
                              'all' means every table
      --repairs DIR           correct the dumps every night, before they are checked: add the records in
                              DIR/TABLE.add.csv, load those in DIR/TABLE.replace.csv in place of the
                              dump's with their keys, and leave out those in DIR/TABLE.leave-out.csv
      --write-repairs DIR     of a replay: add what was repaired to such a folder, made if need be
      --sql FILE              run SQL of your own on what was loaded, before it is published: views,
                              indexes, tables, full-text search; may be repeated, in that order; of a
                              folder all *.sql by name
      --accept FILE           count notices, and do not tell them, that a line of the file accepts, until
                              what they say changes; each notice shows its line
      --report FILE           write a report: FILE.json for programs, FILE.html for people; may be
                              repeated. json:- or html:- goes to standard output, and the summary
                              then to standard error
      --wait SECONDS          wait so long for another run that is writing the same file (default:
                              0), and for a program that has locked it (default: 5)
      --dry-run               check everything, the file at --out and how it would change included,
                              and write nothing but what --report and --rejects name; --out may be
                              left out
      --if-changed            do nothing if the catalogue was made from the same dumps, options and
                              SQL, and nobody has written to it since
      --no-search             leave out the full-text search over names and numbers
      --detailed-status       end with status 4 if the catalogue is published and there are things to
                              look at, though no record was rejected
      -q, --quiet             print nothing if the catalogue is published and there is nothing to look
                              at; otherwise the verdict and what to look at, on standard error
      --silent                print nothing but errors and rejected records
      -v, --verbose           report each table as it is completed
      -h, --help              print this text
      --version               print the version
      --keys                  of diff: print each key that differs, and what has changed there
      --json                  of diff: print everything as one document of JSON

    Exit status:
       0  published, no record rejected        70  a fault of ingest itself
       1  the two catalogues differ (diff)     73  the output cannot be created, or is not ours
       3  published, with records rejected     74  reading or writing failed
          inside the limit                     75  another run or program uses the catalogue:
       4  published, with things to look at        try again
          (only with --detailed-status)
      64  the command line is wrong
      65  the data is bad, nothing published  129  ended by SIGHUP (130 by SIGINT, 143 by
      66  an input is missing or unreadable        SIGTERM)
    A dry run ends with the status that the run would have, as far as that is known without building
    the catalogue. 'ingest check' ends with 65 if there are faults.

    Examples:
      ingest --source dumps/ --out catalog.sqlite --max-rejects 0.1% --report report.html
      ingest replay --source dumps/ --out catalog.sqlite
      ingest diff yesterday.sqlite catalog.sqlite
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
      + (code.acceptance.map {
        "\nAccepted by: a line in the file of --accept, as the notice shows it, such as:\n             \($0)"
      } ?? "")
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
