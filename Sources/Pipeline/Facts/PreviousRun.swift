import SQLiteSwiftly

/// The run that wrote the previous database, as far as the database records it.
package struct PreviousRun: Equatable, Sendable {
  /// A source file, without repairs.
  package struct Source: Equatable, Sendable {
    package let table: String
    package let file: String
    package let time: SourceTime
  }

  /// The columns of `ingest_sources` that `init(rows:)` reads, in their order.
  package static let columns = "table_name, file_name, gzip_time_stamp, zip_local_time"

  /// The source files that state a time.
  private let sources: [Source]

  /// Makes the run of stored rows, in which anybody may have stored anything.
  package init(rows: [[String?]]) {
    sources = rows.compactMap { row in
      let time = SourceTime(
        gzip: row[2].flatMap { UInt32($0) }, zip: row[3].flatMap { Int($0) })
      return time.map { Source(table: row[0] ?? "", file: row[1] ?? "", time: $0) }
    }
  }

  /// A source file that is older than that of the same table in the previous database; nil if none is.
  func olderSource(
    in tables: [TableCounts]
  ) -> (file: String, time: SourceTime, previous: Source)? {
    for table in tables {
      guard let newest = table.newestSource else { continue }
      let previous = sources.first {
        haveSameBytes($0.table, table.table) && newest.time.isEarlier(than: $0.time)
      }
      if let previous { return (newest.file, newest.time, previous) }
    }
    return nil
  }
}
