import Glibc
import IngestPipeline
import RebrickableCatalog
import SQLiteSwiftly

/// The command: reads its arguments, runs the pipeline on the catalogue's schema, prints, exits.
@main
struct Ingest {
  static func main() {
    openStandardStreams()
    // A reader that closes the pipe must not end a run that is half done.
    signal(SIGPIPE, SIG_IGN)
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

  /// The arguments behind the command's name; the standard library's would mend bytes that are not
  /// UTF-8, and then name other files.
  private static func arguments() throws(Arguments.UsageError) -> [String] {
    var words: [String] = []
    for index in 1..<max(Int(CommandLine.argc), 1) {
      guard let bytes = unsafe CommandLine.unsafeArgv[index] else { break }
      guard let word = unsafe String(validatingCString: bytes) else {
        throw Arguments.UsageError(message: "argument \(index) is not UTF-8")
      }
      words.append(word)
    }
    return words
  }

  private static func run() -> ExitStatus {
    let schema = RebrickableCatalog.schema
    do throws(Arguments.UsageError) {
      let arguments = try Arguments(arguments(), tables: schema.tables.map(\.name))
      switch arguments.task {
      case .help:
        Console.output.print(Help.text)
        return .published
      case .version:
        Console.output.print(Help.version)
        return .published
      case .explain(let code):
        Console.output.print(code.map(Help.explanation(of:)) ?? Help.codes)
        return .published
      case .load: return load(arguments, schema)
      }
    } catch {
      Console.error.print("ingest: \(error.message)\n\(Help.usage)\nTry 'ingest --help'.")
      return .usage
    }
  }

  private static func load(_ arguments: Arguments, _ schema: SchemaDescription) -> ExitStatus {
    let options = IngestOptions(
      source: arguments.source ?? "", output: arguments.output ?? "",
      rejectLimits: RejectLimits(run: arguments.rejectLimit),
      allowedMissing: arguments.allowedMissing)
    let messages = Messages(arguments.verbosity)
    SortingFolder.prepare(forDumpsIn: options.source)
    let report = IngestRun(schema, options: options, report: messages.show).run()
    if let failure = report.failure {
      messages.showFailure(failure)
      return ExitStatus(failure.kind)
    }
    if arguments.verbosity != .quiet { printSummary(report, arguments) }
    return report.rejected > 0 ? .publishedWithRejects : .published
  }

  private static func printSummary(_ report: IngestReport, _ arguments: Arguments) {
    let megabytes = (Double(report.outputBytes ?? 0) / 1e6).formatted(decimals: 1)
    let lines =
      Summary(tables: report.tables, isPublished: true).lines + [
        "",
        "\(arguments.output ?? ""): published, \(report.inserted.grouped) rows, \(megabytes) MB, in "
          + "\(report.seconds.formatted(decimals: 2)) s",
        "reading waited \(report.readerWaited.formatted(decimals: 2)) s for writing, "
          + "writing \(report.writerWaited.formatted(decimals: 2)) s for reading",
      ]
    if !Console.output.print(lines.joined(separator: "\n")) {
      Console.error.print(
        "ingest: the catalogue is published, but standard output did not take the summary")
    }
  }
}
