import Vocabulary
import Platform
import AllocationCounter
import Run
import SQLiteDestination
import RebrickableCatalog
import SQLiteSwiftly
import Schema

/// The whole job, as `ingest` does it, in a process of its own.
struct WholeJob {
  /// The first argument of a process that does the job and nothing else.
  static let argument = "do-the-whole-job"

  /// From the start of the process to its end, on the clock.
  let seconds: Double
  /// The most memory that it had at a time.
  let peakMegabytes: Double
  /// The allocations of the run of the pipeline; 0 if they are not counted.
  let allocations: Int
  /// The seconds of each of its parts, one after the other.
  let parts: [Part: Double]

  /// A part of the job.
  enum Part: String, CaseIterable {
    case rows = "rows read and inserted"
    case indexes = "indexes, derived tables"
    case look = "verification"
    case publishing = "sync, publishing"
  }

  /// How much of the catalog is made.
  enum Extent: String, CaseIterable {
    case tables = "tables and indexes"
    case derived = "with derived tables and views"
    case everything = "with the search, too"

    fileprivate var schema: SchemaDescription {
      let whole = RebrickableCatalog.schema
      guard self == .tables else { return whole }
      // What inventories belong to is a table of its own, to which they refer.
      return SchemaDescription(
        tables: whole.tables, keyUnions: whole.keyUnions, applicationID: whole.applicationID,
        version: whole.version)
    }
  }

  /// Loads the dumps of a folder into the catalog at `output`.
  init(
    by executable: String, _ source: String, _ output: String, _ extent: Extent = .everything
  ) throws {
    let outcome = try ChildProcess.run(
      executable, [Self.argument, source, output, extent.rawValue])
    let numbers = try outcome.numbers(2 + Part.allCases.count, from: "the whole job")
    seconds = outcome.seconds
    peakMegabytes = Double(numbers[0]) * 1024 / 1e6
    allocations = numbers[1]
    parts = Dictionary(
      uniqueKeysWithValues: zip(Part.allCases, numbers.dropFirst(2).map { Double($0) / 1e6 }))
  }

  /// What that process does: loads, and tells its peak memory in KiB, its allocations, and the microseconds
  /// of each part.
  static func run(_ arguments: some Collection<String>) throws {
    let arguments = Array(arguments)
    guard arguments.count == 3, let extent = Extent(rawValue: arguments[2]) else {
      throw Failure.usage("the whole job needs two paths and an extent")
    }
    returnFreedBlocks(ofAtLeast: 256 << 10)
    // Of dumps in which every record is bad, an empty catalog is made.
    var options = IngestOptions(
      source: arguments[0], output: .file(path: arguments[1]),
      rejectLimits: RejectLimits(run: .percent(100)))
    options.hasSearch = extent == .everything
    let before = allocation_count()
    let report = IngestRun(
      extent.schema, into: FileDestination(arguments[1]), options: options, report: { _ in }
    ).run()
    if let failure = report.failure { throw failure }
    let allocations = allocation_count() - before
    let ends: [Double] = [
      0, report.start(of: .finish), report.start(of: .verify), report.end(of: .verify),
      report.seconds,
    ]
    let parts = zip(ends, ends.dropFirst()).map { start, end in Int((end - start) * 1e6) }
    let numbers = [try peakKibibytes(), Int(allocations)] + parts
    try Output.results.write(numbers.map(String.init).joined(separator: " "))
  }

  /// The most memory that this process had.
  ///
  /// wait4 does not report it: in Linux, the peak of a child process is at least the memory of its parent at the
  /// start.
  private static func peakKibibytes() throws -> Int {
    let line = try textFile("/proc/self/status").split(separator: "\n").first {
      $0.hasPrefix("VmHWM:")
    }
    guard let number = line?.split(separator: " ").compactMap({ Int($0) }).first else {
      throw Failure.fault("cannot read the peak memory")
    }
    return number
  }
}

extension IngestOutcome {
  fileprivate func start(of stage: StageTime.Stage) -> Double {
    stages.first { $0.stage == stage }?.start ?? 0
  }

  fileprivate func end(of stage: StageTime.Stage) -> Double {
    stages.first { $0.stage == stage }?.end ?? 0
  }
}
