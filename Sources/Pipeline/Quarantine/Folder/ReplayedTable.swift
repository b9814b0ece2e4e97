package import SourceFiles
package import Facts
package import CSV

/// The repaired records of one table, and those of its dumps that they replace.
package struct ReplayedTable {
  package var dumps: [ReplayedSource] = []
  package var repaired: [SourceFolder.File] = []
}

/// The records of a dump that repaired ones replace.
package struct ReplayedSource {
  package static let advice =
    "Replay them with the dumps of that day, or load these and repair what is rejected then."

  private let folder: String
  let entry: ManifestEntry
  private(set) var numbers = ReplacedNumbers()
  private var next = ReplacedNumbers().makeIterator()
  private var nextNumber: Int?

  package init(folder: String, entry: ManifestEntry) {
    self.folder = folder
    self.entry = entry
  }

  package mutating func replace(_ more: RisingNumbers) {
    numbers.lists.append(more)
    next = numbers.makeIterator()
    nextNumber = next.next()
  }

  package mutating func takeReplaced(from batch: inout RecordBatch) -> SourceCounts.Sum {
    batch.remove { record in
      while let number = nextNumber, number < record.number { nextNumber = next.next() }
      return nextNumber == record.number
    }
  }

  /// Makes sure, before a dump is read, that it can be the one that the records come from.
  package func checkSize(of source: SourceCounts, path: String) throws(IngestError) {
    guard entry.crc32 != nil else {
      throw IngestError(
        .data, runCode: .quarantineStale,
        "\(path): was not read to its end by the run that left \(folder), so nobody knows what else "
          + "would have been rejected. Load the dumps again, and repair what is rejected then.")
    }
    guard entry.size == source.size else {
      throw stale(path, "it has \(source.size.of("byte")) where \(entry.size.grouped) were read")
    }
  }

  /// Makes sure, when a dump was read, that it is the one that the records come from.
  package func check(_ source: SourceCounts, path: String) throws(IngestError) {
    guard entry.crc32 == source.crc32, entry.bytes == source.bytes else {
      throw stale(
        path,
        "the CRC-32 of what is in it is \(source.crc32.hexadecimal), and was "
          + "\(entry.crc32?.hexadecimal ?? "not known")")
    }
    guard numbers.last > source.records else { return }
    throw stale(
      path,
      "it has \(source.records.of("record")), of which number \(numbers.last) is to be replaced")
  }

  private func stale(_ path: String, _ difference: String) -> IngestError {
    IngestError(
      .data, runCode: .quarantineStale,
      "\(path): is not the dump that the rejected records in \(folder) come from: \(difference). "
        + Self.advice)
  }
}

extension RecordBatch {
  /// Removes records, and returns their sum.
  mutating func remove(where isRemoved: (Record) -> Bool) -> SourceCounts.Sum {
    var sum = SourceCounts.Sum()
    removeRecords { record in
      guard isRemoved(record) else { return false }
      sum.records += 1
      sum.bytes += record.length
      return true
    }
    return sum
  }
}

/// The numbers of the replaced records of a dump, of one round of repairs and of those before, in their
/// order.
struct ReplacedNumbers: Sequence, Sendable {
  fileprivate var lists: [RisingNumbers] = []

  var last: Int { lists.map(\.last).max() ?? 0 }

  struct Iterator: IteratorProtocol {
    private var lists: [RisingNumbers.Iterator]
    private var heads: [Int?]

    fileprivate init(_ lists: [RisingNumbers]) {
      self.lists = lists.map { $0.makeIterator() }
      heads = self.lists.indices.map { _ in nil }
      for list in heads.indices { heads[list] = self.lists[list].next() }
    }

    mutating func next() -> Int? {
      guard let least = heads.compactMap({ $0 }).min() else { return nil }
      for list in heads.indices where heads[list] == least { heads[list] = lists[list].next() }
      return least
    }
  }

  func makeIterator() -> Iterator { Iterator(lists) }
}
