import Schema
import Quarantine
import Facts
import SQLiteSwiftly
import Threads

extension IngestRun {
  /// Reads and checks everything and compares it with the previous database, without writing anything.
  func check(
    _ input: RowProducer.Input, into outcome: inout IngestOutcome
  ) throws(IngestError) {
    let hasOutput = !options.output.isEmpty
    if hasOutput { try checkOutput() }
    let previous =
      hasOutput
      ? try destination.previousRun(schema, options, patience: patience) : nil
    let (ring, reading) = try startReading(input)
    var rows = schema.tables.map { ReadRows(columns: $0.columns.count) }
    while let delivery = ring.filled.receive() {
      rows[delivery.table].add(delivery.rows)
      _ = ring.free.send(delivery)
    }
    ring.free.close()
    _ = try finish(reading, into: &outcome, after: previous)
    try conditions.check(outcome.tables, recorder.allWarnings, drift: recorder.drift)
    guard hasOutput else { return }
    progress.begin(.compare)
    outcome.changes = try recorder.time(.compare) { () throws(IngestError) in
      try destination.foreseenChanges(
        schema, rows, options, patience: patience, recorder: recorder)
    }
    var counted = outcome
    for (index, read) in rows.enumerated() {
      counted.tables[index].inserted = read.rows
      counted.tables[index].nulls = read.nulls
    }
    let losses = reportLosses(in: counted)
    guard losses.isEmpty else { throw conditions.shrunk(losses, in: outcome.tables, nil) }
  }

  /// Checks that the database and its rejected records could be written, without changing anything.
  private func checkOutput() throws(IngestError) {
    try destination.check(schema, options, patience: patience)
    guard rejectsFolder == nil else { return }
    let folder = RejectsFolder(
      options.replayedFolder ?? options.defaultRejectsFolder, sources: schema.sources,
      replaying: options.replayedFolder)
    try folder.check(source: options.source)
    try folder.checkPlace()
  }
}
