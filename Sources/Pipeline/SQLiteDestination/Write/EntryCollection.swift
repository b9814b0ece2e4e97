import Vocabulary
import Platform
import SQLiteFormat
package import SQLiteSwiftly
package import Schema

/// The thread that collects the index entries and sums the rows of batches that were already inserted.
struct EntryCollection: Sendable {
  struct Collected: Sendable {
    /// The checksum of the rows of each complete table.
    let rows: [EntryChecksum]
    /// The checksum of each table's key index; nil if there is none.
    let keys: [EntryChecksum?]
    let indexes: CollectedIndexes
  }

  private let worker: Worker<Result<Collected, FileError>>

  /// Starts the thread, which returns the batches to the reader.
  ///
  /// The file of `descriptor` has the tables already, and will have the indexes.
  init(
    _ schema: SchemaDescription, _ ring: Ring, for descriptor: Int32
  ) throws(IngestError) {
    worker = try startWorker("indexes") {
      let collected = Result { () throws(FileError) in
        try Self.collect(schema, ring, for: descriptor)
      }
      if case .failure = collected {
        // No thread must wait for one that has failed: the writer for space, or the reader for a batch, all of
        // which may be on their way here.
        ring.inserted.close()
        ring.free.close()
      }
      return collected
    }
  }

  /// Waits for the thread, which ends when nothing more is inserted.
  func result() throws(FileError) -> Collected { try worker.result().get() }

  private static func collect(
    _ schema: SchemaDescription, _ ring: Ring, for descriptor: Int32
  ) throws(FileError) -> Collected {
    var rows: [EntryChecksum] = []
    var keys: [EntryChecksum?] = []
    var sum: RowSum?
    var collector = try IndexCollector(
      of: schema.tables, for: descriptor, spillingTo: TemporaryFolders.spillFile())
    var table = -1
    while let delivery = ring.inserted.receive() {
      if delivery.table != table {
        table = delivery.table
        let description = schema.tables[table]
        let loadsKey = schema.loadsKey(of: description)
        collector.begin(table: table, withKey: loadsKey)
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
    return Collected(rows: rows, keys: keys, indexes: try collector.result())
  }
}

extension TemporaryFolders {
  /// A file for sorted runs: first in memory, if there is ample space and no folder was chosen, then on disk.
  fileprivate static func spillFile() -> SpillFile {
    // A run must not fail because another program uses some of it meanwhile.
    let room = isChosen ? 0 : min(spareBytes(in: memory) / 4, Tuning.mostSpilledToMemory)
    return SpillFile(memory: room > 0 ? (memory, room) : nil, disk: disk)
  }
}

extension SchemaDescription {
  /// Whether the index of a table's primary key is loaded like the other indexes, instead of being updated by SQLite for
  /// each row.
  ///
  /// Such an index exists only at the end, too late for derived tables.
  package func loadsKey(of table: TableDescription) -> Bool {
    let isRead =
      !derivedTables.isEmpty || statistics != nil || search != nil
      || keyUnions.contains { union in
        union.members.contains { haveSameBytes($0.table, table.name) }
      }
    return !isRead && KeyIndex(of: table) != nil
  }
}
