import IngestReport

/// Describes a command; the source of its help, manual page and completions.
struct CommandDescription: Equatable {
  /// The first word of the command line; empty for a load.
  let name: String
  let operands: String
  let summary: String
  let paragraphs: [String]
  let groups: [OptionGroup]
  /// What a message names as missing after 0, 1, … operands; as many operands are required.
  var operandNames: [String] = []
  /// The kind of its operands, for completions; nil if it has none.
  var operandKind: OptionDescription.Value.Kind?
  let examples: [String]

  var usage: String { (["ingest", name, operands].filter { !$0.isEmpty }).joined(separator: " ") }

  var topic: String { name.isEmpty ? "load" : name }

  var options: [OptionDescription] { groups.flatMap(\.options) }

  /// Whether it reads source files with the options of a load, also from files of options.
  var isRun: Bool { [.load, .repair].contains(self) }

  /// Whether options after its name are topics, such as `help --out`.
  var takesTopic: Bool { [.help, .explain].contains(self) }
}

extension CommandDescription {
  static let all: [CommandDescription] = [
    load, repair, diff, check, history, describe, explain, metadata, help, completions, manual,
  ]

  static func of(_ word: String?) -> CommandDescription { all.first { $0.name == word } ?? load }

  static let load = CommandDescription(
    name: "", operands: "--source DIR --out FILE [OPTION...]",
    summary: "Load Rebrickable's LEGO catalog, or your own CSV files, into a SQLite database",
    paragraphs: [
      "Every record is checked. The database at --out is replaced in one step, and only if the load "
        + "succeeds. Readers see the previous database or the new one.",
      "Rejected records are kept unchanged, with all reasons. Fix them there, save them with 'ingest "
        + "repair', and load again with --repairs.",
      "The summary, which begins with the verdict, goes to standard output, and messages to standard error. "
        + "A failed run prints everything to standard error.",
      "@FILE reads options from a file: one per line with its value, without quotes. Blank lines and lines "
        + "that begin with # are ignored. Paths are relative to that file.",
    ],
    groups: OptionGroup.load,
    examples: [
      "ingest --source dumps/ --out catalog.sqlite",
      "ingest --source dumps/ --out catalog.sqlite --report report.html",
      "ingest --source dumps/ --out catalog.sqlite --quiet --if-changed",
      "ingest --schema gtfs --source feed.zip --out feed.sqlite",
      "ingest @/etc/ingest/nightly.conf --dry-run",
    ])

  static let repair = CommandDescription(
    name: "repair", operands: "--rejects DIR --repairs DIR --source DIR [OPTION...]",
    summary: "Save edited rejected records as repairs",
    paragraphs: [
      "Change, add or delete records in DIR/TABLE.csv of the rejects folder. This command saves the "
        + "differences from the source files, which must be those of the run that rejected the records. "
        + "A load with --repairs applies them."
    ],
    groups: [OptionGroup(title: "Options", options: OptionGroup.repair)],
    examples: [
      "ingest repair --rejects catalog.sqlite.rejects --repairs fixes --source dumps",
      "ingest --source dumps/ --out catalog.sqlite --repairs fixes",
    ])

  static let diff = CommandDescription(
    name: "diff", operands: "[--keys | --json] [--schema FILE] OLD NEW",
    summary: "Compare two databases",
    paragraphs: [
      "Neither is changed. The exit status is 1 if they differ. OLD and NEW are files, or schemas of a PostgreSQL "
        + "database (postgresql://HOST/DATABASE#SCHEMA)."
    ],
    groups: OptionGroup.few(
      OptionDescription("--keys", "Print each key that differs, with the old and new values"),
      OptionDescription("--json", "Print all differences as one JSON document"),
      OptionGroup.schema, OptionGroup.schemas),
    operandNames: ["OLD and NEW, two databases", "NEW, the second database"], operandKind: .file,
    examples: ["ingest diff yesterday.sqlite catalog.sqlite"])

  static let check = CommandDescription(
    name: "check", operands: "[-q] [--schema FILE] FILE",
    summary: "Check the integrity of a database",
    paragraphs: [
      "The database is not changed. The exit status is 65 if there are faults. It is a file, or a schema of a "
        + "PostgreSQL database (postgresql://HOST/DATABASE#SCHEMA)."
    ],
    groups: OptionGroup.few(
      OptionDescription(
        "--quiet", short: "-q", "Print nothing if there are no faults",
        reads: .set(\.verbosity, to: .quiet)),
      OptionGroup.schema, OptionGroup.schemas),
    operandNames: ["FILE, the database"], operandKind: .file,
    examples: ["ingest check catalog.sqlite"])

  static let history = CommandDescription(
    name: "history", operands: "[--json] FILE",
    summary: "Print the runs that led to a database",
    paragraphs: [
      "Each line is a run that published: the date of its data, its verdict, and its rows and changed keys. "
        + "Warnings that last until their cause is gone follow. The database is a file, or a schema of a PostgreSQL "
        + "database (postgresql://HOST/DATABASE#SCHEMA)."
    ],
    groups: OptionGroup.few(
      OptionDescription("--json", "Print all tables of each run as one JSON document")),
    operandNames: ["FILE, the database"], operandKind: .file,
    examples: ["ingest history catalog.sqlite"])

  static let describe = CommandDescription(
    name: "describe", operands: "--source DIR [OPTION...] | --rebrickable | --gtfs",
    summary: "Print a description of CSV files, for --schema",
    paragraphs: [
      "The description is a Data Package (https://datapackage.org), as JSON. With --source it is a draft: "
        + "types, keys and references are inferred from the data. The description of each field has the "
        + "evidence; check it before you use it."
    ],
    groups: OptionGroup.few(
      OptionDescription(
        "--source", takes: .init("DIR", .file),
        "Describe the CSV files in a folder or ZIP archive"),
      OptionDescription(
        "--name", takes: .init("NAME", .text), "Name of the family of files",
        "The default is the name of the folder."),
      OptionDescription(
        "--exclude", takes: .init("GLOB", .text), isRepeatable: true, "Skip files with such names",
        "For example '*_old.csv'. A file that cannot be read is skipped as well, with a warning."),
      OptionDescription("--recursive", "Describe files in subfolders, too"),
      OptionDescription(
        "--delimiter", takes: .init("TEXT", .text), "Delimiter of fields, such as ';' or '\\t'",
        "The dialect of each file is guessed. What these options set holds for all files instead."),
      OptionDescription(
        "--quote", takes: .init("CHARACTER", .text), "Quote around fields, or 'none'"),
      OptionDescription(
        "--escape", takes: .init("CHARACTER", .text),
        "Character before an escaped one, or 'none'"),
      OptionDescription("--comment", takes: .init("TEXT", .text), "Beginning of comment lines"),
      OptionDescription(
        "--encoding", takes: .init("NAME", .text), "Encoding of files that are not UTF-8",
        "A name that iconv -l lists. The default is a guess, which is reported with a sample."),
      OptionDescription(
        "--header-rows", takes: .init("ROWS", .text),
        "Rows that name the columns, such as 3 or 1,2; rows before them are skipped"),
      OptionDescription(
        "--no-header", "The first line of each file is a record",
        "Columns are named field1, field2, ..."),
      OptionDescription(
        "--verbose", short: "-v", "Print the evidence for each column to standard error"),
      OptionDescription("--rebrickable", "Print the description of Rebrickable's dumps"),
      OptionDescription("--gtfs", "Print the description of GTFS feeds")),
    examples: [
      "ingest describe --source dumps/ > datapackage.json",
      "ingest --schema datapackage.json --source dumps/ --out dumps.sqlite",
    ])

  static let explain = CommandDescription(
    name: "explain", operands: "[CODE | STATUS]",
    summary: "Explain the code of a message",
    paragraphs: ["Without a code or exit status, it lists all codes."],
    groups: OptionGroup.few(),
    operandKind: .words(
      CodeExplanation.all.map(\.code) + ExitStatus.allCases.map { "\($0.rawValue)" }),
    examples: ["ingest explain missing-parent", "ingest explain 65"])

  static let metadata = CommandDescription(
    name: "metadata",
    operands: "--datasette | --dictionary | --diagram [--schema FILE]",
    summary: "Print the meanings of tables and columns", paragraphs: [],
    groups: OptionGroup.few(
      OptionDescription("--datasette", "Print metadata for Datasette, as JSON"),
      OptionDescription(
        "--database", takes: .init("NAME", .text),
        "Name of the database file for Datasette, without .sqlite",
        "The default is catalog."),
      OptionDescription("--dictionary", "Print a data dictionary in Markdown"),
      OptionDescription("--diagram", "Print a diagram of the tables as SVG"),
      OptionGroup.schema, OptionGroup.schemas),
    examples: [
      "ingest metadata --datasette > metadata.json",
      "ingest metadata --dictionary --schema datapackage.json > dictionary.md",
    ])

  static let help = CommandDescription(
    name: "help", operands: "[TOPIC]", summary: "Print all help, or the help on one topic",
    paragraphs: [
      "A topic is a command (load, repair, ...), an option, 'status' for all exit statuses, one exit "
        + "status, or the code of a message."
    ],
    groups: [],
    operandKind: .words(
      [load, repair, diff, check, history, describe, explain, metadata, completions, manual]
        .map(\.topic) + ["status"]),
    examples: ["ingest help --max-rejects"])

  static let completions = CommandDescription(
    name: "completions", operands: "bash | zsh | fish",
    summary: "Print a completion script for a shell", paragraphs: [], groups: [],
    operandNames: ["a shell: bash, zsh or fish"],
    operandKind: .words(Completions.Shell.allCases.map(\.rawValue)),
    examples: [
      "ingest completions bash > ~/.local/share/bash-completion/completions/ingest",
      "ingest completions zsh > ~/.zfunc/_ingest",
      "ingest completions fish > ~/.config/fish/completions/ingest.fish",
    ])

  static let manual = CommandDescription(
    name: "manual", operands: "", summary: "Print the manual page", paragraphs: [],
    groups: [], examples: ["ingest manual | man -l -"])
}
