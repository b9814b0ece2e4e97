extension TableCounts {
  /// The mismatches between bytes and records read and their outcomes, as sentences; empty if the counts add up.
  ///
  /// The numbers on both sides are counted independently: bytes when they leave the decompressor, records by the parser,
  /// and both again when they become rows or are rejected.
  package var imbalances: [String] {
    sources.flatMap { source in
      [
        imbalance(
          of: "record", in: source, read: source.records,
          parts: [
            ("loaded", source.loaded.records), ("rejected", source.rejected.records),
            ("replaced", source.replaced.records), ("skipped", source.leftOut.records),
          ]),
        imbalance(
          of: "byte", in: source, read: source.bytes,
          parts: [
            ("in the header", source.headerBytes), ("in blank lines", source.blankBytes),
            ("in skipped comments", source.passedBytes),
            ("in loaded records", source.loaded.bytes),
            ("in rejected records", source.rejected.bytes),
            ("in replaced records", source.replaced.bytes),
            ("in skipped records", source.leftOut.bytes),
          ]),
      ].compactMap { $0 }
    }
  }

  /// The difference between loaded records and inserted rows, as a sentence; nil if there is none.
  package var imbalanceOfRows: String? {
    guard loaded != inserted else { return nil }
    return "\(table): \(loaded.of("record")) loaded, but \(inserted.of("row")) inserted"
  }

  private func imbalance(
    of unit: String, in source: SourceCounts, read: Int, parts: [(name: String, count: Int)]
  ) -> String? {
    guard parts.reduce(0, { $0 + $1.count }) != read else { return nil }
    // Few runs skip anything.
    let sums = parts.filter { !$0.name.contains("skipped") || $0.count > 0 }.map {
      "\($0.count.grouped) \($0.name)"
    }.joined(separator: ", ")
    return "\(source.name): \(read.of(unit)) read, but counted: \(sums)"
  }
}
