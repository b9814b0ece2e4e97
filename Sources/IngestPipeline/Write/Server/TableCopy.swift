#if PostgreSQL
  import PostgreSQL
  import SQLiteSwiftly

  /// Where the rows of a table go.
  struct TableRoute {
    /// The name of the table.
    let name: String
    /// The table on each server.
    let definitions: [TableDefinition]
    /// The number of the column by whose hash rows are told apart; nil if each server gets all rows.
    ///
    /// With one, the first server gets none, and the others have the partitions in their order.
    var column: Int?
  }

  /// The rows of one table on their way over one connection to each server that takes them.
  final class TableCopy {
    /// The number of the table.
    let table: Int
    private var copies: [ServerCopy] = []
    private let column: Int?
    /// For each row of a batch, the number of its partition.
    private var partitions: [UInt8] = []

    /// Begins to copy.
    init(
      _ table: Int, _ route: TableRoute, on connections: [PostgreSQLConnection]
    ) throws(PostgreSQLError) {
      self.table = table
      column = route.column
      for (definition, connection) in zip(route.definitions, connections)
      where definition.partitions == nil {
        copies.append(
          ServerCopy(try CopyWriter(into: definition, on: connection)))
      }
    }

    /// Copies the rows of a batch to the servers that take them.
    func write(_ batch: borrowing RowBatch) throws(PostgreSQLError) {
      guard let column else {
        for copy in copies { try copy.writer?.write(batch) }
        return
      }
      partition(batch, by: column)
      let partitions = partitions
      for (number, copy) in copies.enumerated() {
        try copy.writer?.write(batch) { partitions[$0] == UInt8(number) }
      }
    }

    /// Finds the partitions of the rows of a batch.
    private func partition(_ batch: borrowing RowBatch, by column: Int) {
      let partition = HashPartition(count: copies.count)
      let (values, classes, text) = (batch.values, batch.classes, batch.text.span)
      partitions.removeAll(keepingCapacity: true)
      for row in 0..<batch.rows {
        let cell = row * batch.columns + column
        let number: Int
        switch classes[cell] {
        case RowBatch.StorageClass.integer: number = partition.number(of: values[cell])
        case RowBatch.StorageClass.text:
          let (start, count) = RowBatch.textPlace(values[cell])
          number = partition.number(of: text.extracting(start..<start + count))
        default: number = HashPartition.ofNull
        }
        partitions.append(UInt8(number))
      }
    }

    /// Ends the copy.
    ///
    /// - Returns: How many rows of the table there are.
    func finish() throws(PostgreSQLError) -> Int {
      var rows: [Int] = []
      for copy in copies { rows.append(try copy.finish()) }
      return column == nil ? rows[0] : rows.reduce(0, +)
    }

    /// A copy to one server.
    private final class ServerCopy {
      var writer: CopyWriter?

      init(_ writer: consuming CopyWriter) { self.writer = consume writer }

      func finish() throws(PostgreSQLError) -> Int { try writer.take()?.finish() ?? 0 }
    }
  }
#endif
