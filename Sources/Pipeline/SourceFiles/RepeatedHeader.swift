package import CSV
package import Vocabulary
import Text

/// A header of one row, which may occur again in files that were joined.
package struct RepeatedHeader {
  /// Without its line end.
  private let text: [UInt8]
  /// The records that repeat it, and the lines of the first ones.
  package private(set) var count = 0
  private var lines: [Int] = []

  private static let lineEnds = Array("\r\n".utf8)
  private static let mostLines = 10

  /// Nil if a record may have the same text.
  package init?(_ header: Header) {
    let end = header.bytes.lastIndex { !Self.lineEnds.contains($0) } ?? -1
    // A word may be the name of a column and its value.
    guard header.records == 1, header.names.count > 1 else { return nil }
    text = Array(header.bytes.prefix(end + 1))
  }

  /// Whether a record repeats the header, perhaps with the mark of UTF-8 before it, which is counted.
  private mutating func isRepeated(by record: Record, _ bytes: Span<UInt8>) -> Bool {
    var start = record.bytes.lowerBound
    let mark = byteOrderMark
    let canHaveMark = record.bytes.count >= mark.count + text.count
    if canHaveMark, mark.indices.allSatisfy({ bytes[start + $0] == mark[$0] }) {
      start += mark.count
    }
    guard text.count...text.count + 2 ~= record.bytes.upperBound - start else { return false }
    let isRepeated =
      text.indices.allSatisfy { bytes[start + $0] == text[$0] }
      && (start + text.count..<record.bytes.upperBound).allSatisfy {
        Self.lineEnds.contains(bytes[$0])
      }
    guard isRepeated else { return false }
    count += 1
    if lines.count < Self.mostLines { lines.append(record.line) }
    return true
  }

  /// Removes the records of a batch that repeat the header, and returns their sum.
  package mutating func removeRepetitions(from batch: inout RecordBatch) -> SourceCounts.Sum {
    var numbers: Set<Int> = []
    for record in batch.records where record.number > 0 && isRepeated(by: record, batch.bytes.span)
    {
      numbers.insert(record.number)
    }
    return numbers.isEmpty ? SourceCounts.Sum() : batch.remove { numbers.contains($0.number) }
  }

  /// The number of repetitions, and their lines.
  package var words: String {
    let more = count - lines.count
    return "\(count.of("record")) \(count == 1 ? "repeats" : "repeat") the header, in line"
      + (count == 1 ? " " : "s ") + lines.map(\.grouped).joined(separator: ", ")
      + (more > 0 ? " and \(more.grouped) more" : "")
  }

  /// The warning about its repetitions; nil if there are none.
  package func warning(of file: String, table: String) -> Warning? {
    guard count > 0 else { return nil }
    return Warning(
      file: file, code: .repeatedHeader, table: table,
      "\(words), and \(count == 1 ? "is" : "are") skipped; files were probably joined",
      facts: "\(count)")
  }
}

extension RecordBatch {
  /// Removes records, and returns their sum.
  package mutating func remove(where isRemoved: (Record) -> Bool) -> SourceCounts.Sum {
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
