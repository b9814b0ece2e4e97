import SQLiteSwiftly

/// The run that wrote the previous database, as far as the database records it.
package struct PreviousRun: Equatable, Sendable {
  package struct Source: Equatable, Sendable {
    package let table: String
    package let file: String
    package let time: SourceTime?
    package let records: Int

    /// Makes a source of stored values; a time that gzip cannot have is ignored.
    package init(table: String, file: String, gzipTime: Int?, zipTime: Int?, records: Int) {
      self.table = table
      self.file = file
      let stamp = gzipTime.flatMap { UInt32(exactly: $0) }
      time = stamp.map { .utc(Int($0)) } ?? zipTime.map { .local($0) }
      self.records = records
    }
  }

  /// The source files, without repairs.
  package let sources: [Source]

  package init(sources: [Source]) { self.sources = sources }

  /// A source file that is older than that of the same table in the previous database; nil if none is.
  package func olderSource(
    in tables: [TableCounts]
  ) -> (file: String, time: SourceTime, previous: Source)? {
    for table in tables {
      guard let newest = table.newestSource else { continue }
      let previous = sources.filter { haveSameBytes($0.table, table.table) }
        .first { $0.time.map(newest.time.isEarlier) ?? false }
      if let previous { return (newest.file, newest.time, previous) }
    }
    return nil
  }
}
