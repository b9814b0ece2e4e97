import SourceFiles
import Facts
import Threads
import Glibc
import Run
import SQLiteSwiftly
import Schema

/// The reading side of a run alone: dumps are inflated, parsed and checked, and nothing is written.
///
/// For measurements, which look at one stage at a time.
struct ReadingStage {
  private let schema: SchemaDescription
  private let folder: SourceFolder

  /// What the reading gave.
  struct Outcome: Sendable {
    /// What became of the records of each table; nothing is inserted.
    let accounts: [TableCounts]
    /// For how long the reading thread kept a processor busy.
    let processorSeconds: Double
  }

  /// Finds the dumps of the schema's tables in the folder `source`.
  init(_ schema: SchemaDescription, source: String) throws(IngestError) {
    self.schema = schema
    folder = try SourceFolder(source, sources: schema.sources, allowedMissing: .tables([]))
  }

  /// Reads everything, parents first, on a thread of its own.
  ///
  /// Once a record is rejected, no more batches come.
  ///
  /// - Parameter take: gets each batch, on the caller's thread, with its table's place in the schema.
  /// - Returns: The accounts, and what the reading thread took.
  /// - Throws: `IngestError`, for a dump that cannot be used or an error that `take` threw.
  func run(
    _ take: (borrowing RowBatch, Int) throws(SQLiteError) -> Void
  ) throws(IngestError) -> Outcome {
    let ring = Ring(columns: schema.tables.map(\.columns.count).max() ?? 1)
    let worker = try startWorker("reader") { [schema, folder] in
      var producer = RowProducer(
        schema, input: RowProducer.Input(folder: folder),
        options: IngestOptions(source: "", output: ""), ring: ring,
        recorder: RunRecorder { _ in })
      let start = threadSeconds()
      let reading = producer.run()
      return (reading, threadSeconds() - start)
    }
    let taken = Result { () throws(SQLiteError) in
      while let delivery = ring.filled.receive() {
        try take(delivery.rows, delivery.table)
        _ = ring.free.send(delivery)
      }
    }
    ring.free.close()
    ring.filled.close()
    let (reading, seconds) = worker.result()
    if let failure = reading.failures.first { throw failure }
    try taken.mapError { IngestError($0, writing: "a table") }.get()
    return Outcome(accounts: reading.counts, processorSeconds: seconds)
  }
}

/// For how long this thread has kept a processor busy.
private func threadSeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
