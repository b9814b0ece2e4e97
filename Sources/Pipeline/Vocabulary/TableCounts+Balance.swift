import Text

extension TableCounts {
  /// The mismatches between bytes and records read and their outcomes, as sentences; empty if the counts add up.
  ///
  /// The numbers on both sides are counted independently: bytes when they leave the decompressor, records by the parser,
  /// and both again when they become rows or are rejected.
  package var imbalances: [String] {
    sources.flatMap { source in
      [
        imbalance(of: "record", in: source, read: source.records, parts: source.recordParts),
        imbalance(of: "byte", in: source, read: source.bytes, parts: source.byteParts),
      ].compactMap { $0 }
    }
  }

  /// The difference between loaded records and inserted rows, as a sentence; nil if there is none.
  package var imbalanceOfRows: String? {
    guard loaded != inserted else { return nil }
    return "\(table): \(loaded.of("record")) loaded, but \(inserted.of("row")) inserted"
  }

  private func imbalance(
    of unit: String, in source: SourceCounts, read: Int, parts: [SourceCounts.Part]
  ) -> String? {
    guard parts.reduce(0, { $0 + $1.count }) != read else { return nil }
    let sums = parts.filter { !$0.isRare || $0.count > 0 }.map {
      "\($0.count.grouped) \($0.words)"
    }.joined(separator: ", ")
    return "\(source.name): \(read.of(unit)) read, but counted: \(sums)"
  }
}

extension SourceCounts {
  /// A part of a file's records or decompressed bytes: its key in the report, its title on the page, its words in a
  /// message, and whether few files have it.
  package typealias Part = (key: String, title: String, words: String, count: Int, isRare: Bool)

  package var recordParts: [Part] {
    [
      ("loaded", "loaded", "loaded", loaded.records, false),
      ("rejected", "rejected", "rejected", rejected.records, false),
      ("left_out", "skipped", "skipped", leftOut.records, true),
    ]
  }

  package var byteParts: [Part] {
    [
      ("header", "header", "in the header", headerBytes, false),
      ("blank", "blank lines", "in blank lines", blankBytes, false),
      ("comments", "comments", "in skipped comments", passedBytes, true),
      ("loaded", "loaded", "in loaded records", loaded.bytes, false),
      ("rejected", "rejected", "in rejected records", rejected.bytes, false),
      ("left_out", "skipped", "in skipped records", leftOut.bytes, true),
    ]
  }
}
