import Vocabulary
import Text

struct OptionGroup: Equatable {
  let title: String
  let options: [OptionDescription]
}

extension OptionGroup {
  /// The options of a short command, and `--help`.
  static func few(_ options: OptionDescription...) -> [OptionGroup] {
    [OptionGroup(title: "Options", options: options + [help])]
  }

  static let load: [OptionGroup] = [catalog, rejects, publishing, output, running, server, command]

  private static let catalog = OptionGroup(
    title: "Source files and database",
    options: [
      source,
      schema,
      ignoreUnsupported,
      schemas,
      OptionDescription(
        "--out", takes: .init("FILE", .file), "Database file to write",
        "An existing file is replaced only if ingest made it. With the trait PostgreSQL, "
          + "postgresql://HOST/DATABASE writes to a schema on a server; this requires --rejects.",
        reads: .value(\.out) { $0 }),
      OptionDescription(
        "--allow-missing", takes: .init("TABLE", .words(["all"], orTable: true)),
        isRepeatable: true,
        "Leave the table empty if its source file is missing", "'all' allows it for every table.",
        reads: OptionReader { arguments, table, tables throws(UsageError) in
          try arguments.options.allowedMissing.parse(table, tables: tables)
        }),
      OptionDescription(
        "--strict-schema",
        "Do not publish if columns, files or values do not match the schema",
        reads: .set(\.options.isStrict, to: true)),
      OptionDescription(
        "--no-search", "Omit the full-text search for names and numbers",
        reads: .set(\.options.hasSearch, to: false)),
      OptionDescription(
        "--sql", takes: .init("FILE", .file), isRepeatable: true,
        "Run custom SQL on the loaded data before it is published",
        "It can create views, indexes, tables and full-text search. In a folder, all *.sql files are run in "
          + "order of name.",
        reads: OptionReader { arguments, path, _ in arguments.options.sqlFiles.append(path) }),
    ])

  private static let source = OptionDescription(
    "--source", takes: .init("DIR", .file),
    "Folder or ZIP archive of the source files",
    "Each table is TABLE.csv.gz, TABLE.csv, TABLE.csv.zip or TABLE.zip; in an archive it is "
      + "TABLE.csv. Optional with your own --schema, which then has the paths of the files.",
    reads: .value(\.options.source) { $0 })

  private static let ignoreUnsupported = OptionDescription(
    "--ignore-unsupported", "Ignore unsupported features in a description",
    "Each produces a warning. Without this option, nothing is loaded.")

  private static let wait = OptionDescription(
    "--wait", takes: .init("SECONDS", .text),
    "Wait up to SECONDS for a lock held by another process",
    "The default is 0 for another run, and 5 for another program that locked the file.",
    reads: .value(\.options.lockTimeout, Arguments.seconds))

  /// The options of `ingest repair`.
  static let repair = [
    OptionDescription(
      "--rejects", takes: .init("DIR", .folder), "Folder with the edited records",
      reads: .value(\.options.rejectsFolder) { $0 }),
    OptionDescription(
      "--repairs", takes: .init("DIR", .folder), "Folder for the repairs",
      "It is created if needed. Existing repairs are kept.",
      reads: .value(\.options.repairsFolder) { $0 }),
    source, schema, ignoreUnsupported, schemas, wait, help,
  ]

  /// The option of all commands that depend on the schema of a database.
  static let schema: OptionDescription = .init(
    "--schema", takes: .init("FILE", .wordOrFile(SchemaChoice.BuiltIn.allCases.map(\.rawValue))),
    "Description of the source files: a Data Package, or gtfs",
    "The default is Rebrickable's catalog. gtfs is the General Transit Feed Specification.")

  static let schemas: OptionDescription = .init(
    "--schemas", takes: .init("DIR", .file),
    "Folder of the schemas that the description names by URL",
    "The last part of the URL is the name of the file.")

  private static let rejects = OptionGroup(
    title: "Rejected records and repairs",
    options: [
      OptionDescription(
        "--max-rejects", takes: .init("[TABLE=]N|P%", .text), isRepeatable: true,
        "Publish if at most N records, or P% of all, are rejected",
        "The default is 0. A table with its own limit is checked against that limit only. All "
          + "other tables together are checked against the limit without a table.",
        reads: OptionReader { arguments, limit, tables throws(UsageError) in
          try arguments.checkIsUnique(limit, of: "--max-rejects")
          try arguments.options.rejectLimits.parse(limit, tables: tables)
        }),
      OptionDescription(
        "--rejects", takes: .init("DIR", .folder), "Folder for rejected records",
        "It is created only if needed; the default is FILE.rejects. Records of an earlier run are moved to "
          + "DIR.previous.",
        reads: .value(\.options.rejectsFolder) { $0 }),
      OptionDescription(
        "--repairs", takes: .init("DIR", .folder),
        "Fix the source files in every run, before they are checked",
        "Add the records in DIR/TABLE.add.csv, replace records by those in DIR/TABLE.replace.csv with the "
          + "same keys, and skip those in DIR/TABLE.leave-out.csv.",
        reads: .value(\.options.repairsFolder) { $0 }),
    ])

  private static let publishing = OptionGroup(
    title: "Publishing",
    options: [
      OptionDescription(
        "--max-shrink", takes: .init("[TABLE=]P%", .text), isRepeatable: true,
        "Do not publish if more than P% of the rows are lost",
        "The default is 50%, for each table and for all together. The refused database is kept as "
          + "FILE.refused until a run publishes.",
        reads: OptionReader { arguments, limit, tables throws(UsageError) in
          try arguments.checkIsUnique(limit, of: "--max-shrink")
          try arguments.options.shrinkLimits.parse(
            limit, of: "--max-shrink", "rows", tables: tables)
        }),
      OptionDescription(
        "--max-change", takes: .init("[TABLE=]P%", .text), isRepeatable: true,
        "Do not publish if more than P% of the keys are changed or removed",
        "For each table; without it, a run only warns of unusual changes. The refused "
          + "database is kept as FILE.refused.",
        reads: OptionReader { arguments, limit, tables throws(UsageError) in
          try arguments.checkIsUnique(limit, of: "--max-change")
          try arguments.options.changeLimits.parse(
            limit, of: "--max-change", "keys", tables: tables)
        }),
      OptionDescription(
        "--allow-older", "Load source files that are older than those of the previous database",
        "Without it, nothing is published then. The age is that in gzip headers and ZIP archives.",
        reads: .set(\.options.allowsOlder, to: true)),
      OptionDescription(
        "--max-age", takes: .init("TIME", .text), "Warn if the newest source file is older",
        "A number of hours or days, such as 36h or 3d.",
        reads: .value(\.options.maxAge, Arguments.age)),
      OptionDescription(
        "--keep-previous", "Keep the previous database as FILE.previous",
        "It replaces the one kept before if its changes are accepted. In PostgreSQL "
          + "it is the schema NAME__old.",
        reads: .set(\.options.keepsPrevious, to: true)),
      OptionDescription(
        "--suppress", takes: .init("FILE", .file),
        "Suppress known warnings (they are still counted)",
        "The summary shows the line to add for each warning. A suppression ends when the facts in it change.",
        reads: .value(\.options.suppressFile) { $0 }),
      OptionDescription(
        "--dry-run", "Check everything except custom SQL, and write no database",
        "It also checks the database at --out, the free space and the changes of row counts. Custom SQL is not run (in "
          + "PostgreSQL, it runs without rows), and may still fail in a real run. Only --report, --metrics and --rejects are written. --out is optional.",
        reads: .set(\.options.isDryRun, to: true)),
      OptionDescription(
        "--if-changed", "Do nothing if the database is up to date",
        "That is, if it was made from the same source files, options and SQL, and not changed since. The "
          + "exit status is that of the run that loaded it.",
        reads: .set(\.options.skipsUnchanged, to: true)),
    ])

  private static let output = OptionGroup(
    title: "Output",
    options: [
      OptionDescription(
        "--report", takes: .init("FILE", .file), isRepeatable: true, "Write a report",
        "FILE.json is for programs, FILE.html for people. json:- or html:- prints it to standard output, "
          + "and the summary to standard error.",
        reads: OptionReader { arguments, path, _ throws(UsageError) in
          try arguments.parseReport(path)
        }),
      OptionDescription(
        "--metrics", takes: .init("FILE.prom", .file), "Write metrics for Prometheus",
        "Use a file in the directory of node exporter's textfile collector. A failed run keeps the time of "
          + "the last success.",
        reads: OptionReader { arguments, path, _ throws(UsageError) in
          arguments.reports.append(try Arguments.metricsFile(path))
        }),
      OptionDescription(
        "--quiet", short: "-q", "Print nothing if the run is clean",
        "Warnings and failures are still printed to standard error.",
        reads: .set(\.verbosity, to: .quiet)),
      OptionDescription(
        "--verbose", short: "-v", "Print each table and stage as it completes",
        reads: .set(\.verbosity, to: .verbose)),
      OptionDescription(
        "--progress",
        takes: .init("WHEN", .words(ProgressMode.allCases.map(\.rawValue))),
        "Show a progress line on standard error: auto, always or never",
        "The default is auto: on a terminal, unless the run is quiet or messages are JSON. The line has no "
          + "colors.",
        reads: .word(\.progress, of: "--progress", "one of auto, always, never")),
      OptionDescription(
        "--log-format", takes: .init("FORMAT", .words(Log.Format.allCases.map(\.rawValue))),
        "Print messages as text (the default) or json",
        "JSON has one object per line for each event; the last one is the verdict.",
        reads: .word(\.logFormat, of: "--log-format", "text or json")),
      OptionDescription(
        "--detailed-status", "Use exit status 4 if there are warnings",
        "It applies if the database was published and no record was rejected.",
        reads: .set(\.hasDetailedStatus, to: true)),
    ])

  private static let running = OptionGroup(
    title: "Running",
    options: [
      wait,
      OptionDescription(
        "--max-key-memory", takes: .init("SIZE", .text),
        "Limit the memory for the keys of all tables",
        "In bytes, or with suffix K, M or G. The default is 192M. A run that needs more fails.",
        reads: .value(\.options.keyMemory, Arguments.memory)),
    ])

  private static let server = OptionGroup(
    title: "PostgreSQL",
    options: [
      OptionDescription(
        "--jobs", takes: .init("N", .text), "Load over N connections",
        "Tables, parts of large tables, and indexes are then loaded in parallel. The default is 1, with one "
          + "transaction for everything.",
        reads: .value(\.server.connections, Arguments.jobs)),
      OptionDescription(
        "--publish", takes: .init("MODE", .words(ServerSchema.Publishing.allCases.map(\.rawValue))),
        "Publish by merge or by swap",
        "A merge writes the rows that differ into the published tables. A swap replaces the schema. The default, "
          + "auto, is a merge if the published tables can take the rows, and otherwise a swap.",
        reads: .word(\.server.publishing, of: "--publish", "auto, merge or swap")),
      OptionDescription(
        "--staging", takes: .init("SCHEMA", .text),
        "Load into this schema, then merge",
        "The schema must exist, belong to the role of the run, and be empty. It is empty again after the run. "
          + "Without the option, a run creates a schema, which needs CREATE on the database.",
        reads: OptionReader { arguments, text, _ in arguments.server.staging = text }),
      OptionDescription(
        "--allow-loss",
        "Publish even if this drops or changes what others have added to the schema",
        reads: .set(\.server.allowsLoss, to: true)),
      OptionDescription(
        "--distribute", takes: .init("TABLE=COLUMN", .text),
        "Distribute a large table over the nodes of a Citus cluster",
        "Tables that share the column by foreign keys are distributed with it; all others are copied to each node. "
          + "Without the option, the tables remain distributed. With none, they are not distributed.",
        reads: OptionReader { arguments, text, tables throws(UsageError) in
          arguments.server.distributed = try Arguments.distributed(text, tables: tables)
        }),
    ])

  private static let command = OptionGroup(
    title: "Other",
    options: [
      help,
      OptionDescription("--version", "Print the version", reads: .set(\.task, to: .version)),
    ])

  static let help: OptionDescription = .init(
    "--help", short: "-h", "Show this help",
    reads: OptionReader { arguments, _, _ in
      let command = arguments.command
      arguments.task = .help(command == .load ? .everything : .command(command))
    })
}
