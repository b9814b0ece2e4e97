import Vocabulary
import Platform
import SQLiteFormat
import SQLiteSwiftly
import Schema

/// Collects the index entries of inserted rows, and sums the rows, on any thread.
final class EntryCollection: Sendable {
  struct Collected: Sendable {
    /// The checksum of the rows of each complete table.
    let rows: [EntryChecksum]
    /// The checksum of each table's key index; nil if there is none.
    let keys: [EntryChecksum?]
    let indexes: CollectedIndexes
  }

  private struct Progress: ~Copyable, Sendable {
    let schema: SchemaDescription
    let loadedKeys: [Bool]
    var collector: IndexCollector
    var table = -1
    var sum: RowSum?
    var rows: [EntryChecksum] = []
    var keys: [EntryChecksum?] = []
    var failure: FileError?

    mutating func add(_ delivery: borrowing Delivery) throws(FileError) {
      if delivery.table != table {
        table = delivery.table
        let description = schema.tables[table]
        collector.begin(table: table, withKey: loadedKeys[table])
        sum = RowSum(description, withKey: !loadedKeys[table])
      }
      sum?.add(delivery.rows)
      try collector.add(delivery.rows)
      guard delivery.isLast, let sum else { return }
      try collector.finishTable()
      rows.append(sum.checksum)
      keys.append(sum.keyChecksum)
    }

    consuming func result() throws(FileError) -> Collected {
      let (rows, keys) = (rows, keys)
      if let failure { throw failure }
      return Collected(rows: rows, keys: keys, indexes: try collector.result())
    }
  }

  /// nil once it has ended.
  private let progress: Monitor<Progress?>

  /// Begins with the first table; the file of `descriptor` has the tables already, and will have the indexes.
  init(_ schema: SchemaDescription, for descriptor: Int32) throws(FileError) {
    let collector = try IndexCollector(
      of: schema.tables, for: descriptor, spillingTo: TemporaryFolders.spillFile())
    progress = Monitor(
      Progress(schema: schema, loadedKeys: schema.loadedKeys, collector: collector))
  }

  /// Adds the rows of a batch; returns false after a failure.
  func add(_ delivery: borrowing Delivery) -> Bool {
    progress.with { progress in
      do throws(FileError) {
        try progress?.add(delivery)
        return true
      } catch {
        progress?.failure = error
        return false
      }
    }
  }

  /// Ends the last table.
  ///
  /// - Throws: `FileError`, also for an earlier failure.
  func result() throws(FileError) -> Collected {
    guard let progress = progress.with({ $0.take() }) else {
      preconditionFailure("the collection has ended")
    }
    return try progress.result()
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
