#if PostgreSQL
  import PostgreSQL
  import SQLiteSwiftly

  /// Copies the rows that come out of a ring into the tables of a schema, over one connection or several.
  ///
  /// Each connection has a thread of its own, which takes the next batch when it is done with one: so the rows of a large
  /// table go over all of them.
  struct SchemaCopy: Sendable {
    /// What became of a table.
    struct Account {
      /// The rows that the server has taken.
      var rows = 0
      /// When the first thread began with it, and when the last one was done.
      fileprivate var start = Double.infinity
      fileprivate var end = 0.0
      /// How many threads are copying into it.
      fileprivate var threads = 0
      /// Whether its last batch was taken out of the ring.
      fileprivate var isRead = false
      /// How long it took.
      var seconds: Double { end - start }
      /// Whether all its rows are there.
      var isComplete: Bool { isRead && threads == 0 }
    }

    private let tables: [TableDefinition]
    private let ring: Ring
    private let recorder: RunRecorder
    private let accounts: Monitor<[Account]>
    /// Is held by the thread that waits for a batch; the time in which all were waiting.
    private let turn = Monitor(Stopwatch())

    init(into tables: [TableDefinition], from ring: Ring, _ recorder: RunRecorder) {
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
    /// - Parameters:
    ///   - connection: the connection.
    ///   - areNew: whether the tables were created in the transaction that is open on it.
    /// - Throws: `PostgreSQLError`.
    func run(on connection: PostgreSQLConnection, areNew: Bool) throws(PostgreSQLError) {
      var open: TableCopy? = nil
      var openTable: Int?
      while let delivery = next(besides: openTable) {
        let table = delivery.table
        var copy: TableCopy
        if let same = try continued(open.take(), table) {
          copy = same
        } else {
          copy = TableCopy(
            writer: try CopyWriter(into: tables[table], isNew: areNew, on: connection), table: table
          )
        }
        try copy.writer.write(delivery.rows)
        _ = ring.free.send(delivery)
        open = consume copy
        openTable = table
      }
      _ = try continued(open.take(), nil)
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
    private struct TableCopy: ~Copyable {
      var writer: CopyWriter
      let table: Int
    }

    /// The copy that is open if it is that of a table; otherwise it is finished.
    private func continued(
      _ copy: consuming TableCopy?, _ table: Int?
    ) throws(PostgreSQLError) -> TableCopy? {
      guard let copy else { return nil }
      if copy.table == table { return copy }
      let finished = copy.table
      let rows = try copy.writer.finish()
      let account = accounts.with { accounts in
        accounts[finished].rows += rows
        accounts[finished].threads -= 1
        accounts[finished].end = recorder.now
        return accounts[finished]
      }
      if account.isComplete { record(account, of: finished) }
      return nil
    }

    private func record(_ account: Account, of table: Int) {
      let name = tables[table].table.name
      recorder.record(.insert, table: name, from: account.start)
      recorder.record(
        .tableWritten(name: name, rows: account.rows, seconds: account.seconds))
    }
  }
#endif
