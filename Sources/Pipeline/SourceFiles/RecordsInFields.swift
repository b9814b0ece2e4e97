import CSV

/// Records with many lines that look like records, as after a quote that was not closed.
package struct RecordsInFields: Equatable, Sendable {
  package private(set) var lines = 0
  /// The line of the first such record.
  package private(set) var firstLine = 0

  /// Fewer lines may be a list in a text.
  private static let fewest = 10

  /// Examines the records of a batch, of which few have many lines.
  mutating func examine(_ batch: borrowing RecordBatch, fieldCount: Int, _ dialect: Dialect) {
    guard fieldCount > 1 else { return }
    for record in batch.records where record.innerLineFeeds >= Self.fewest {
      let bytes = batch.bytes[record.bytes]
      let inner = bytes.split(separator: dialect.lastByteOfLine, omittingEmptySubsequences: false)
      let alike = inner.count { dialect.countDelimiters(in: $0.span) == fieldCount - 1 }
      guard alike >= Self.fewest, alike * 2 > record.innerLineFeeds else { continue }
      if lines == 0 { firstLine = record.line }
      lines += alike
    }
  }
}
