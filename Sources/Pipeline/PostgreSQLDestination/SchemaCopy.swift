#if PostgreSQL
  import Vocabulary
  import Platform
  import PostgreSQL
  import SQLiteSwiftly

  /// Copies the rows of a ring into the tables of a schema, over one or several connections.
  ///
  /// Each thread takes the next batch when it has finished one, so the rows of a large table use all connections.
  struct SchemaCopy: Sendable {
    struct Progress {
      var rows = 0
      /// When the first thread began and the last one ended.
      fileprivate var start = Double.infinity
      fileprivate var end = 0.0
      /// The number of threads copying into the table.
      fileprivate var threads = 0
      /// Whether the last batch was taken from the ring.
      fileprivate var isRead = false
      var seconds: Double { end - start }
      var isComplete: Bool { isRead && threads == 0 }
    }

    private let tables: [TableDefinition]
    private let ring: Ring
    private let recorder: RunRecorder
    private let progress: Monitor<[Progress]>
    /// Held by the thread that waits for a batch.
    private let turn = Monitor(())

    init(_ tables: [TableDefinition], from ring: Ring, _ recorder: RunRecorder) {
      self.tables = tables
      self.ring = ring
      self.recorder = recorder
      progress = Monitor(tables.map { _ in Progress() })
    }

    /// The progress of each table, once all threads have ended.
    var result: [Progress] { progress.with(\.self) }

    /// Copies batches on the calling thread until all are copied, or the ring has ended.
    ///
    /// - Throws: `PostgreSQLError`.
    func run(on connection: PostgreSQLConnection) throws(PostgreSQLError) {
      var open: TableCopy?
      while let delivery = next(besides: open?.table) {
        if open?.table != delivery.table {
          if let open { try end(open) }
          open = TableCopy(
            delivery.table, try CopyWriter(into: tables[delivery.table], on: connection))
        }
        try open?.writer?.write(delivery.rows)
        ring.giveBack(delivery)
      }
      if let open { try end(open) }
    }

    /// Takes the next batch for a thread, which is copying into `table` if it is not nil.
    ///
    /// Only one thread at a time waits, so all threads of a table are counted when its last batch is taken.
    private func next(besides table: Int?) -> Delivery? {
      turn.with { _ in
        guard let delivery = ring.next() else { return nil }
        let (next, isLast) = (delivery.table, delivery.isLast)
        progress.with { progress in
          progress[next].isRead = isLast
          guard next != table else { return }
          progress[next].threads += 1
          progress[next].start = min(progress[next].start, recorder.now)
        }
        return delivery
      }
    }

    /// The copying into one table over one connection.
    private final class TableCopy {
      let table: Int
      var writer: CopyWriter?

      init(_ table: Int, _ writer: consuming CopyWriter) {
        self.table = table
        self.writer = consume writer
      }
    }

    private func end(_ copy: TableCopy) throws(PostgreSQLError) {
      let rows = try copy.writer.take()?.end() ?? 0
      let table = progress.with { progress in
        progress[copy.table].rows += rows
        progress[copy.table].threads -= 1
        progress[copy.table].end = recorder.now
        return progress[copy.table]
      }
      guard table.isComplete else { return }
      let name = tables[copy.table].table.name
      recorder.record(.insert, table: name, from: table.start)
      recorder.record(.tableWritten(name: name, rows: table.rows, seconds: table.seconds))
    }
  }
#endif
