import Facts
import Threads
import SQLiteFormat
import Files
package import SQLiteSwiftly
package import Schema

/// The thread that takes up the entries of the indexes and adds up the rows, from batches that were inserted
/// already.
struct EntryCollection: Sendable {
  struct Collected: Sendable {
    /// For each table that is complete, the sum of its rows.
    let rows: [EntryChecksum]
    /// For each of them, the sum of the index of its key; nil if there is none.
    let keys: [EntryChecksum?]
    let indexes: CollectedIndexes
  }

  private let worker: Worker<Result<Collected, FileError>>

  /// Starts the thread; it gives the batches back to the reader.
  ///
  /// The tables are in the file of `descriptor` already, and the indexes will be.
  init(
    _ schema: SchemaDescription, _ ring: Ring, for descriptor: Int32
  ) throws(IngestError) {
    worker = try startWorker("indexes") {
      let collected = Result { () throws(FileError) in
        try Self.collect(schema, ring, for: descriptor)
      }
      if case .failure = collected {
        // Nobody must wait for a thread that has given up: the writer for room, or the reader for a
        // batch, all of which may be on their way to this thread.
        ring.inserted.close()
        ring.free.close()
      }
      return collected
    }
  }

  /// Waits for the end of the thread, which comes when nothing more is inserted.
  func result() throws(FileError) -> Collected { try worker.result().get() }

  private static func collect(
    _ schema: SchemaDescription, _ ring: Ring, for descriptor: Int32
  ) throws(FileError) -> Collected {
    var rows: [EntryChecksum] = []
    var keys: [EntryChecksum?] = []
    var sum: RowSum?
    var collector = try IndexCollector(
      for: descriptor, spillingTo: TemporaryFolders.spillFile())
    var table = -1
    while let delivery = ring.inserted.receive() {
      if delivery.table != table {
        table = delivery.table
        let description = schema.tables[table]
        let loadsKey = schema.loadsKey(of: description)
        collector.begin(table: table, description, withKey: loadsKey)
        sum = RowSum(description, withKey: !loadsKey)
      }
      sum?.add(delivery.rows)
      try collector.add(delivery.rows)
      if delivery.isLast {
        try collector.finishTable()
        if let sum {
          rows.append(sum.checksum)
          keys.append(sum.keyChecksum)
        }
      }
      _ = ring.free.send(delivery)
    }
    return Collected(rows: rows, keys: keys, indexes: try collector.finish())
  }
}

extension TemporaryFolders {
  /// A file for sorted runs: in memory first, if there is ample room and nobody has chosen a folder, then
  /// on the disk.
  fileprivate static func spillFile() -> SpillFile {
    // A run must not fail because somebody else takes some of it meanwhile.
    let room = isChosen ? 0 : min(spareBytes(in: memory) / 4, Tuning.mostSpilledToMemory)
    return SpillFile(memory: room > 0 ? (memory, room) : nil, disk: disk)
  }
}

extension SchemaDescription {
  /// Whether the index of a table's primary key is loaded like the others, and not kept by SQLite while rows are inserted.
  ///
  /// It is there only in the end, so not for what is derived from the tables.
  package func loadsKey(of table: TableDescription) -> Bool {
    let isRead =
      !derivedTables.isEmpty || !aggregates.isEmpty || search != nil
      || keyUnions.contains { union in
        union.members.contains { haveSameBytes($0.table, table.name) }
      }
    return !isRead && KeyIndex(of: table) != nil
  }
}
