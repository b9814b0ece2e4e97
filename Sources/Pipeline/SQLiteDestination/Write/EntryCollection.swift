import Vocabulary
import Platform
import SQLiteFormat
package import SQLiteSwiftly
package import Schema

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
        let loadsKey = schema.loadsKey(of: description)
        collector.begin(table: table, withKey: loadsKey)
        sum = RowSum(description, withKey: !loadsKey)
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
    progress = Monitor(Progress(schema: schema, collector: collector))
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

extension SchemaDescription {
  /// Whether the index of a table's primary key is loaded like the other indexes, instead of being updated by SQLite for
  /// each row.
  ///
  /// Such an index exists only at the end, too late for derived tables and the search.
  package func loadsKey(of table: TableDescription) -> Bool {
    let isMember = keyUnions.contains { union in
      union.members.contains { haveSameBytes($0.table, table.name) }
    }
    return KeyIndex(of: table) != nil && !isMember && !mayBeReadEarly(table)
  }

  /// Whether a table may be read before the loaded indexes exist: then its name is in a query, or that of a view, which the
  /// search can read as well.
  private func mayBeReadEarly(_ table: TableDescription) -> Bool {
    let queries = derivedTables.map(\.query.text) + (search?.entries.map(\.text) ?? [])
    let texts = queries + [statistics?.contents.source.text].compactMap(\.self)
    guard !texts.isEmpty else { return false }
    let words = Set(texts.flatMap(words))
    return ([table.name] + views.map(\.name)).contains { words.isSuperset(of: self.words(of: $0)) }
  }

  /// What is between the spaces and signs of a query or a name.
  private func words(of text: String) -> [ArraySlice<UInt8>] {
    foldedName(text).split {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), 0x80...:
        false
      default: true
      }
    }
  }
}
