import Vocabulary
import DataPackage
import Platform
import Glibc
import Run
import IngestReport
import SQLiteSwiftly
import Schema

/// The command: parses its arguments, runs the pipeline, prints the results and exits.
@main
struct Ingest {
  static func main() {
    openStandardStreams()
    // The threads use large buffers in turn. Otherwise most of them would stay in the heap, 12 of 83 MB at today's size.
    returnFreedBlocks(ofAtLeast: 256 << 10)
    // A closed pipe or the file size limit must not end a run; the call then fails with an error.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    exit(run().rawValue)
  }

  /// Opens standard streams that the caller closed.
  ///
  /// Otherwise a file opened later would get such a descriptor, and messages would be written to it. Writing to them
  /// fails, so that a command does not report results as printed.
  private static func openStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // This is the lowest free descriptor.
      _ = unsafe open("/dev/null", O_RDONLY)
    }
  }

  /// The arguments after the command's name.
  ///
  /// The standard library would replace bytes that are not UTF-8, and paths would then name other files.
  private static func arguments() throws(UsageError) -> [String] {
    var words: [String] = []
    for index in 1..<max(Int(CommandLine.argc), 1) {
      guard let bytes = unsafe CommandLine.unsafeArgv[index] else { break }
      guard let word = unsafe String(validatingCString: bytes) else {
        throw UsageError(message: "argument \(index) is not valid UTF-8")
      }
      words.append(word)
    }
    return words
  }

  private static func run() -> ExitStatus {
    var words = CommandWords([])
    do throws(UsageError) {
      words = CommandWords(try arguments())
      let family: Family
      do throws(DataPackageError) {
        // They load nothing.
        let isReader = [.check, .diff, .metadata].contains(words.command)
        family = try Family(
          words.schema, ignoringUnsupported: isReader || words.has("--ignore-unsupported"),
          schemas: words.value(of: "--schemas"),
          needsPlaces: !isReader && !words.has("--source"))
      } catch {
        return Refusal(error: error).end(words)
      }
      let schema = family.schema
      let arguments = try Arguments(words, tables: schema.tables.map(\.name))
      switch arguments.task {
      case .help(let topic): return print(Help.text(on: topic))
      case .version: return print(Help.version)
      case .explain(let code): return print(code.map { Help.explanation(of: $0) } ?? Help.codes)
      case .explainStatus(let status): return print(Help.explanation(of: status))
      case .completions(let shell):
        return print(Completions(tables: schema.tables.map(\.name)).script(for: shell))
      case .manual: return print(ManualPage.text)
      case .describe(let form):
        return run { () throws(IngestError) in try DescribeCommand(form: form).run() }
      case .metadata(let form):
        return MetadataCommand(form: form, family: family, choice: arguments.schema).run()
      case .diff(let old, let new, let form):
        let databases = [old, new].map { DatabaseOperand($0, family.name) }
        let schema = storedFamily(in: [new, old], words)?.schema ?? schema
        return run { () throws(IngestError) in
          try DiffCommand(old: databases[0], new: databases[1], form: form).run(schema)
        }
      case .check(let path):
        let command = CheckCommand(
          database: DatabaseOperand(path, family.name), verbosity: arguments.verbosity)
        let schema = storedFamily(in: [path], words)?.schema ?? schema
        return run { () throws(IngestError) in try command.run(schema) }
      case .history(let path, let isJSON):
        return run { () throws(IngestError) in
          try HistoryCommand(database: DatabaseOperand(path, family.name), isJSON: isJSON).run()
        }
      case .repair:
        return run { () throws(IngestError) in
          try RepairCommand(options: arguments.options, family: family).run()
        }
      case .load: return load(arguments, family)
      }
    } catch {
      let command = words.command
      let help = command == .load ? "--help" : "help \(command.topic)"
      let lines = ["ingest: \(error.message)", "Usage: \(command.usage)", "Try 'ingest \(help)'."]
      Log(.text).print(lines, .error)
      return .usage
    }
  }

  /// The family stored in the databases; nil if there is none, or if --schema is used.
  private static func storedFamily(in operands: [String], _ words: CommandWords) -> Family? {
    words.has("--schema") ? nil : Family(keptIn: operands)
  }

  private static func run(_ command: () throws(IngestError) -> ExitStatus) -> ExitStatus {
    do throws(IngestError) {
      return try command()
    } catch {
      Messages(.normal).showFailures([error])
      return ExitStatus(error.kind)
    }
  }

  private static func print(_ text: String) -> ExitStatus { Console.printResults(text.lines) }

  private static func load(_ arguments: Arguments, _ family: Family) -> ExitStatus {
    let log = Log(arguments.logFormat)
    let family =
      arguments.options.findsSourcesByName
      ? family.matchingFiles(in: arguments.options.source) : family
    let schema = family.schema
    var arguments = arguments
    arguments.options.description = family.description(for: arguments.schema)
    arguments.options.output.nameSchema(family.name)
    let signals = Signals.block()
    let messages = Messages(arguments.verbosity, log)
    let run = IngestRun(
      schema, into: arguments.destination, options: arguments.options,
      warnings: family.unsupported.map { fault in
        .featureIgnored(
          fault.file, at: fault.pointer,
          "line \(fault.line): \(fault.pointer): \(fault.problem); expected \(fault.expectation)")
      },
      describe: { [family, choice = arguments.schema] in family.with($0).description(for: choice) },
      report: messages.show)
    // The exit status of the finished run, for the thread that waits for signals.
    let ending = Monitor<ExitStatus?>(nil)
    do throws(IngestError) {
      try signals.watch { [arguments] in end(run, ending, messages, arguments, schema, signal: $0) }
      for file in arguments.reports { try file.prepare() }
    } catch {
      run.cancel()
      messages.showFailures([error])
      return ExitStatus(error.kind)
    }
    let progress = ProgressDisplay(arguments, schema)
    progress?.start(following: run.progress)
    var reports = RunReports(outcome: run.run(), arguments: arguments, schema: schema)
    progress?.end()
    reports.write(willPrint: { status in ending.with { $0 = status } })
    let (outcome, status) = (reports.outcome, reports.status)
    ending.with { $0 = status }
    messages.showEnd(
      of: outcome, arguments.options, isReportPrinted: arguments.printedReport != nil)
    messages.showFailures(reports.failures)
    messages.showStatus(of: outcome, status)
    return status
  }

  /// Ends a run and the process after a signal, whatever state the output is in.
  private static func end(
    _ run: IngestRun, _ ending: Monitor<ExitStatus?>, _ messages: Messages, _ arguments: Arguments,
    _ schema: SchemaDescription, signal: Int32
  ) {
    let end = "ended by \(Signals.name(of: signal))"
    let rest =
      arguments.options.output.schema == nil
      ? "all temporary files were removed" : "the next run removes the data of this one"
    let failure = IngestError(
      .interrupted(signal: signal), "\(end). Nothing was published, and \(rest).")
    guard let outcome = run.interrupt(failure) else {
      // The run is completing the database or a report, which takes a moment; only printing may block forever.
      _ = ending.when({ $0 != nil }) { $0 }
      sleep(1)
      messages.showInterruption(
        IngestError(
          .interrupted(signal: signal), "\(end) while it printed the results of the run"))
      _exit((ending.with { $0 } ?? .fault).rawValue)
    }
    messages.showInterruption(failure)
    var reports = RunReports(outcome: outcome, arguments: arguments, schema: schema, timeout: 0.5)
    reports.write()
    for failure in reports.failures { messages.showInterruption(failure) }
    messages.showStatus(of: outcome, reports.status, isPatient: false)
    _exit(reports.status.rawValue)
  }
}

extension String {
  /// The lines of a generated text.
  var lines: [String] { split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}
