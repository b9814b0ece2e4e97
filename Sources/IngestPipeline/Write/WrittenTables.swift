import SQLiteSwiftly

/// The writing side of a run, when the reader has no more rows for it.
struct WrittenTables: ~Copyable {
  private let writer: CatalogWriter
  /// For each table that is complete, the time it took.
  private let seconds: [Double]

  /// Writes what comes out of the ring.
  ///
  /// - Parameters:
  ///   - writer: a new file with the tables of the schema, all empty.
  ///   - schema: what it will hold.
  ///   - ring: where the rows come from.
  ///   - recorder: is told of each table.
  ///   - waited: the seconds in which no rows came.
  /// - Throws: `SQLiteError` of an insert or an index.
  init(
    _ writer: consuming CatalogWriter, schema: SchemaDescription, from ring: Ring,
    recorder: RunRecorder, waited: inout Double
  ) throws(SQLiteError) {
    var waiting = Stopwatch()
    defer { waited = waiting.seconds }
    var tableSeconds: [Double] = []
    var tableStart = ContinuousClock.now
    while let delivery = waiting.time({ ring.filled.receive() }) {
      let table = delivery.table
      try writer.insert(delivery.rows, table: table)
      let isLast = delivery.isLast
      // The reader gets the batch back before the indexes are built, and reads on meanwhile.
      _ = ring.free.send(delivery)
      guard isLast else { continue }
      try writer.finish(table: table)
      let end = ContinuousClock.now
      tableSeconds.append((end - tableStart).seconds)
      recorder.record(
        .tableWritten(
          name: schema.tables[table].name, rows: writer.rows[table],
          seconds: (end - tableStart).seconds))
      tableStart = end
    }
    self.writer = writer
    seconds = tableSeconds
  }

  /// Completes the file, and the accounts with what was inserted.
  ///
  /// - Parameters:
  ///   - tables: the accounts.
  ///   - path: where the file is.
  /// - Throws: `IngestError`, after which the file is of no use.
  consuming func finish(_ tables: inout [TableAccount], path: String) throws(IngestError) {
    let seconds = seconds
    guard seconds.count == tables.count else {
      throw IngestError(.fault, "\(path): not all tables were written. Nothing was published.")
    }
    do throws(SQLiteError) {
      let rows = try writer.finish(tables)
      for index in tables.indices {
        tables[index].inserted = rows[index]
        tables[index].seconds = seconds[index]
      }
    } catch {
      throw IngestError(error, writing: path)
    }
  }
}
