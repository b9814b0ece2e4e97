package import SQLiteSwiftly

/// The run that wrote the previous database, as far as the database records it.
package struct PreviousRun: Equatable, Sendable {
  package struct Source: Equatable, Sendable {
    package let table: String
    package let file: String
    package let time: SourceTime
  }

  /// The columns of `ingest_sources` that `init(rows:)` reads, in their order.
  package static let columns = [
    "table_name", "file_name", "gzip_time_stamp", "zip_local_time", "inserted",
  ]

  /// The source files that state a time.
  private let sources: [Source]
  /// The rows that it loaded from source files, by table.
  private let rows: [String: Int]
  package let history: History
  /// The warning that nothing is known of it because the database cannot be read.
  private(set) package var unreadable: Warning?

  /// Makes the run of stored rows, in which anybody may have stored anything.
  package init(rows: [[String?]], history: History) {
    self.history = history
    self.rows = rows.reduce(into: [:]) { sums, row in
      let inserted = row[4].flatMap { Int($0) } ?? 0
      sums[row[0] ?? "", default: 0] += (0...1 << 48).contains(inserted) ? inserted : 0
    }
    sources = rows.compactMap { row in
      let time = SourceTime(gzip: row[2].flatMap { UInt32($0) }, zip: row[3].flatMap { Int($0) })
      return time.map { Source(table: row[0] ?? "", file: row[1] ?? "", time: $0) }
    }
  }

  package init(unreadable: Warning) {
    self.init(rows: [], history: History())
    self.unreadable = unreadable
  }

  /// The rows that it loaded into a table from source files; nil if unknown.
  package func rows(of table: String) -> Int? { rows[table] }

  /// A source file that is older than that of the same table in the previous database; nil if none is.
  ///
  /// Times later than `now` are ignored, in both: every correct one would be older.
  package func olderSource(
    in tables: [TableCounts], at now: Int
  ) -> (file: String, time: SourceTime, previous: Source)? {
    for table in tables {
      guard let newest = table.newestSource(at: now) else { continue }
      let previous = sources.first {
        haveSameBytes($0.table, table.table) && !$0.time.isFuture(at: now)
          && newest.time.isEarlier(than: $0.time)
      }
      if let previous { return (newest.file, newest.time, previous) }
    }
    return nil
  }
}

/// A published database that a run may find up to date.
package protocol PublishedDatabase {
  /// The version of its schema.
  var version: Int32 { get }
  var bytes: Int { get }

  /// Reads the tables with its provenance.
  func reading<Result>(
    _ body: (Connection) throws(SQLiteError) -> Result
  ) throws(IngestError) -> Result

  /// Throws the reason if another program has changed it since it was published.
  func checkIsUnmodified() throws(IngestError)

  /// Throws the reason if a crash of the machine might lose it.
  func checkIsOnDisk() throws(IngestError)
}

extension IngestError {
  /// The reason why a database is not up to date.
  package static func changed(_ reason: String) -> IngestError { IngestError(.data, reason) }
}
