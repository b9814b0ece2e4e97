import Glibc
import SQLiteSwiftly

/// The command: reads its arguments, measures, prints.
@main
struct IngestBenchmark {
  static func main() {
    do {
      let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
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
        "a debug build measures nothing; use swift run -c release ingest-benchmark")
    }
    // Whether the file can be written shows now, and not when all is measured.
    let json = try arguments.jsonFile.map { path throws(Failure) in try Output(path: path) }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    var report = Report(rounds: arguments.rounds)
    try Output.results.write(report.header)
    for subject in arguments.subjects {
      let stores = [Store.memory, .file(path: "\(folder.path)/\(subject.rawValue)")]
      for store in stores {
        defer { store.clear() }
        let rows = arguments.rows ?? subject.usualRows
        let comparison = try subject.comparison(rows: rows, on: store)
        let results = try comparison.measure(rounds: arguments.rounds)
        try Output.results.write(report.add(results))
      }
    }
    try json?.write(report.json)
  }

  /// Assertions are left out of what the optimizer has seen.
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
