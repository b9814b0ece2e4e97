package import SourceFiles
package import Vocabulary
package import CSV
import Text

/// The fixed records of one table, and the source records that they replace.
package struct ReplayedTable {
  package var sources: [ReplayedSource] = []
  package var repaired: [SourceFolder.File] = []
}

package struct ReplayedSource {
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

  package mutating func removeReplaced(from batch: inout RecordBatch) -> SourceCounts.Sum {
    batch.remove { record in
      while let number = nextNumber, number < record.number { nextNumber = next.next() }
      return nextNumber == record.number
    }
  }

  /// Checks, before reading a source file, that the records can be from it.
  package func checkSize(of source: SourceCounts, path: String) throws(IngestError) {
    guard entry.crc32 != nil else { throw .replayedSourceIncomplete(path, folder) }
    guard entry.size == source.size else {
      throw differs(path, "it has \(source.size.of("byte")), not \(entry.size.grouped)")
    }
  }

  /// Checks, after reading a source file, that the records are from it.
  package func check(_ source: SourceCounts, path: String) throws(IngestError) {
    guard entry.hasEncoding(of: source) else {
      throw differs(
        path,
        "it was read as \(entry.encoding?.quotedForMessage ?? ""), not as "
          + (source.encoding?.quotedForMessage ?? "UTF-8"))
    }
    guard entry.crc32 == source.crc32, entry.bytes == source.bytes else {
      throw differs(
        path,
        "the CRC-32 of its contents is \(source.crc32.hexadecimal), not "
          + "\(entry.crc32?.hexadecimal ?? "known")")
    }
    guard numbers.last > source.records else { return }
    throw differs(
      path, "it has \(source.records.of("record")), but record \(numbers.last) is to be replaced")
  }

  private func differs(_ path: String, _ difference: String) -> IngestError {
    .replayedSourceDiffers(path, from: folder, difference)
  }
}

extension RecordBatch {
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

/// The numbers of the replaced records of a source file, from all replays, in ascending order.
struct ReplacedNumbers: Sequence, Sendable {
  fileprivate var lists: [RisingNumbers] = []

  var last: Int { lists.map(\.last).max() ?? 0 }

  func makeIterator() -> UnfoldSequence<Int, [(rest: RisingNumbers.Iterator, head: Int?)]> {
    let lists = lists.map { list in
      var rest = list.makeIterator()
      let head = rest.next()
      return (rest: rest, head: head)
    }
    return sequence(state: lists) { lists in
      guard let least = lists.compactMap(\.head).min() else { return nil }
      for list in lists.indices where lists[list].head == least {
        lists[list].head = lists[list].rest.next()
      }
      return least
    }
  }
}
