import Schema
import Vocabulary
import Quarantine
import Platform
import IngestReport
import Text

/// The parsed command line; its conventions are those of GNU and swift-argument-parser.
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

  enum DiffForm: Equatable {
    case counts
    case keys
    case json
  }

  enum Verbosity: Int, Comparable {
    case quiet
    case normal, verbose

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  var task = Task.load
  var verbosity = Verbosity.normal
  var progress = ProgressMode.auto
  var logFormat = Log.Format.text
  /// Whether a run with warnings has its own exit status.
  var hasDetailedStatus = false
  var options = IngestOptions(source: "", output: "")
  var schema = SchemaChoice.rebrickable
  /// Whether unsupported features of the description are ignored, with a warning.
  var ignoresUnsupported = false
  /// The folder of the schemas that the description names by URL; nil for none.
  var schemasFolder: String?
  var reports: [ReportFile] = []
  /// The format of the report on standard output; nil if there is none.
  var printedReport: ReportFile.Format?
  var connections = 1
  var publishing = ServerSchema.Publishing.automatic
  var allowsLoss = false
  var distributed: DistributedTable?
  /// The options used so far, limits with their table.
  private var usedOptions: Set<String> = []

  /// Parses the words of a command line; if `tables` is empty, any table name is allowed.
  init(_ arguments: [String], tables: [String]) throws(UsageError) {
    var rest = arguments[...]
    switch rest.first {
    case "help": task = try Self.helpTask(rest.dropFirst())
    case "completions": task = try Self.completionsTask(rest.dropFirst())
    case "manual": task = try Self.manualTask(rest.dropFirst())
    case "explain": task = try Self.explainTask(rest.dropFirst())
    case "diff": try parseDiff(rest.dropFirst())
    case "describe": task = try Self.describeTask(rest.dropFirst())
    case "metadata": try parseMetadata(rest.dropFirst())
    case "history": task = try Self.historyTask(rest.dropFirst())
    case "check": try parseCheck(rest.dropFirst())
    case "replay": throw .replayRemoved
    case "repair":
      task = .repair
      rest.removeFirst()
      try parseRun(&rest, tables: tables)
    default: try parseRun(&rest, tables: tables)
    }
    options.command = command(arguments)
  }

  private mutating func parseRun(
    _ rest: inout ArraySlice<String>, tables: [String]
  ) throws(UsageError) {
    while let argument = rest.first {
      if argument.hasBytePrefix("@") {
        try parse(ResponseFile(argument.dropping(prefix: "@")), tables: tables)
        rest.removeFirst()
        continue
      }
      guard argument.utf8.first == UInt8(ascii: "-"), argument != "-" else {
        throw UsageError(message: unexpected(argument))
      }
      if argument == "--" {
        guard let next = rest.dropFirst().first else { break }
        throw UsageError(message: "unexpected argument '\(next)'")
      }
      try parseOption(&rest, tables: tables)
    }
    guard task == .load else {
      if task == .repair { try checkRepair() }
      return
    }
    let verbosities = ["--quiet", "--verbose"].filter(usedOptions.contains)
    try require(
      verbosities.count < 2,
      "'\(verbosities[0])' and '\(verbosities[1])' cannot be combined")
    try require(
      progress != .always || logFormat == .text,
      "'--progress always' and '--log-format json' cannot be combined")
    try checkSchema()
    try require(!options.output.isEmpty || options.isDryRun, "missing option '--out FILE'")
    try require(
      !options.skipsUnchanged || !options.output.isEmpty,
      "'--if-changed' requires '--out FILE'")
    try parseServer()
    try checkFiles()
    try checkRepairs()
  }

  private mutating func checkRepair() throws(UsageError) {
    try checkSchema()
    try require(options.rejectsFolder != nil, "missing option '--rejects DIR'")
    try require(options.repairsFolder != nil, "missing option '--repairs DIR'")
    try checkRepairs()
  }

  /// The command line for a message, with the output as messages name it.
  private func command(_ words: [String]) -> String {
    let redacted = words.map { word in
      guard let scheme = ServerAddress.schemes.first(where: { word.contains($0) }) else {
        return word
      }
      return word.hasBytePrefix(scheme) ? options.output : "--out=\(options.output)"
    }
    return (["ingest"] + redacted).map(shellWord).joined(separator: " ")
  }

  private func unexpected(_ word: String) -> String {
    let known = CommandDescription.all.first { $0.name == word }
    if let known, task != .repair {
      return "the command '\(word)' must be the first word: \(known.usage)"
    }
    let suggestion =
      known == nil ? nearest(to: word, of: CommandDescription.all.map(\.name)) : ""
    return "unexpected argument '\(word)'\(suggestion)"
  }

  private mutating func checkSchema() throws(UsageError) {
    switch schema {
    case .builtIn:
      try require(
        !ignoresUnsupported,
        "'--ignore-unsupported' requires a description in --schema")
      try require(schemasFolder == nil, "'--schemas' requires a description in --schema")
      try require(!options.source.isEmpty, "missing option '--source DIR'")
    case .file(let path):
      options.findsSourcesByName = !options.source.isEmpty
      if options.source.isEmpty { options.source = parentFolder(of: path) }
    }
  }

  private func checkFiles() throws(UsageError) {
    try require(
      options.output != "-",
      "a database cannot be written to standard output: use a file for --out ('./-' is a file named '-')"
    )
    for (index, report) in reports.enumerated() {
      try require(
        options.output.isEmpty || !areSamePath(report.path, options.output),
        "'\(report.path)' cannot be both the database and its \(report.noun)")
      try require(
        !reports[..<index].contains(where: { areSamePath($0.path, report.path) }),
        "'\(report.path)' is used twice for --report")
    }
    if let rejects = options.rejectsFolder, !options.output.isEmpty {
      let used = [options.output, parentFolder(of: options.output)]
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
    let rejects =
      options.rejectsFolder ?? (options.output.isEmpty ? nil : options.defaultRejectsFolder)
    for (other, contents) in [(rejects, "rejected records"), (options.source, "source files")] {
      guard let other, areSamePath(folder, other) else { continue }
      throw UsageError(
        message: "'\(folder)' cannot be the folder of both repairs and \(contents)")
    }
  }

  mutating func parseOption(
    _ rest: inout ArraySlice<String>, tables: [String]
  ) throws(UsageError) {
    guard let option = rest.popFirst().map(Option.init) else { return }
    let options = (task == .repair ? CommandDescription.repair : .load).options
    guard let known = options.first(where: { [$0.name, $0.short].contains(option.name) }),
      let reader = known.reader
    else {
      if option.name == "--write-repairs" { throw .replayRemoved }
      let suggestion = nearest(to: option.name, of: options.map(\.name))
      throw UsageError(message: "unknown option '\(option.name)'\(suggestion)")
    }
    let isFirst = usedOptions.insert(known.name).inserted
    try require(
      isFirst || known.value == nil || known.isRepeatable,
      "option '\(option.name)' is used twice")
    let value =
      switch known.value?.kind {
      case nil: try option.withoutValue()
      case .file, .folder: try option.path(&rest)
      case .wordOrFile, .words, .text: try option.value(&rest)
      }
    try reader.store(&self, value, tables)
  }

  /// Checks that a limit is used at most once for all tables, and once for each table.
  mutating func checkIsUnique(_ limit: String, of option: String) throws(UsageError) {
    let parts = limit.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let table = parts.count > 1 ? " for \(parts[0])" : ""
    try require(
      usedOptions.insert("\(option)=\(table)").inserted, "option '\(option)' is used twice\(table)")
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
