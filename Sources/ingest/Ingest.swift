import Facts
import DataPackage
import Glibc
import Run
import IngestReport
import SQLiteSwiftly
import Schema

/// The command: reads its arguments, runs the pipeline on the catalog's schema, prints, exits.
@main
struct Ingest {
  static func main() {
    openStandardStreams()
    // A reader that closes the pipe must not end a run that is half done; nor must the limit of a
    // file's size, which is an error of the call like any other.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    exit(run().rawValue)
  }

  /// Opens what the caller has closed of the first three descriptors.
  ///
  /// A file that is opened later would get such a number, and messages would be written into it.
  private static func openStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest number that is free is this one.
      _ = unsafe open("/dev/null", O_RDWR)
    }
  }

  /// The arguments after the command's name; the standard library's would repair bytes that are not
  /// UTF-8, and then name other files.
  private static func arguments() throws(UsageError) -> [String] {
    var words: [String] = []
    for index in 1..<max(Int(CommandLine.argc), 1) {
      guard let bytes = unsafe CommandLine.unsafeArgv[index] else { break }
      guard let word = unsafe String(validatingCString: bytes) else {
        throw UsageError(message: "argument \(index) is not UTF-8")
      }
      words.append(word)
    }
    return words
  }

  private static func run() -> ExitStatus {
    var words: [String] = []
    do throws(UsageError) {
      words = try arguments()
      let family: Family
      do throws(DataPackageError) {
        let readsCatalogs = ["check", "diff"].contains(words.first)
        family = try Family(
          SchemaChoice(namedIn: words),
          ignoringUnsupported: readsCatalogs || Option.isGiven("--ignore-unsupported", in: words),
          needsPlaces: !readsCatalogs && !Option.isGiven("--source", in: words))
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
      case .metadata(let form): return MetadataCommand(form: form).run()
      case .diff(let old, let new, let form):
        let schema = keptSchema(in: [new, old], words) ?? schema
        return run { () throws(IngestError) in
          try DiffCommand(old: old, new: new, form: form).run(schema)
        }
      case .check(let path):
        let command = CheckCommand(path: path, verbosity: arguments.verbosity)
        let schema = keptSchema(in: [path], words) ?? schema
        return run { () throws(IngestError) in try command.run(schema) }
      case .load, .replay: return load(arguments, family)
      }
    } catch {
      let command = CommandDescription.of(words.first)
      let help = command == .load ? "--help" : "help \(command.topic)"
      let lines = ["ingest: \(error.message)", "Usage: \(command.usage)", "Try 'ingest \(help)'."]
      Log(.text).tell(lines, .error)
      return .usage
    }
  }

  /// The schema that files say they were made with; nil if they do not, or if one is given.
  private static func keptSchema(in paths: [String], _ words: [String]) -> SchemaDescription? {
    Option.isGiven("--schema", in: words) ? nil : Family(keptIn: paths)?.schema
  }

  private static func run(_ command: () throws(IngestError) -> ExitStatus) -> ExitStatus {
    do throws(IngestError) {
      return try command()
    } catch {
      Messages(.normal).showFailures([error])
      return ExitStatus(error.kind)
    }
  }

  private static func print(_ text: String) -> ExitStatus {
    Console.output.print(text.lines) ? .published : .inputOutput
  }

  private static func load(_ arguments: Arguments, _ family: Family) -> ExitStatus {
    let log = Log(arguments.logFormat)
    let family = arguments.options.findsSourcesByName ? family.foundByName : family
    let schema = family.schema
    var arguments = arguments
    arguments.options.description = family.given(as: arguments.schema)
    arguments.options.server?.name = family.name
    let signals = Signals.block()
    let messages = Messages(arguments.verbosity, log)
    let run = IngestRun(
      schema, into: arguments.destination, options: arguments.options,
      warnings: family.unsupported.map(Warning.init),
      report: messages.show)
    let ending = Ending()
    do throws(IngestError) {
      try signals.watch { [arguments] in
        end(run, ending, messages, arguments, schema, signal: $0)
      }
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
    reports.write(willPrint: ending.know)
    let (outcome, status) = (reports.outcome, reports.status)
    ending.know(status)
    messages.showEnd(of: outcome, arguments.options)
    if outcome.failure == nil, arguments.verbosity >= .normal {
      printSummary(outcome, arguments, messages, log)
    }
    messages.showFailures(reports.failures)
    messages.showStatus(of: outcome, arguments.options, status)
    return status
  }

  /// Ends a run, and the process, because of a signal.
  ///
  /// Whatever is asked for then, nothing may keep the process from ending.
  private static func end(
    _ run: IngestRun, _ ending: Ending, _ messages: Messages, _ arguments: Arguments,
    _ schema: SchemaDescription, signal: Int32
  ) {
    let name = Signals.name(of: signal)
    let rest =
      arguments.options.server == nil
      ? "nothing of this run is left behind" : "the next run removes what this one has written"
    let failure = IngestError(
      .interrupted(signal: signal), "ended by \(name). Nothing was published, and \(rest).")
    guard let outcome = run.interrupt(failure) else {
      // The disk has work for a moment, for the catalog or a report; only printing may take for ever.
      _ = ending.status
      sleep(1)
      messages.showInterruption(
        IngestError(
          .interrupted(signal: signal),
          "ended by \(name) while it printed what had become of the run"))
      _exit(ending.status.rawValue)
    }
    messages.showInterruption(failure)
    var reports = RunReports(
      outcome: outcome, arguments: arguments, schema: schema, timeout: 0.5)
    reports.write()
    for failure in reports.failures { messages.showInterruption(failure) }
    messages.showStatus(of: outcome, arguments.options, reports.status, isPatient: false)
    _exit(reports.status.rawValue)
  }

  /// Prints the summary to standard output, and below its verdict what to look at to standard error: whoever
  /// throws results away is still told.
  private static func printSummary(
    _ outcome: IngestOutcome, _ arguments: Arguments, _ messages: Messages, _ log: Log
  ) {
    let options = arguments.options
    let lines = Summary(
      outcome: outcome, options: options, isVerbose: arguments.verbosity == .verbose
    ).lines
    // A report on standard output is to be all that is there.
    func show(_ lines: [String]) -> Bool {
      guard arguments.printedReport == nil else {
        log.tell(lines, .info)
        return true
      }
      return Console.output.print(lines)
    }
    let isPrinted = show(VerdictText(outcome: outcome, options: options).headline)
    messages.showVerdictWarnings(outcome, options)
    if !isPrinted || !show(lines) {
      let outcome = options.isDryRun ? "all was checked" : "the catalog is published"
      messages.showFailures([
        IngestError(.inputOutput, "\(outcome), but standard output did not take the summary")
      ])
    }
  }
}

extension String {
  /// The lines of a text of the command's own.
  var lines: [String] { split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}
