import Facts

struct OptionGroup: Equatable {
  let title: String
  let options: [OptionDescription]
}

extension OptionGroup {
  /// The options of a command that has few, and last the one that every command has.
  static func few(_ options: OptionDescription...) -> [OptionGroup] {
    [OptionGroup(title: "Options", options: options + [help])]
  }

  static let load: [OptionGroup] = [
    catalog, rejects, publishing, telling, running, server, command,
  ]

  private static let catalog = OptionGroup(
    title: "Dumps and catalog",
    options: [
      OptionDescription(
        "--source", takes: .init("DIR", .file),
        "The folder of the dumps, or a ZIP archive of all of them",
        "Each table is TABLE.csv.gz, TABLE.csv, TABLE.csv.zip or TABLE.zip; in an archive of all it is "
          + "TABLE.csv. With a description of yours it may be left out: the files are then where that says.",
        reads: .value(\.options.source) { $0 }),
      schema,
      OptionDescription(
        "--ignore-unsupported", "Pass over what is not understood of a description",
        "Each is told as a warning. Without it, nothing is loaded then.",
        reads: .set(\.ignoresUnsupported, to: true)),
      OptionDescription(
        "--out", takes: .init("FILE", .file), "The catalog to write",
        "A file that is there is replaced only if ingest made it. postgresql://HOST/DATABASE stands for a "
          + "schema there, if this ingest was built with the trait PostgreSQL; it needs --rejects.",
        reads: .value(\.options.output) { $0 }),
      OptionDescription(
        "--allow-missing", takes: .init("TABLE", .words(["all"], orTable: true)),
        isRepeatable: true,
        "Leave the table empty if its dump is not there", "'all' means every table.",
        reads: OptionReader { arguments, table, tables throws(UsageError) in
          try arguments.options.allowedMissing.read(table, tables: tables)
        }),
      OptionDescription(
        "--strict-schema",
        "Do not publish if columns, files or values are not as described",
        reads: .set(\.options.isStrict, to: true)),
      OptionDescription(
        "--no-search", "Leave out the full-text search over names and numbers",
        reads: .set(\.options.hasSearch, to: false)),
      OptionDescription(
        "--sql", takes: .init("FILE", .file), isRepeatable: true,
        "Run SQL of your own on what was loaded, before it is published",
        "Views, indexes, tables, full-text search. Of a folder all *.sql, by name.",
        reads: OptionReader { arguments, path, _ in arguments.options.sqlFiles.append(path) }),
    ])

  /// The option of all commands that need to know what is in a catalog.
  static let schema: OptionDescription = .init(
    "--schema", takes: .init("FILE", .wordOrFile(SchemaChoice.BuiltIn.allCases.map(\.rawValue))),
    "What the dumps are: a description as a Data Package, or gtfs",
    "Without it they are Rebrickable's. gtfs is the General Transit Feed Specification.",
    reads: .value(\.schema) { SchemaChoice(named: $0) })

  private static let rejects = OptionGroup(
    title: "Rejected records and repairs",
    options: [
      OptionDescription(
        "--max-rejects", takes: .init("[TABLE=]N|P%", .text), isRepeatable: true,
        "Publish although so many records, or that share of all, are rejected",
        "The default is 0. A table with a limit of its own is judged by that alone, all others "
          + "together by the limit without a table.",
        reads: OptionReader { arguments, limit, tables throws(UsageError) in
          try arguments.checkIsFirst(limit, of: "--max-rejects")
          try arguments.options.rejectLimits.read(limit, tables: tables)
        }),
      OptionDescription(
        "--rejects", takes: .init("DIR", .folder), "The folder for rejected records",
        "It is made if there are any; the default is FILE.rejects. What an earlier run left there "
          + "is moved to DIR.previous. For a replay, the folder with the repaired records.",
        reads: .value(\.options.rejectsFolder) { $0 }),
      OptionDescription(
        "--repairs", takes: .init("DIR", .folder),
        "Correct the dumps every night, before they are checked",
        "Adds the records in DIR/TABLE.add.csv, loads those in DIR/TABLE.replace.csv in place of "
          + "the dump's with their keys, and leaves out those in DIR/TABLE.leave-out.csv.",
        reads: .value(\.options.repairsFolder) { $0 }),
      OptionDescription(
        "--write-repairs", takes: .init("DIR", .folder),
        "Of a replay: add what was repaired to such a folder",
        "It is made if need be.",
        reads: .value(\.options.writtenRepairs) { $0 }),
    ])

  private static let publishing = OptionGroup(
    title: "What may be published",
    options: [
      OptionDescription(
        "--max-shrink", takes: .init("[TABLE=]P%", .text), isRepeatable: true,
        "Do not publish if more than that share of the rows is gone",
        "The default is 50%, of each table and of all together. The new file is then kept as "
          + "FILE.refused, until a run publishes.",
        reads: OptionReader { arguments, limit, tables throws(UsageError) in
          try arguments.checkIsFirst(limit, of: "--max-shrink")
          try arguments.options.shrinkLimits.read(limit, tables: tables)
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
        "It replaces the one kept before. In PostgreSQL it is the schema NAME__old.",
        reads: .set(\.options.keepsPrevious, to: true)),
      OptionDescription(
        "--suppress", takes: .init("FILE", .file),
        "Count warnings that a line of the file accepts, and do not tell them",
        "The summary shows the lines; each holds until what it says changes.",
        reads: .value(\.options.suppressFile) { $0 }),
      OptionDescription(
        "--dry-run", "Check everything but SQL of your own, and write no catalog",
        "The file at --out, the free space and how the catalog would change are looked at, too; SQL is not "
          + "run, so a run may still fail there. Only what --report, --metrics and --rejects name is "
          + "written. --out may be left out.",
        reads: .set(\.options.isDryRun, to: true)),
      OptionDescription(
        "--if-changed", "Do nothing if the catalog is that of these dumps already",
        "It must have been made from the same dumps, options and SQL, and nobody may have written "
          + "to it since. The run ends as the one that loaded it.",
        reads: .set(\.options.skipsUnchanged, to: true)),
    ])

  private static let telling = OptionGroup(
    title: "What is told",
    options: [
      OptionDescription(
        "--report", takes: .init("FILE", .file), isRepeatable: true, "Write a report",
        "FILE.json is for programs, FILE.html for people. json:- or html:- goes to standard "
          + "output, and the summary then to standard error.",
        reads: OptionReader { arguments, path, _ throws(UsageError) in
          try arguments.readReport(path)
        }),
      OptionDescription(
        "--metrics", takes: .init("FILE.prom", .file), "Write metrics for Prometheus",
        "They go where node exporter's textfile collector looks; a failed run keeps the time of the "
          + "last success.",
        reads: OptionReader { arguments, path, _ throws(UsageError) in
          arguments.reports.append(try Arguments.metricsFile(path))
        }),
      OptionDescription(
        "--quiet", short: "-q", "Print nothing on a clean night",
        "If there are things to look at, or nothing was published, that is told on standard "
          + "error.",
        reads: .set(\.verbosity, to: .quiet)),
      OptionDescription(
        "--verbose", short: "-v", "Report each table and stage as it is completed",
        reads: .set(\.verbosity, to: .verbose)),
      OptionDescription(
        "--progress",
        takes: .init("WHEN", .words(ProgressMode.allCases.map(\.rawValue))),
        "Whether to show how far the run is: auto, always or never",
        "The line stands on standard error while the run goes on. The default is auto: on a "
          + "terminal, unless the run is quiet, or messages are JSON. It has no colors.",
        reads: .value(\.progress, Arguments.progress)),
      OptionDescription(
        "--log-format", takes: .init("FORMAT", .words(Log.Format.allCases.map(\.rawValue))),
        "Write messages as text, the default, or as json",
        "That is one object a line for each event, the last of them the verdict.",
        reads: .value(\.logFormat, Arguments.logFormat)),
      OptionDescription(
        "--detailed-status", "End with status 4 if there are things to look at",
        "That is, if the catalog is published, and no record was rejected.",
        reads: .set(\.hasDetailedStatus, to: true)),
    ])

  private static let running = OptionGroup(
    title: "How it runs",
    options: [
      OptionDescription(
        "--wait", takes: .init("SECONDS", .text),
        "Wait so long for whoever is writing the same file",
        "The default is 0 for another run, and 5 for a program that has locked the file.",
        reads: .value(\.options.lockTimeout, Arguments.seconds)),
      OptionDescription(
        "--max-key-memory", takes: .init("SIZE", .text),
        "End the run if the keys of all tables take more memory",
        "In bytes, or with K, M or G after the number; the default is 192M.",
        reads: .value(\.options.keyMemory, Arguments.memory)),
    ])

  private static let server = OptionGroup(
    title: "Loading into PostgreSQL",
    options: [
      OptionDescription(
        "--jobs", takes: .init("N", .text), "Load over so many connections",
        "Tables, parts of large ones, and indexes are then loaded and made at once. The default is 1, and all of it "
          + "one transaction.",
        reads: .value(\.connections, Arguments.jobs)),
    ])

  private static let command = OptionGroup(
    title: "Of the command itself",
    options: [
      help,
      OptionDescription(
        "--version", "Print the version",
        reads: .set(\.task, to: .version)),
    ])

  static let help: OptionDescription = .init(
    "--help", short: "-h", "Print what is said here",
    reads: OptionReader { arguments, _, _ in
      arguments.task = .help(arguments.task == .replay ? .command(.replay) : .everything)
    })
}
