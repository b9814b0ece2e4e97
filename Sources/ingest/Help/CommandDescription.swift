import IngestReport

/// What is said of a command, once: help, manual page and completions are made of it.
struct CommandDescription: Equatable {
  /// The word that it begins with; empty for loading, which needs none.
  let name: String
  let operands: String
  let summary: String
  let paragraphs: [String]
  let groups: [OptionGroup]
  /// What its operands can be, for completions; nil if it has none.
  var operandKind: OptionDescription.Value.Kind?
  let examples: [String]

  var usage: String { (["ingest", name, operands].filter { !$0.isEmpty }).joined(separator: " ") }

  var topic: String { name.isEmpty ? "load" : name }

  var options: [OptionDescription] { groups.flatMap(\.options) }
}

extension CommandDescription {
  static let all: [CommandDescription] = [
    load, replay, diff, check, describe, explain, metadata, help, completions, manual,
  ]

  static func of(_ word: String?) -> CommandDescription {
    all.first { $0.name == word } ?? load
  }

  static let load = CommandDescription(
    name: "", operands: "--source DIR --out FILE [OPTION...]",
    summary: "Load the dumps of Rebrickable's LEGO catalog, or others, into one SQLite file",
    paragraphs: [
      "Every record is checked. The file at --out is replaced only when all is well, in one step, so "
        + "readers find the old catalog or the new one.",
      "Rejected records are kept as they are, with all reasons. 'ingest replay' loads the dumps again "
        + "with the records that were repaired there in their place.",
      "A summary that begins with the verdict goes to standard output, messages to standard error. A run "
        + "that fails says all on standard error.",
      "@FILE stands for the options in a file: one on each line with its value, without quotes; blank "
        + "lines and lines that begin with # are left out. Paths are relative to that file.",
    ],
    groups: OptionGroup.load,
    examples: [
      "ingest --source dumps/ --out catalog.sqlite",
      "ingest --source dumps/ --out catalog.sqlite --report report.html",
      "ingest --source dumps/ --out catalog.sqlite --quiet --if-changed",
      "ingest --schema gtfs --source feed.zip --out feed.sqlite",
      "ingest @/etc/ingest/nightly.conf --dry-run",
    ])

  static let replay = CommandDescription(
    name: "replay", operands: "--source DIR --out FILE [OPTION...]",
    summary: "Load the dumps again, with the records that were repaired",
    paragraphs: [
      "The records in the folder of --rejects (default: FILE.rejects) take the place of those that "
        + "were rejected; repair them there with an editor. It has the options of a load."
    ],
    groups: OptionGroup.load,
    examples: [
      "ingest replay --source dumps/ --out catalog.sqlite",
      "ingest replay --source dumps/ --out catalog.sqlite --write-repairs repairs/",
    ])

  static let diff = CommandDescription(
    name: "diff", operands: "[--keys | --json] [--schema FILE] OLD NEW",
    summary: "Say in what two catalogs differ",
    paragraphs: ["Both are only read. It ends with status 1 if there is a difference."],
    groups: OptionGroup.few(
      OptionDescription("--keys", "Print each key that differs, and what has changed there"),
      OptionDescription("--json", "Print everything as one document of JSON"),
      OptionGroup.schema),
    operandKind: .file,
    examples: ["ingest diff yesterday.sqlite catalog.sqlite"])

  static let check = CommandDescription(
    name: "check", operands: "[-q] [--schema FILE] FILE", summary: "Look for faults in a catalog",
    paragraphs: ["The file is only read. It ends with status 65 if there are faults."],
    groups: OptionGroup.few(
      OptionDescription("--quiet", short: "-q", "Print nothing if the catalog is sound"),
      OptionGroup.schema),
    operandKind: .file,
    examples: ["ingest check catalog.sqlite"])

  static let describe = CommandDescription(
    name: "describe", operands: "--source DIR [--name NAME] | --rebrickable | --gtfs",
    summary: "Print a description of dumps, for --schema",
    paragraphs: [
      "The description is a Data Package (https://datapackage.org), as JSON. One of dumps is a first one: "
        + "types, keys and references are what the data suggest. Each says in its description on what "
        + "evidence, so read it before you trust it."
    ],
    groups: OptionGroup.few(
      OptionDescription(
        "--source", takes: .init("DIR", .file),
        "Describe the dumps in a folder, or in a ZIP archive"),
      OptionDescription(
        "--name", takes: .init("NAME", .text), "How the family is called",
        "The default is the name of the folder."),
      OptionDescription("--rebrickable", "Print how Rebrickable's dumps are described"),
      OptionDescription("--gtfs", "Print how GTFS feeds are described")),
    examples: [
      "ingest describe --source dumps/ > datapackage.json",
      "ingest --schema datapackage.json --source dumps/ --out dumps.sqlite",
    ])

  static let explain = CommandDescription(
    name: "explain", operands: "[CODE | STATUS]",
    summary: "Say what the code of a message means, and what to do",
    paragraphs: ["Without a word after it, all codes are listed."],
    groups: OptionGroup.few(),
    operandKind: .words(
      CodeExplanation.all.map(\.code) + ExitStatus.allCases.map { "\($0.rawValue)" }),
    examples: ["ingest explain missing-parent", "ingest explain 65"])

  static let metadata = CommandDescription(
    name: "metadata", operands: "--datasette [--database NAME] | --dictionary | --diagram",
    summary: "Print what the tables and columns mean", paragraphs: [],
    groups: OptionGroup.few(
      OptionDescription("--datasette", "Print the metadata of Datasette, as JSON"),
      OptionDescription(
        "--database", takes: .init("NAME", .text),
        "The name of the file for Datasette, without .sqlite",
        "The default is catalog."),
      OptionDescription(
        "--dictionary", "Print a dictionary of tables and columns, in Markdown"),
      OptionDescription("--diagram", "Print a picture of the tables, as SVG")),
    examples: ["ingest metadata --datasette > metadata.json"])

  static let help = CommandDescription(
    name: "help", operands: "[TOPIC]", summary: "Print help: all, or on one topic",
    paragraphs: [
      "A topic is a command (load, replay, ...), an option, 'status' for the exit statuses, one of "
        + "those, or the code of a message."
    ],
    groups: [],
    operandKind: .words(
      [
        "load", "replay", "diff", "check", "describe", "explain", "metadata", "completions",
        "manual", "status",
      ]
    ),
    examples: ["ingest help --max-rejects"])

  static let completions = CommandDescription(
    name: "completions", operands: "bash | zsh | fish",
    summary: "Print a script that completes command lines in a shell", paragraphs: [], groups: [],
    operandKind: .words(Completions.Shell.allCases.map(\.rawValue)),
    examples: [
      "ingest completions bash > ~/.local/share/bash-completion/completions/ingest",
      "ingest completions zsh > ~/.zfunc/_ingest",
      "ingest completions fish > ~/.config/fish/completions/ingest.fish",
    ])

  static let manual = CommandDescription(
    name: "manual", operands: "", summary: "Print the manual page, for man", paragraphs: [],
    groups: [], examples: ["ingest manual | man -l -"])
}
