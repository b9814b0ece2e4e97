import Run
import SQLiteDestination
import SourceFiles
import Facts
import Files
import IngestReport

/// The command line, read after the conventions of GNU and of swift-argument-parser.
struct Arguments: Equatable {
  /// What the command is asked to do.
  enum Task: Equatable {
    case load
    /// Loads with the repaired records of an earlier run in place of those that were rejected.
    case replay
    case help(HelpTopic)
    case version
    /// Prints a script that completes command lines.
    case completions(Completions.Shell)
    /// Prints the manual page.
    case manual
    /// Explains a code, or lists them all.
    case explain(CodeExplanation?)
    /// Explains an exit status.
    case explainStatus(ExitStatus)
    /// Describes dumps.
    case describe(DescribeForm)
    /// Prints what the catalogue's schema says of itself.
    case metadata(MetadataForm)
    /// Says in what two catalogues differ.
    case diff(old: String, new: String, DiffForm)
    /// Looks for faults in a catalogue.
    case check(String)
  }

  /// How differences are told.
  enum DiffForm: Equatable {
    /// As a table of counts.
    case counts
    /// As that, and every key with what has become of it.
    case keys
    /// As one document of JSON.
    case json
  }

  /// How much it says.
  enum Verbosity: Int, Comparable {
    /// What there is to look at; nothing if there is nothing.
    case quiet
    case normal, verbose

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  var task = Task.load
  var verbosity = Verbosity.normal
  /// Whether it shows how far it is.
  private(set) var progress = ProgressMode.auto
  /// How that is written which goes to standard error.
  private(set) var logFormat = Log.Format.text
  /// Whether a catalogue that is published with things to look at has an exit status of its own.
  private(set) var hasDetailedStatus = false
  /// What the run is to do; complete if the task is one.
  var options = IngestOptions(source: "", output: "")
  /// The family of the dumps.
  var schema = SchemaChoice.rebrickable
  /// Whether what is not understood of its description is passed over, and told.
  private var ignoresUnsupported = false
  /// The files that the report goes to, and the one for metrics.
  private(set) var reports: [ReportFile] = []
  /// How the report is written that goes to standard output, if one does.
  private(set) var printedReport: ReportFile.Format?
  /// Whether the schema is kept that was published before.
  var keepsPrevious: Bool { given.contains("--keep-previous") }
  /// Over how many connections a schema is loaded.
  private(set) var connections = 1
  /// The options that were given and may be given once, limits with their table.
  private var given: Set<String> = []

  /// Reads the arguments after the command's name.
  ///
  /// - Parameters:
  ///   - arguments: the words of the command line.
  ///   - tables: the tables that can be named; none if they are not known, and any can.
  /// - Throws: `UsageError` for the first word that cannot be understood.
  init(_ arguments: [String], tables: [String]) throws(UsageError) {
    var rest = arguments[...]
    switch rest.first {
    case "help": task = try Self.helping(rest.dropFirst())
    case "completions": task = try Self.completing(rest.dropFirst())
    case "manual": task = try Self.printingManual(rest.dropFirst())
    case "explain": task = try Self.explaining(rest.dropFirst())
    case "diff": try readDiff(rest.dropFirst())
    case "describe": task = try Self.describing(rest.dropFirst())
    case "metadata":
      let form = try MetadataForm(rest.dropFirst())
      task = form.map { .metadata($0) } ?? .help(.command(.metadata))
    case "check": try readCheck(rest.dropFirst())
    case "replay":
      task = .replay
      rest.removeFirst()
      try readRun(&rest, tables: tables)
    default: try readRun(&rest, tables: tables)
    }
  }

  /// Reads the options of a run, which must then be complete.
  private mutating func readRun(
    _ rest: inout ArraySlice<String>, tables: [String]
  ) throws(UsageError) {
    while let argument = rest.first {
      if argument.hasPrefix("@") {
        try read(ResponseFile(String(argument.dropFirst())), tables: tables)
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
      try readOption(&rest, tables: tables)
    }
    guard task == .load || task == .replay else { return }
    let verbosities = ["--quiet", "--verbose"].filter(given.contains)
    guard verbosities.count < 2 else {
      throw UsageError(
        message: "'\(verbosities[0])' and '\(verbosities[1])' cannot be given together")
    }
    guard progress != .always || logFormat == .text else {
      throw UsageError(
        message: "'--progress always' and '--log-format json' cannot be given together")
    }
    try checkSchema()
    guard !options.output.isEmpty || options.isDryRun else {
      throw UsageError(message: "missing option '--out FILE'")
    }
    guard !options.skipsUnchanged || !options.output.isEmpty else {
      throw UsageError(message: "'--if-changed' compares with '--out FILE', which is missing")
    }
    guard !options.skipsUnchanged || task != .replay else {
      throw UsageError(message: "'replay' always loads, and cannot be given with '--if-changed'")
    }
    try readServer()
    try checkFiles()
    try checkRepairs()
    try completeReplay()
  }

  /// What is wrong with a word that is no option.
  private func unexpected(_ word: String) -> String {
    let known = CommandDescription.all.first { $0.name == word }
    if let known, task != .replay {
      return "the command '\(word)' must be the first word: \(known.usage)"
    }
    let suggestion =
      known == nil ? nearest(to: word, of: CommandDescription.all.map(\.name)) : ""
    return "unexpected argument '\(word)'\(suggestion)"
  }

  /// Makes sure that it is known where the dumps are.
  private mutating func checkSchema() throws(UsageError) {
    switch schema {
    case .builtIn:
      guard !ignoresUnsupported else {
        throw UsageError(
          message: "'--ignore-unsupported' is for a description: name it with --schema")
      }
      guard !options.source.isEmpty else {
        throw UsageError(message: "missing option '--source DIR'")
      }
    case .file(let path):
      options.findsDumpsByName = !options.source.isEmpty
      if options.source.isEmpty { options.source = parentFolder(of: path) }
    }
  }

  /// Makes sure that nothing that is written takes the place of something else that is.
  private func checkFiles() throws(UsageError) {
    guard options.output != "-" else {
      throw UsageError(
        message:
          "a catalogue is a file, which takes its place when it is complete, and cannot go to "
          + "standard output: name one for --out ('./-' is a file called '-')")
    }
    for (index, report) in reports.enumerated() {
      guard options.output.isEmpty || !areSamePath(report.path, options.output) else {
        throw UsageError(message: "'\(report.path)' cannot be the catalogue and its \(report.noun)")
      }
      guard !reports[..<index].contains(where: { areSamePath($0.path, report.path) }) else {
        throw UsageError(message: "'\(report.path)' is named twice for --report")
      }
    }
    if let rejects = options.rejectsFolder, !options.output.isEmpty {
      let taken = [options.output, parentFolder(of: options.output)]
      guard !taken.contains(where: { areSamePath(rejects, $0) }) else {
        throw UsageError(
          message: "'\(rejects)' cannot be the folder of rejected records and have the catalogue")
      }
    }
    if let collision = PathCollision(in: options, reports: reports.map(\.path)) {
      throw UsageError(
        message: "'\(collision.path)' cannot be for \(collision.purpose): "
          + "\(collision.otherPurpose) would be kept there, or needs that name meanwhile")
    }
  }

  /// Makes sure that repairs are written only where there are any, and that they are not moved or removed
  /// with what a run leaves.
  private func checkRepairs() throws(UsageError) {
    if options.writtenRepairs != nil {
      guard task == .replay else {
        throw UsageError(
          message: "'--write-repairs' is for 'ingest replay', which has something to write")
      }
      guard !options.isDryRun else {
        throw UsageError(message: "'--write-repairs' cannot be given with '--dry-run'")
      }
    }
    let rejects =
      options.rejectsFolder ?? (options.output.isEmpty ? nil : options.defaultRejectsFolder)
    for folder in [options.repairsFolder, options.writtenRepairs].compactMap(\.self) {
      for (other, what) in [(rejects, "rejected records"), (options.source, "dumps")] {
        guard let other, areSamePath(folder, other) else { continue }
        throw UsageError(message: "'\(folder)' cannot be the folder of repairs and of \(what)")
      }
    }
  }

  /// Names the folder of a replay, which is also where the records go that are still rejected.
  private mutating func completeReplay() throws(UsageError) {
    guard task == .replay else { return }
    guard options.rejectsFolder != nil || !options.output.isEmpty else {
      throw UsageError(message: "missing option '--rejects DIR'")
    }
    options.replayedFolder = options.rejectsFolder ?? options.defaultRejectsFolder
    options.rejectsFolder = options.isDryRun ? nil : options.replayedFolder
  }

  /// Reads the option that the words begin with, and its value.
  mutating func readOption(
    _ rest: inout ArraySlice<String>, tables: [String]
  ) throws(UsageError) {
    guard let option = rest.popFirst().map(Option.init) else { return }
    let known = CommandDescription.load.options.first { $0.name == option.name }
    if let known, known.value != nil, !known.isRepeatable, !given.insert(option.name).inserted {
      throw UsageError(message: "the option '\(option.name)' is given twice")
    }
    switch option.name {
    case "--schema": schema = SchemaChoice(named: try option.value(&rest))
    case "--source": options.source = try option.path(&rest)
    case "--out": options.output = try option.path(&rest)
    case "--rejects": options.rejectsFolder = try option.path(&rest)
    case "--wait": options.lockTimeout = try Self.seconds(option.value(&rest))
    case "--progress": progress = try Self.progress(option.value(&rest))
    case "--report": try readReport(option.path(&rest))
    case "--metrics": reports.append(try Self.metricsFile(option.path(&rest)))
    case "--log-format": logFormat = try Self.logFormat(option.value(&rest))
    case "--max-rejects":
      try options.rejectLimits.read(limit(of: option, &rest), tables: tables)
    case "--max-shrink":
      try options.shrinkLimits.read(limit(of: option, &rest), tables: tables)
    case "--jobs": connections = try Self.jobs(option.value(&rest))
    case "--max-key-memory":
      options.keyMemory = try Self.memory(option.value(&rest))
    case "--accept": options.acceptFile = try option.path(&rest)
    case "--repairs": options.repairsFolder = try option.path(&rest)
    case "--write-repairs": options.writtenRepairs = try option.path(&rest)
    case "--sql": options.sqlFiles.append(try option.path(&rest))
    case "--allow-missing":
      try options.allowedMissing.read(option.value(&rest), tables: tables)
    default: try readFlag(option)
    }
  }

  /// The value of an option that may be given once for all tables, and once for each.
  private mutating func limit(
    of option: Option, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    let value = try option.value(&rest)
    let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let table = parts.count > 1 ? " for \(parts[0])" : ""
    guard given.insert(option.name + table).inserted else {
      throw UsageError(message: "the option '\(option.name)' is given twice\(table)")
    }
    return value
  }

  private mutating func readReport(_ value: String) throws(UsageError) {
    guard value.hasSuffix(":-") else { return reports.append(try Self.reportFile(value)) }
    let word = value.dropLast(2)
    guard let format = ReportFile.Format.reports.first(where: { $0.rawValue == word }) else {
      throw UsageError(
        message: "'\(value)' is no report: 'json:-' and 'html:-' go to standard output")
    }
    guard printedReport == nil else {
      throw UsageError(message: "only one report can go to standard output")
    }
    printedReport = format
  }

  private mutating func readFlag(_ option: Option) throws(UsageError) {
    switch option.name {
    case "--strict-schema": options.isStrict = true
    case "--dry-run": options.isDryRun = true
    case "--if-changed": options.skipsUnchanged = true
    case "--no-search": options.hasSearch = false
    case "--ignore-unsupported": ignoresUnsupported = true
    case "--detailed-status": hasDetailedStatus = true
    case "--quiet", "-q":
      verbosity = .quiet
      given.insert("--quiet")
    case "--verbose", "-v":
      verbosity = .verbose
      given.insert("--verbose")
    case "--keep-previous": given.insert("--keep-previous")
    case "--help", "-h": task = .help(task == .replay ? .command(.replay) : .everything)
    case "--version": task = .version
    default:
      let suggestion = nearest(to: option.name, of: CommandDescription.load.options.map(\.name))
      throw UsageError(message: "unknown option '\(option.name)'\(suggestion)")
    }
    _ = try option.withoutValue()
  }
}
