import RebrickableCatalog
import SQLiteSwiftly

/// The whole job in a process of its own, beside the shell's, which has the same keys and indexes.
struct WholeJobComparison {
  private let workbench: Workbench

  init(_ workbench: Workbench) { self.workbench = workbench }

  /// Measures; without a shell, only the job itself.
  func measurements(shell: Shell?) throws -> [Measurement] {
    let source = try workbench.dumps(.compressed)
    let contents = try workbench.contents
    var peaks: [Double] = []
    let ingest = Side(name: "ingest") {
      let job = try load(source, contents)
      peaks.append(job.peakMegabytes)
      return job.seconds
    }
    let older = workbench.freshPath("older.sqlite")
    defer { removeFile(older) }
    let rows = max(1, workbench.rows - workbench.rows / 50)
    _ = try WholeJob(
      by: workbench.executable, try workbench.dumps.folder(rows: rows, .compressed), older)
    let replacing = Side(name: "ingest, over an older catalogue") {
      try load(source, contents, over: older).seconds
    }
    let other = try shell.map { try side(of: $0, source, contents) }
    let sides = [ingest, replacing] + (other.map { [$0] } ?? [])
    let series = zip(sides, try inTurn(sides, rounds: workbench.rounds, warmUp: false)).map {
      Series(name: $0.name, unit: .seconds, figures: $1)
    }
    let peak = Series(name: "peak memory", unit: .megabytes, figures: peaks)
    let reference = series.dropFirst(2).first
    return (reference.map { [$0.measurement(of: .wholeJob)] } ?? []) + [
      series[0].measurement(
        of: .wholeJob, against: reference, bar: reference.map { _ in .atLeast(3.33) }),
      series[1].measurement(
        of: .wholeJob, against: reference, bar: reference.map { _ in .atLeast(2.63) }),
      peak.measurement(of: .wholeJob, bar: .atMost(64)),
    ]
  }

  private func load(
    _ source: String, _ contents: DumpContents, over older: String? = nil
  ) throws -> WholeJob {
    let path = workbench.freshPath("catalogue.sqlite")
    defer { removeFile(path) }
    if let older { _ = try ChildProcess.run("/bin/cp", [older, path]) }
    let job = try WholeJob(by: workbench.executable, source, path)
    try checkCatalogue(path, contents)
    return job
  }

  /// The shell's side, with its usual settings.
  private func side(
    of shell: Shell, _ source: String, _ contents: DumpContents
  ) throws -> Side<Double> {
    let catalogue = workbench.freshPath("catalogue.sqlite")
    defer { removeFile(catalogue) }
    _ = try WholeJob(by: workbench.executable, source, catalogue)
    let script = try ShellScript(source, catalogue: catalogue, contents: contents)
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

/// Throws unless a catalogue has what is in the dumps.
func checkCatalogue(_ path: String, _ contents: DumpContents) throws {
  try checkRows(of: path, are: contents, in: "the whole job")
  let connection = try Connection(path, opening: .readOnly)
  try check(connection.sums(Sums.ofParts), is: contents.partSums, in: "the whole job")
}

/// The shell, or a note in the report that it is not there.
func shell(_ report: inout Report) throws -> Shell? {
  let shell = try Shell()
  let note = "without sqlite3 and gunzip, nothing is compared with the shell"
  if shell == nil, !report.notes.contains(note) { report.notes.append(note) }
  return shell
}
