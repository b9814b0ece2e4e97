import Schema
import SQLiteFormat
import RebrickableCatalog
import SQLiteSwiftly

/// The whole job in a process of its own, beside the shell's, which has the same keys and indexes.
struct WholeJobComparison {
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  /// The name of the job without an older catalog, and of that with one.
  static let names = (alone: "ingest", replacing: "ingest, over a catalog with 0.5% changes")

  /// The name of a part of a job.
  static func name(_ part: WholeJob.Part, of job: String) -> String { "\(job): \(part.rawValue)" }

  /// Measures; without a shell, only the job itself.
  func measurements(shell: Shell?) throws -> [Measurement] {
    let source = try workbench.dumps(.compressed)
    let contents = try workbench.contents
    let (older, newer) = (
      workbench.freshPath("older.sqlite"), workbench.freshPath("newer.sqlite")
    )
    defer { [older, newer].forEach(removeFile) }
    let olderSource = try workbench.dumps.olderFolder(rows: workbench.rows)
    _ = try WholeJob(by: workbench.executable, olderSource, older)
    _ = try WholeJob(by: workbench.executable, source, newer)
    var (jobs, replacingJobs) = ([WholeJob](), [WholeJob]())
    let sides =
      [
        Side(name: Self.names.alone) {
          jobs.append(try load(source, contents))
          return jobs[jobs.count - 1].seconds
        },
        Side(name: Self.names.replacing) {
          replacingJobs.append(try load(source, contents, over: older))
          return replacingJobs[replacingJobs.count - 1].seconds
        },
        Side(name: "quick_check, then an ordered pass over both files") {
          try look(at: newer, beside: older)
        },
      ] + (try shell.map { [try side(of: $0, source, contents)] } ?? [])
    let series = zip(sides, try inTurn(sides, rounds: workbench.rounds, warmUp: false)).map {
      Series(name: $0.name, unit: .seconds, figures: $1)
    }
    let reference = series.dropFirst(3).first
    return (reference.map { [$0.measurement(of: .wholeJob)] } ?? []) + [
      series[0].measurement(
        of: .wholeJob, against: reference, bar: reference.map { _ in .atLeast(3.33) }),
      series[1].measurement(
        of: .wholeJob, against: reference, bar: reference.map { _ in .atLeast(2.63) }),
      Series(name: "peak memory", unit: .megabytes, figures: jobs.map(\.peakMegabytes))
        .measurement(of: .wholeJob, bar: .atMost(64)),
      series[2].measurement(of: .wholeJob),
    ] + parts(of: jobs, named: Self.names.alone)
      + parts(of: replacingJobs, named: Self.names.replacing, passes: series[2])
  }

  /// Where the time of a job goes; its look at the finished file is compared with `passes`.
  private func parts(
    of jobs: [WholeJob], named name: String, passes: Series? = nil
  ) -> [Measurement] {
    WholeJob.Part.allCases.map { part in
      let series = Series(
        name: Self.name(part, of: name), unit: .seconds, figures: jobs.compactMap { $0.parts[part] }
      )
      guard let passes, part == .look else { return series.measurement(of: .wholeJob) }
      return series.measurement(of: .wholeJob, against: passes, bar: .atLeast(1.33))
    }
  }

  /// Does what a look at the finished file replaces: `quick_check`, and a walk through the tables of both
  /// files in the order of their keys.
  ///
  /// - Returns: The seconds on the clock.
  private func look(at newer: String, beside older: String) throws -> Double {
    try clockSeconds {
      // On a connection that was opened for reading only, SQLite passes over the checks of columns.
      let connection = try Connection(newer, opening: .openExisting)
      let faults = try connection.faults(.structure)
      try check(faults.isEmpty, is: true, in: "quick_check")
      let old = try Connection(older, opening: .readOnly)
      for table in RebrickableCatalog.schema.tables {
        let others = table.columns.map(\.name).filter { !table.primaryKey.contains($0) }
        let list = { (names: [String]) in names.map { "\"\($0)\"" }.joined(separator: ", ") }
        let query = SQL(
          generated: "SELECT \(list(table.primaryKey + others)) FROM \(table.name) "
            + "ORDER BY \(list(table.primaryKey))")
        let differences = try connection.rowDifferences(
          of: query, keyColumns: table.primaryKey.count, from: old)
        try check(differences.rowsAfter > 0, is: true, in: "the rows of \(table.name)")
      }
    }
  }

  private func load(
    _ source: String, _ contents: DumpContents, over older: String? = nil
  ) throws -> WholeJob {
    let path = workbench.freshPath("catalog.sqlite")
    defer { removeFile(path) }
    if let older { _ = try ChildProcess.run("/bin/cp", [older, path]) }
    let job = try WholeJob(by: workbench.executable, source, path)
    try checkCatalog(path, contents)
    return job
  }

  /// The shell's side, with its usual settings.
  private func side(
    of shell: Shell, _ source: String, _ contents: DumpContents
  ) throws -> Side<Double> {
    let catalog = workbench.freshPath("catalog.sqlite")
    defer { removeFile(catalog) }
    _ = try WholeJob(by: workbench.executable, source, catalog)
    let script = try ShellScript(source, catalog: catalog, contents: contents)
    return Side(name: "gunzip | sqlite3 .import, keys, indexes") {
      let path = workbench.freshPath("shell.sqlite")
      defer { removeFile(path) }
      let seconds = try shell.run(
        script.lines, on: path, script: "\(workbench.folder)/script")
      try checkRows(of: path, are: contents, in: "the whole job of the shell")
      return seconds
    }
  }
}

/// Throws unless a catalog matches the source files.
func checkCatalog(_ path: String, _ contents: DumpContents) throws {
  try checkRows(of: path, are: contents, in: "the whole job")
  let connection = try Connection(path, opening: .readOnly)
  try check(connection.sums(Sums.ofParts), is: contents.partSums, in: "the whole job")
}

/// The shell, or a note in the report that it is missing.
func shell(_ report: inout Report) throws -> Shell? {
  let shell = try Shell()
  let note = "skipped the comparison with the shell: sqlite3 or gunzip is missing"
  if shell == nil, !report.notes.contains(note) { report.notes.append(note) }
  return shell
}
