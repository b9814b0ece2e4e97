/// Options that are told together.
struct OptionGroup: Equatable {
  let title: String
  let options: [OptionDescription]
}

extension OptionGroup {
  /// The options of a run.
  static let load = [catalog, rejects, publishing, telling, running, server, command]

  private static let catalog = OptionGroup(
    title: "Dumps and catalogue",
    options: [
      OptionDescription(
        "--source", takes: .file("DIR"), "The folder of the dumps, or a ZIP archive of all of them",
        "Each table is TABLE.csv.gz, TABLE.csv, TABLE.csv.zip or TABLE.zip; in an archive of all it is "
          + "TABLE.csv. With a description of yours it may be left out: the files are then where that says."
      ),
      schema,
      OptionDescription(
        "--ignore-unsupported", "Pass over what is not understood of a description",
        "Each is told as a notice. Without it, nothing is loaded then."),
      OptionDescription(
        "--out", takes: .file(), "The catalogue to write",
        "A file that is there is replaced only if ingest made it. postgresql://HOST/DATABASE stands for a "
          + "schema there, if this ingest was built with the trait PostgreSQL; it needs --rejects."),
      OptionDescription(
        "--allow-missing", takes: .table(or: ["all"]), isRepeatable: true,
        "Leave the table empty if its dump is not there", "'all' means every table."),
      OptionDescription(
        "--strict-schema",
        "Do not publish if columns, files or values are not as described"),
      OptionDescription("--no-search", "Leave out the full-text search over names and numbers"),
      OptionDescription(
        "--sql", takes: .file(), isRepeatable: true,
        "Run SQL of your own on what was loaded, before it is published",
        "Views, indexes, tables, full-text search. Of a folder all *.sql, by name."),
    ])

  /// The option of all commands that need to know what is in a catalogue.
  static let schema = OptionDescription(
    "--schema", takes: .wordOrFile(SchemaChoice.BuiltIn.allCases.map(\.rawValue)),
    "What the dumps are: a description as a Data Package, or gtfs",
    "Without it they are Rebrickable's. gtfs is the General Transit Feed Specification.")

  private static let rejects = OptionGroup(
    title: "Rejected records and repairs",
    options: [
      OptionDescription(
        "--max-rejects", takes: .text("[TABLE=]N|P%"), isRepeatable: true,
        "Publish although so many records, or that share of all, are rejected",
        "The default is 0. A table with a limit of its own is judged by that alone, all others "
          + "together by the limit without a table."),
      OptionDescription(
        "--rejects", takes: .folder(), "The folder for rejected records",
        "It is made if there are any; the default is FILE.rejects. What an earlier run left there "
          + "is moved to DIR.previous. For a replay, the folder with the repaired records."),
      OptionDescription(
        "--repairs", takes: .folder(), "Correct the dumps every night, before they are checked",
        "Adds the records in DIR/TABLE.add.csv, loads those in DIR/TABLE.replace.csv in place of "
          + "the dump's with their keys, and leaves out those in DIR/TABLE.leave-out.csv."),
      OptionDescription(
        "--write-repairs", takes: .folder(), "Of a replay: add what was repaired to such a folder",
        "It is made if need be."),
    ])

  private static let publishing = OptionGroup(
    title: "What may be published",
    options: [
      OptionDescription(
        "--max-shrink", takes: .text("[TABLE=]P%"), isRepeatable: true,
        "Do not publish if more than that share of the rows is gone",
        "The default is 50%, of each table and of all together. The new file is then kept as "
          + "FILE.refused, until a run publishes."),
      OptionDescription(
        "--accept", takes: .file(),
        "Count notices that a line of the file accepts, and do not tell them",
        "The summary shows the lines; each holds until what it says changes."),
      OptionDescription(
        "--dry-run", "Check everything but SQL of your own, and write no catalogue",
        "The file at --out, the free space and how the catalogue would change are looked at, too; SQL is not "
          + "run, so a run may still fail there. Only what --report, --metrics and --rejects name is "
          + "written. --out may be left out."),
      OptionDescription(
        "--if-changed", "Do nothing if the catalogue is that of these dumps already",
        "It must have been made from the same dumps, options and SQL, and nobody may have written "
          + "to it since. The run ends as the one that loaded it."),
    ])

  private static let telling = OptionGroup(
    title: "What is told",
    options: [
      OptionDescription(
        "--report", takes: .file(), isRepeatable: true, "Write a report",
        "FILE.json is for programs, FILE.html for people. json:- or html:- goes to standard "
          + "output, and the summary then to standard error."),
      OptionDescription(
        "--metrics", takes: .file("FILE.prom"), "Write metrics for Prometheus",
        "They go where node exporter's textfile collector looks; a failed run keeps the time of the "
          + "last success."),
      OptionDescription(
        "--quiet", short: "-q", "Print nothing on a clean night",
        "If there are things to look at, or nothing was published, that is told on standard "
          + "error."),
      OptionDescription(
        "--verbose", short: "-v", "Report each table and stage as it is completed"),
      OptionDescription(
        "--progress",
        takes: .words("WHEN", ProgressMode.allCases.map(\.rawValue)),
        "Whether to show how far the run is: auto, always or never",
        "The line stands on standard error while the run goes on. The default is auto: on a "
          + "terminal, unless the run is quiet, or messages are JSON. It has no colours."),
      OptionDescription(
        "--log-format", takes: .words("FORMAT", Log.Format.allCases.map(\.rawValue)),
        "Write messages as text, the default, or as json",
        "That is one object a line for each event, the last of them the verdict."),
      OptionDescription(
        "--detailed-status", "End with status 4 if there are things to look at",
        "That is, if the catalogue is published, and no record was rejected."),
    ])

  private static let running = OptionGroup(
    title: "How it runs",
    options: [
      OptionDescription(
        "--wait", takes: .text("SECONDS"), "Wait so long for whoever is writing the same file",
        "The default is 0 for another run, and 5 for a program that has locked the file."),
      OptionDescription(
        "--max-key-memory", takes: .text("SIZE"),
        "End the run if the keys of all tables take more memory",
        "In bytes, or with K, M or G after the number; the default is 192M."),
    ])

  private static let server = OptionGroup(
    title: "Loading into PostgreSQL",
    options: [
      OptionDescription(
        "--jobs", takes: .text("N"), "Load over so many connections",
        "Tables, parts of large ones, and indexes are then loaded and made at once. The default is 1, and all of it "
          + "one transaction."),
      OptionDescription(
        "--keep-previous", "Keep the schema that was published before",
        "It is then called NAME__old, until the next run."),
    ])

  private static let command = OptionGroup(
    title: "Of the command itself",
    options: [
      help,
      OptionDescription("--version", "Print the version"),
    ])

  /// The option that every command has.
  static let help = OptionDescription("--help", short: "-h", "Print what is said here")
}
