import Run
import SQLiteDestination
import SourceFiles
import Facts
import Files
import IngestReport

/// The command line, read after the conventions of GNU and of swift-argument-parser.
struct Arguments: Equatable {
  enum Task: Equatable {
    case load
    case replay
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
  }

  enum DiffForm: Equatable {
    case counts
    case keys
    case json
  }

  enum Verbosity: Int, Comparable {
    /// What there is to look at; nothing if there is nothing.
    case quiet
    case normal, verbose

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  var task = Task.load
  var verbosity = Verbosity.normal
  var progress = ProgressMode.auto
  var logFormat = Log.Format.text
  /// Whether a catalog that is published with things to look at has an exit status of its own.
  var hasDetailedStatus = false
  var options = IngestOptions(source: "", output: "")
  var schema = SchemaChoice.rebrickable
  /// Whether what is not understood of its description is passed over, and told.
  var ignoresUnsupported = false
  var reports: [ReportFile] = []
  /// How the report is written that goes to standard output, if one does.
  var printedReport: ReportFile.Format?
  var connections = 1
  /// The options that were given and may be given once, limits with their table.
  private var given: Set<String> = []

  /// Reads the words of a command line; without `tables`, any table can be named.
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
    try require(
      verbosities.count < 2,
      "'\(verbosities[0])' and '\(verbosities[1])' cannot be given together")
    try require(
      progress != .always || logFormat == .text,
      "'--progress always' and '--log-format json' cannot be given together")
    try checkSchema()
    try require(!options.output.isEmpty || options.isDryRun, "missing option '--out FILE'")
    try require(
      !options.skipsUnchanged || !options.output.isEmpty,
      "'--if-changed' compares with '--out FILE', which is missing")
    try require(
      !options.skipsUnchanged || task != .replay,
      "'replay' always loads, and cannot be given with '--if-changed'")
    try readServer()
    try checkFiles()
    try checkRepairs()
    try completeReplay()
  }

  private func unexpected(_ word: String) -> String {
    let known = CommandDescription.all.first { $0.name == word }
    if let known, task != .replay {
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
        "'--ignore-unsupported' is for a description: name it with --schema")
      try require(!options.source.isEmpty, "missing option '--source DIR'")
    case .file(let path):
      options.findsDumpsByName = !options.source.isEmpty
      if options.source.isEmpty { options.source = parentFolder(of: path) }
    }
  }

  /// Makes sure that nothing that is written takes the place of something else that is.
  private func checkFiles() throws(UsageError) {
    try require(
      options.output != "-",
      "a catalog is a file, which takes its place when it is complete, and cannot go to "
        + "standard output: name one for --out ('./-' is a file called '-')")
    for (index, report) in reports.enumerated() {
      try require(
        options.output.isEmpty || !areSamePath(report.path, options.output),
        "'\(report.path)' cannot be the catalog and its \(report.noun)")
      try require(
        !reports[..<index].contains(where: { areSamePath($0.path, report.path) }),
        "'\(report.path)' is named twice for --report")
    }
    if let rejects = options.rejectsFolder, !options.output.isEmpty {
      let taken = [options.output, parentFolder(of: options.output)]
      try require(
        !taken.contains(where: { areSamePath(rejects, $0) }),
        "'\(rejects)' cannot be the folder of rejected records and have the catalog")
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
      try require(
        task == .replay,
        "'--write-repairs' is for 'ingest replay', which has something to write")
      try require(!options.isDryRun, "'--write-repairs' cannot be given with '--dry-run'")
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
    try require(
      options.rejectsFolder != nil || !options.output.isEmpty,
      "missing option '--rejects DIR'")
    options.replayedFolder = options.rejectsFolder ?? options.defaultRejectsFolder
    options.rejectsFolder = options.isDryRun ? nil : options.replayedFolder
  }

  mutating func readOption(
    _ rest: inout ArraySlice<String>, tables: [String]
  ) throws(UsageError) {
    guard let option = rest.popFirst().map(Option.init) else { return }
    let options = CommandDescription.load.options
    guard let known = options.first(where: { [$0.name, $0.short].contains(option.name) }),
      let reader = known.reader
    else {
      let suggestion = nearest(to: option.name, of: options.map(\.name))
      throw UsageError(message: "unknown option '\(option.name)'\(suggestion)")
    }
    let isFirst = given.insert(known.name).inserted
    try require(
      isFirst || known.value == nil || known.isRepeatable,
      "the option '\(option.name)' is given twice")
    let value =
      switch known.value?.kind {
      case nil: try option.withoutValue()
      case .file, .folder: try option.path(&rest)
      case .wordOrFile, .words, .text: try option.value(&rest)
      }
    try reader.read(&self, value, tables)
  }

  /// Makes sure that a limit is given once for all tables, and once for each.
  mutating func checkIsFirst(_ limit: String, of option: String) throws(UsageError) {
    let parts = limit.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let table = parts.count > 1 ? " for \(parts[0])" : ""
    try require(
      given.insert("\(option)=\(table)").inserted, "the option '\(option)' is given twice\(table)")
  }

  mutating func readReport(_ value: String) throws(UsageError) {
    guard value.hasSuffix(":-") else { return reports.append(try Self.reportFile(value)) }
    let word = value.dropLast(2)
    guard let format = ReportFile.Format.reports.first(where: { $0.rawValue == word }) else {
      throw UsageError(
        message: "'\(value)' is no report: 'json:-' and 'html:-' go to standard output")
    }
    try require(printedReport == nil, "only one report can go to standard output")
    printedReport = format
  }
}
