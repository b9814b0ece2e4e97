import Schema
import SQLiteDestination
import Quarantine
import Facts
import Threads
import Files
import SQLiteSwiftly

extension IngestRun {
  /// Reads and checks everything, compares it with the catalogue that is there, and writes nothing.
  func check(
    _ input: DumpsReader.Input, into report: inout IngestOutcome
  ) throws(IngestError) {
    let hasOutput = !options.output.isEmpty
    if hasOutput { try checkOutput() }
    let input = try prepared(input)
    let ring = Ring(columns: schema.tables.map(\.columns.count).max() ?? 1)
    let reading = try startReading(input, ring)
    var rows = schema.tables.map { ReadRows(columns: $0.columns.count) }
    while let delivery = ring.filled.receive() {
      rows[delivery.table].add(delivery.rows)
      _ = ring.free.send(delivery)
    }
    ring.free.close()
    _ = try take(reading, into: &report)
    try conditions.check(report.tables, recorder.noticed, drift: recorder.drift)
    guard hasOutput else { return }
    let output = resolvedPath(options.output)
    let comparison = CatalogComparison(
      candidate: unfinishedPath(of: output), catalog: output, schema: schema,
      timeout: options.catalogTimeout, patience: patience, longestValue: options.recordLimit)
    progress.begin(.compare)
    report.changes = try recorder.time(.compare) { () throws(IngestError) in
      try comparison.foreseenChanges(rows, options, recorder)
    }
    let losses = conditions.losses(report.changes)
    var counted = report
    for (index, read) in rows.enumerated() {
      counted.tables[index].inserted = read.rows
      counted.tables[index].nulls = read.nulls
    }
    noteWhatIsLess(counted, besides: losses.map(\.table))
    guard losses.isEmpty else {
      let absent = report.tables.filter { $0.file == nil }.map(\.table)
      throw conditions.shrunk(losses, absent: absent, nil)
    }
  }

  /// Makes sure that the catalogue and its rejected records could be written, and changes nothing.
  private func checkOutput() throws(IngestError) {
    try CandidateFile.check(
      for: options, applicationID: schema.applicationID, patience: patience)
    guard rejectsFolder == nil else { return }
    let folder = RejectsFolder(
      options.replayedFolder ?? options.defaultRejectsFolder, sources: schema.sources,
      replaying: options.replayedFolder)
    try folder.check(source: options.source)
    try folder.checkPlace()
  }
}
