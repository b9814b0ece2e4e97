package import CSV

/// The text of a header of one row, which may occur again in files that were joined.
package struct RepeatedHeader {
  /// Without its line end.
  private let text: [UInt8]

  private static let lineEnds = Array("\r\n".utf8)

  /// Nil if a record may have the same text.
  package init?(_ header: Header) {
    let end = header.bytes.lastIndex { !Self.lineEnds.contains($0) } ?? -1
    // A word may be the name of a column and its value.
    guard header.records == 1, header.names.count > 1 else { return nil }
    text = Array(header.bytes.prefix(end + 1))
  }

  package func isRepeated(by record: Record, _ bytes: Span<UInt8>) -> Bool {
    guard text.count...text.count + 2 ~= record.bytes.count else { return false }
    let start = record.bytes.lowerBound
    return text.indices.allSatisfy { bytes[start + $0] == text[$0] }
      && (start + text.count..<record.bytes.upperBound).allSatisfy {
        Self.lineEnds.contains(bytes[$0])
      }
  }
}
