import SourceFiles
import Vocabulary
import Platform
import Glibc
import Run
import SQLiteSwiftly
import Schema

/// Only the reading side of a run: source files are decompressed, parsed and checked; nothing is written.
///
/// For measurements of a single stage.
struct ReadingStage {
  private let schema: SchemaDescription
  private let folder: SourceFolder

  /// The result of reading.
  struct Outcome: Sendable {
    /// The row counts of each table; nothing is inserted.
    let accounts: [TableCounts]
    /// The CPU time of the reading thread.
    let processorSeconds: Double
  }

  /// Finds the source files of the schema's tables in the folder `source`.
  init(_ schema: SchemaDescription, source: String) throws(IngestError) {
    self.schema = schema
    folder = try SourceFolder(source, sources: schema.sources, allowedMissing: .tables([]))
  }

  /// Reads everything, parents first, on a thread of its own.
  ///
  /// Once a record is rejected, no more batches come.
  ///
  /// - Parameter take: gets each batch, on the caller's thread, with its table's place in the schema.
  /// - Returns: The row counts, and the CPU time of the reading thread.
  /// - Throws: `IngestError`, for an unusable source file or an error of `take`.
  func run(
    _ take: (borrowing RowBatch, Int) throws(SQLiteError) -> Void
  ) throws(IngestError) -> Outcome {
    let ring = Ring(columns: schema.tables.map(\.columns.count).max() ?? 1)
    let worker = try startWorker("reader") { [schema, folder] in
      var producer = RowProducer(
        schema, input: RowProducer.Input(folder: folder),
        options: IngestOptions(source: "", output: .nothing), ring: ring,
        recorder: RunRecorder { _ in })
      let start = threadSeconds()
      let reading = producer.run()
      return (reading, threadSeconds() - start)
    }
    let taken = Result { () throws(SQLiteError) in
      while let delivery = ring.next() {
        try take(delivery.rows, delivery.table)
        ring.giveBack(delivery)
      }
    }
    ring.end()
    let (reading, seconds) = worker.result()
    if let failure = reading.failures.first { throw failure }
    try taken.mapError { IngestError($0, writing: "a table") }.get()
    return Outcome(accounts: reading.counts, processorSeconds: seconds)
  }
}

/// The CPU time of this thread.
private func threadSeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
