import Schema
import Quarantine
import Vocabulary
import Validation
import SQLiteSwiftly

extension IngestRun {
  /// Reads and checks everything and compares it with the previous database, without writing anything; if
  /// records contradict a guess of the description, only reads and returns that.
  func check(
    _ input: RowProducer.Input, _ context: RunContext, into outcome: inout IngestOutcome
  ) throws(IngestError) -> [BrokenGuess] {
    let catalog = try options.output == .nothing ? nil : checkOutput(context)
    let previous = try catalog?.previousRun()
    let (ring, reading) = try startReading(input)
    var rows = schema.tables.map { ReadRows(columns: $0.columns.count) }
    while let delivery = ring.next() {
      rows[delivery.table].add(delivery.rows)
      ring.giveBack(delivery)
    }
    ring.end()
    let read = try result(of: reading, ring, into: &outcome, after: previous)
    guard read.broken.isEmpty else { return read.broken }
    try conditions.check(
      outcome.tables, recorder.allWarnings, drift: recorder.drift, since: previous,
      knownBefore: { catalog?.previousTables(having: $0) ?? [] }, rejects: recorder.allRejects)
    guard let catalog else { return [] }
    progress.begin(.compare)
    outcome.changes = try recorder.time(.compare) { () throws(IngestError) in
      try catalog.foreseenChanges(rows, in: context)
    }
    var counted = outcome
    for (index, read) in rows.enumerated() {
      counted.tables[index].inserted = read.rows
      counted.tables[index].nulls = read.nulls
    }
    if let excess = review(&counted, read.samples, after: previous, in: catalog) {
      throw excess(nil)
    }
    return []
  }

  /// Checks that the database and its rejected records could be written, without changing anything.
  private func checkOutput(_ context: RunContext) throws(IngestError) -> any PreviousDatabase {
    let catalog = try destination.check(for: context)
    guard rejectsFolder == nil, let path = options.usedRejectsFolder else { return catalog }
    let folder = RejectsFolder(path, sources: schema.sources)
    try folder.check(source: options.source)
    try folder.checkPlace()
    return catalog
  }
}
