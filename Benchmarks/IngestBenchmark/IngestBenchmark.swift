import Glibc
import ReferenceLoops
import SQLiteSwiftly

/// The command: reads its arguments, measures, prints.
@main
struct IngestBenchmark {
  static func main() {
    do {
      let words = Array(CommandLine.arguments.dropFirst())
      switch words.first {
      case WholeJob.argument: return try WholeJob.run(words.dropFirst())
      case TableFilling.argument: return try TableFilling.run(words.dropFirst())
      default: break
      }
      let arguments = try Arguments(words)
      if arguments.asksForHelp {
        try Output.results.write(Arguments.usage)
      } else {
        try measure(arguments)
      }
    } catch {
      let failure = error as? Failure ?? .fault("\(error)")
      try? Output.messages.write("ingest-benchmark: \(failure.message)\n")
      exit(failure.status)
    }
  }

  private static func measure(_ arguments: Arguments) throws {
    guard !isDebugBuild else {
      throw Failure.usage(
        "debug builds are too slow to measure; use swift run -c release ingest-benchmark")
    }
    let baseline = try arguments.baselineFile.map { try Report(file: $0) }
    if let baseline, baseline.conditions.rows != arguments.rows {
      throw Failure.usage(
        "the baseline has --rows \(baseline.conditions.rows); expected the same number of rows")
    }
    // Fail now, not after measuring, if a file cannot be written.
    let json = try arguments.jsonFile.map { path throws(Failure) in try Output(path: path) }
    let plot = try arguments.plotFile.map { path throws(Failure) in try Output(path: path) }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let workbench = Workbench(folder: folder.path, rounds: arguments.rounds, rows: arguments.rows)
    let report = try measure(arguments.subjects, with: workbench)
    try json?.replace(with: report.json)
    try plot?.replace(with: report.picture)
    if let baseline {
      let changes = report.changes(since: baseline).map { $0 + "\n" }
      try Output.results.write("\nsince the baseline:\n" + changes.joined())
    }
  }

  private static func measure(_ subjects: [Subject], with workbench: Workbench) throws -> Report {
    var report = Report(
      conditions: Conditions(
        machine: .current, sqlite: SQLiteLibrary.version, rounds: workbench.rounds,
        rows: workbench.rows))
    try Output.results.write(report.header)
    for subject in subjects {
      // All sides have the library as the pipeline has it, or as other programs find it.
      let code = reference_count_memory(subject == .layer ? 1 : 0)
      guard code == 0 else { throw Failure.fault("cannot configure SQLite (code \(code))") }
      try subject.measure(with: workbench, into: &report)
      try Output.results.write(report.table(of: subject))
    }
    try Output.results.write(report.notes.map { "\nnote: \($0)\n" }.joined())
    return report
  }

  /// Optimized builds omit assertions.
  private static var isDebugBuild: Bool {
    var isDebugBuild = false
    assert(
      {
        isDebugBuild = true
        return true
      }())
    return isDebugBuild
  }
}
