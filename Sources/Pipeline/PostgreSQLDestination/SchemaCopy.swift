#if PostgreSQL
  import Facts
  import Threads
  import PostgreSQL
  import SQLiteSwiftly

  /// Copies the rows that come out of a ring into the tables of a schema, over one connection or several.
  ///
  /// Each thread takes the next batch when it is done with one: so the rows of a large table go over all of them.
  struct SchemaCopy: Sendable {
    /// What became of a table.
    struct Account {
      var rows = 0
      /// When the first thread began with it, and when the last one was done.
      fileprivate var start = Double.infinity
      fileprivate var end = 0.0
      /// How many threads are copying into it.
      fileprivate var threads = 0
      /// Whether its last batch was taken out of the ring.
      fileprivate var isRead = false
      var seconds: Double { end - start }
      var isComplete: Bool { isRead && threads == 0 }
    }

    private let tables: [TableDefinition]
    private let ring: Ring
    private let recorder: RunRecorder
    private let accounts: Monitor<[Account]>
    /// Is held by the thread that waits for a batch; the time in which all were waiting.
    private let turn = Monitor(Stopwatch())

    init(_ tables: [TableDefinition], from ring: Ring, _ recorder: RunRecorder) {
      self.tables = tables
      self.ring = ring
      self.recorder = recorder
      accounts = Monitor(tables.map { _ in Account() })
    }

    /// What became of each table, and the seconds in which no rows came, once all threads are done.
    var result: (accounts: [Account], waited: Double) {
      (accounts.with { $0 }, turn.with { $0.seconds })
    }

    /// Copies batches until the ring is closed, on the thread that calls it; whoever else copies goes on after an error.
    ///
    /// - Throws: `PostgreSQLError`.
    func run(on connection: PostgreSQLConnection) throws(PostgreSQLError) {
      var open: TableCopy?
      while let delivery = next(besides: open?.table) {
        if open?.table != delivery.table {
          if let open { try finish(open) }
          open = TableCopy(
            delivery.table, try CopyWriter(into: tables[delivery.table], on: connection))
        }
        try open?.writer?.write(delivery.rows)
        _ = ring.free.send(delivery)
      }
      if let open { try finish(open) }
    }

    /// Takes the next batch, for a thread that copies into a table or none.
    ///
    /// One thread at a time: so all who copy into a table are counted when its last batch is taken.
    private func next(besides table: Int?) -> Delivery? {
      turn.with { waiting in
        guard let delivery = waiting.time({ ring.filled.receive() }) else { return nil }
        let (next, isLast) = (delivery.table, delivery.isLast)
        accounts.with { accounts in
          accounts[next].isRead = isLast
          guard next != table else { return }
          accounts[next].threads += 1
          accounts[next].start = min(accounts[next].start, recorder.now)
        }
        return delivery
      }
    }

    /// The rows of one table on their way over one connection.
    private final class TableCopy {
      /// The number of the table.
      let table: Int
      var writer: CopyWriter?

      init(_ table: Int, _ writer: consuming CopyWriter) {
        self.table = table
        self.writer = consume writer
      }
    }

    private func finish(_ copy: TableCopy) throws(PostgreSQLError) {
      let rows = try copy.writer.take()?.finish() ?? 0
      let account = accounts.with { accounts in
        accounts[copy.table].rows += rows
        accounts[copy.table].threads -= 1
        accounts[copy.table].end = recorder.now
        return accounts[copy.table]
      }
      guard account.isComplete else { return }
      let name = tables[copy.table].table.name
      recorder.record(.insert, table: name, from: account.start)
      recorder.record(.tableWritten(name: name, rows: account.rows, seconds: account.seconds))
    }
  }
#endif
