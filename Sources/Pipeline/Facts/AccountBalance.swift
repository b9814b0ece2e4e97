extension TableCounts {
  /// What cannot be accounted for of what was read for the table, in words; empty if all can.
  ///
  /// Every number on one side was counted apart from those on the other: bytes where they leave the
  /// decompressor, records by the parser; and both again where they become rows or are rejected.
  package var imbalances: [String] {
    sources.flatMap { source in
      [
        imbalance(
          of: "records", in: source, read: source.records,
          parts: [
            ("loaded", source.loaded.records), ("rejected", source.rejected.records),
            ("replaced", source.replaced.records), ("left out", source.leftOut.records),
          ]),
        imbalance(
          of: "bytes", in: source, read: source.bytes,
          parts: [
            ("of the header", source.headerBytes), ("of blank lines", source.blankBytes),
            ("of comments left out", source.passedBytes),
            ("of loaded records", source.loaded.bytes),
            ("of rejected records", source.rejected.bytes),
            ("of replaced records", source.replaced.bytes),
            ("of records left out", source.leftOut.bytes),
          ]),
      ].compactMap { $0 }
    }
  }

  /// What cannot be accounted for between the records that were read and the rows that were inserted,
  /// in words; nil if all can.
  package var imbalanceOfRows: String? {
    guard loaded != inserted else { return nil }
    return "\(table): \(loaded.of("record")) became rows, but \(inserted.of("row")) were inserted"
  }

  private func imbalance(
    of what: String, in source: SourceCounts, read: Int, parts: [(name: String, count: Int)]
  ) -> String? {
    guard parts.reduce(0, { $0 + $1.count }) != read else { return nil }
    // Few runs leave anything out.
    let sums = parts.filter { !$0.name.hasSuffix("left out") || $0.count > 0 }.map {
      "\($0.count.grouped) \($0.name)"
    }.joined(separator: ", ")
    return "\(source.name): \(read.grouped) \(what) were read, but accounted for are \(sums)"
  }
}
