import Schema
import Vocabulary
import Quarantine
import Platform
import IngestReport
import Text

/// The meaning of a command line; its conventions are those of GNU and swift-argument-parser.
struct Arguments: Equatable {
  enum Task: Equatable {
    case load
    case repair
    case help(HelpTopic)
    case version
    case completions(Completions.Shell)
    case manual
    case explain(CodeExplanation?)
    case explainStatus(ExitStatus)
    case describe(DescribeForm)
    case metadata(MetadataForm)
    case diff(old: String, new: String, DiffForm)
    case check(String)
    case history(String, isJSON: Bool)
  }

  enum DiffForm { case counts, keys, json }

  enum Verbosity: Int, Comparable {
    case quiet
    case normal, verbose

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  let command: CommandDescription
  var task = Task.load
  var verbosity = Verbosity.normal
  var progress = ProgressMode.auto
  var logFormat = Log.Format.text
  /// Whether a run with warnings has its own exit status.
  var hasDetailedStatus = false
  var options = IngestOptions(source: "", output: .nothing)
  /// The value of `--out`; empty without it.
  var out = ""
  let schema: SchemaChoice
  var reports: [ReportFile] = []
  /// The format of the report on standard output; nil if there is none.
  var printedReport: ReportFile.Format?
  /// The options of a server, which has no address yet.
  var server = ServerSchema(connection: "", name: "")
  /// The limits used so far, with their tables.
  private var usedLimits: Set<String> = []

  /// Reads the words of a command line; if `tables` is empty, any table name is allowed.
  init(_ words: CommandWords, tables: [String]) throws(UsageError) {
    command = words.command
    schema = words.schema
    try words.forEachOption { option, value throws(UsageError) in
      try option.reader?.store(&self, value, tables)
    }
    // Otherwise only help or the version is printed.
    guard task == .load else { return }
    switch command {
    case .load: try completeLoad(words)
    case .repair: try completeRepair(words)
    default: task = try Self.task(words)
    }
  }

  private mutating func completeLoad(_ words: CommandWords) throws(UsageError) {
    let verbosities = ["--quiet", "--verbose"].filter(words.has)
    try require(
      verbosities.count < 2,
      "'\(verbosities[0])' and '\(verbosities[1])' cannot be combined")
    try require(
      progress != .always || logFormat == .text,
      "'--progress always' and '--log-format json' cannot be combined")
    try completeSchema(words)
    try require(!out.isEmpty || options.isDryRun, "missing option '--out FILE'")
    try require(!options.skipsUnchanged || !out.isEmpty, "'--if-changed' requires '--out FILE'")
    try readOutput()
    try checkFiles()
    try checkRepairs()
    options.command = commandLine(words.words)
  }

  private mutating func completeRepair(_ words: CommandWords) throws(UsageError) {
    task = .repair
    try completeSchema(words)
    try require(options.rejectsFolder != nil, "missing option '--rejects DIR'")
    try require(options.repairsFolder != nil, "missing option '--repairs DIR'")
    try checkRepairs()
  }

  /// The command line for a message, with the output as messages name it.
  private func commandLine(_ words: [String]) -> String {
    let redacted = words.map { word in
      guard let scheme = ServerAddress.schemes.first(where: { word.contains($0) }) else {
        return word
      }
      return word.hasBytePrefix(scheme) ? options.output.name : "--out=\(options.output.name)"
    }
    return (["ingest"] + redacted).map(shellWord).joined(separator: " ")
  }

  private mutating func completeSchema(_ words: CommandWords) throws(UsageError) {
    switch schema {
    case .builtIn:
      for option in ["--ignore-unsupported", "--schemas"] {
        try require(!words.has(option), "'\(option)' requires a description in --schema")
      }
      try require(!options.source.isEmpty, "missing option '--source DIR'")
    case .file(let path):
      options.findsSourcesByName = !options.source.isEmpty
      if options.source.isEmpty { options.source = parentFolder(of: path) }
      options.schemaWords =
        words.values(of: "--schemas").flatMap { ["--schemas", $0] }
        + (words.has("--ignore-unsupported") ? ["--ignore-unsupported"] : [])
    }
  }

  private func checkFiles() throws(UsageError) {
    try require(
      out != "-",
      "a database cannot be written to standard output: use a file for --out ('./-' is a file named '-')"
    )
    for (index, report) in reports.enumerated() {
      try require(
        out.isEmpty || !areSamePath(report.path, out),
        "'\(report.path)' cannot be both the database and its \(report.noun)")
      try require(
        !reports[..<index].contains(where: { areSamePath($0.path, report.path) }),
        "'\(report.path)' is used twice for --report")
    }
    if let rejects = options.rejectsFolder, !out.isEmpty {
      let used = [out, parentFolder(of: out)]
      try require(
        !used.contains(where: { areSamePath(rejects, $0) }),
        "'\(rejects)' cannot be the folder of rejected records: it is, or contains, the database")
    }
    if let collision = PathCollision(in: options, reports: reports.map(\.path)) {
      throw UsageError(
        message: "'\(collision.path)' cannot be used for \(collision.purpose): "
          + "the run writes \(collision.otherPurpose) there, or to a derived name")
    }
  }

  /// Checks that the folder of repairs is not one that a run moves or removes.
  private func checkRepairs() throws(UsageError) {
    guard let folder = options.repairsFolder else { return }
    for (other, contents) in [
      (options.usedRejectsFolder, "rejected records"), (options.source, "source files"),
    ] {
      guard let other, areSamePath(folder, other) else { continue }
      throw UsageError(message: "'\(folder)' cannot be the folder of both repairs and \(contents)")
    }
  }

  /// Checks that a limit is used at most once for all tables, and once for each table.
  mutating func checkIsUnique(_ limit: String, of option: String) throws(UsageError) {
    let parts = limit.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let table = parts.count > 1 ? " for \(parts[0])" : ""
    try require(
      usedLimits.insert(option + table).inserted, "option '\(option)' is used twice\(table)")
  }

  mutating func parseReport(_ value: String) throws(UsageError) {
    guard value.hasByteSuffix(":-") else { return reports.append(try Self.reportFile(value)) }
    let word = value.dropLast(2)
    guard let format = ReportFile.Format.reports.first(where: { $0.rawValue == word }) else {
      throw UsageError(
        message:
          "invalid value '\(value)' for --report: expected 'json:-' or 'html:-' for standard output"
      )
    }
    try require(printedReport == nil, "only one report can be printed to standard output")
    printedReport = format
  }
}
