import Glibc
package import SQLiteSwiftly

/// The reading side of a run alone: dumps are inflated, parsed and checked, and nothing is written.
///
/// For measurements, which look at one stage at a time.
package struct ReadingStage {
  private let schema: SchemaDescription
  private let folder: DumpFolder

  /// What the reading gave.
  package struct Outcome: Sendable {
    /// What became of the records of each table; nothing is inserted.
    package let accounts: [TableAccount]
    /// For how long the reading thread kept a processor busy.
    package let processorSeconds: Double
  }

  /// Finds the dumps of the schema's tables in the folder `source`.
  package init(_ schema: SchemaDescription, source: String) throws(IngestError) {
    self.schema = schema
    folder = try DumpFolder(source, tables: schema.tables, allowedMissing: .tables([]))
  }

  /// Reads everything, parents first, on a thread of its own.
  ///
  /// Once a record is rejected, no more batches come.
  ///
  /// - Parameter take: gets each batch, on the caller's thread, with its table's place in the schema.
  /// - Returns: The accounts, and what the reading thread took.
  /// - Throws: `IngestError`, for a dump that cannot be used or an error that `take` threw.
  package func run(
    _ take: (borrowing RowBatch, Int) throws(SQLiteError) -> Void
  ) throws(IngestError) -> Outcome {
    let ring = Ring(columns: schema.tables.map(\.columns.count).max() ?? 1)
    let worker = try Worker("reader") { [schema, folder] in
      var reader = CatalogReader(
        schema, input: CatalogReader.Input(folder: folder),
        options: IngestOptions(source: "", output: ""), ring: ring,
        recorder: RunRecorder { _ in })
      let start = threadSeconds()
      let reading = reader.run()
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
    return Outcome(accounts: reading.accounts, processorSeconds: seconds)
  }
}

/// The writing side of a run alone: rows are inserted into a new file, and indexes are built.
package struct WritingStage: ~Copyable {
  private var writer: CatalogWriter

  /// Opens the empty file at `path` and creates the tables, without their secondary indexes.
  package init(_ path: String, schema: SchemaDescription) throws(SQLiteError) {
    writer = try CatalogWriter(path, schema: schema, recorder: RunRecorder { _ in })
  }

  /// The settings that the file is written with, as statements that make them anywhere else.
  package borrowing func settings() throws(SQLiteError) -> [SQL] {
    let names = [
      "page_size", "journal_mode", "synchronous", "locking_mode", "cache_size", "temp_store",
      "foreign_keys",
    ]
    return try names.map { name throws(SQLiteError) in
      let rows = try writer.connection.query(SQL(generated: "PRAGMA \(name)"))
      let value =
        switch rows.first?.first {
        case .integer(let number): "\(number)"
        case .text(let word): word
        default: ""
        }
      return SQL(generated: "PRAGMA \(name) = \(value)")
    }
  }

  /// Inserts rows of the table at this place in the schema.
  package mutating func insert(_ batch: borrowing RowBatch, table: Int) throws(SQLiteError) {
    try writer.insert(batch, table: table)
  }

  /// Ends a table: what was inserted is committed, and its indexes are built.
  package mutating func finish(table: Int) throws(SQLiteError) {
    try writer.finish(table: table)
  }
}

/// For how long this thread has kept a processor busy.
private func threadSeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
