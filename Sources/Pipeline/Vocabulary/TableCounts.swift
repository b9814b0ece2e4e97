import Text

/// The counts of one table: the records read, and their fate.
package struct TableCounts: Equatable, Sendable {
  package let table: String
  /// The files read for it: its source files, and then repairs.
  ///
  /// Empty if the source file is missing, and may be.
  package var sources: [SourceCounts] = []
  package var expectedFile = ""
  /// Whether its source file is optional, so that its absence produces no warning.
  package var isOptional = false
  /// The reason why a file of it cannot be used; nil if there is none.
  package var failure: FileCode?
  /// The rows in the table, counted in the finished database.
  package var inserted = 0
  /// The rows that the previous run loaded from source files; nil if unknown.
  package var before: Int?
  /// The rejected records by their first reason.
  package var rejectedByCode: [RecordCode: Int] = [:]
  /// All reasons of the rejected records.
  package var reasonsByCode: [RecordCode: Int] = [:]
  /// The number of NULLs in each column, counted in the finished database; empty until then.
  package var nulls: [Int] = []
  /// The time from the end of the previous table to the end of this one, including its indexes.
  package var seconds = 0.0
  package var repairs: [RepairCounts] = []

  package init(table: String) { self.table = table }

  package var file: String? { sources.first?.name }
  /// The records read, without headers and blank lines.
  package var read: Int { sources.reduce(0) { $0 + $1.records } }
  package var rejected: Int { sources.reduce(0) { $0 + $1.rejected.records } }
  /// The records that passed all checks.
  package var loaded: Int { sources.reduce(0) { $0 + $1.loaded.records } }
  package var leftOut: Int { sources.reduce(0) { $0 + $1.leftOut.records } }
  package var bytes: Int { sources.reduce(0) { $0 + $1.bytes } }

  /// The codes by which records are rejected, in their order, with the records of each.
  package var rejectedCodes: [(code: RecordCode, count: Int)] {
    RecordCode.allCases.compactMap { code in
      rejectedByCode[code].flatMap { $0 > 0 ? (code, $0) : nil }
    }
  }

  /// Whether an optional source file is missing.
  package var isUnused: Bool { isOptional && file == nil && failure == nil }

  /// A warning if the source file is missing although it is not optional.
  package var absenceWarning: Warning? {
    guard file == nil, !isOptional else { return nil }
    return Warning(
      file: expectedFile, code: .tableAbsent, table: table,
      "source file of \(table) missing (allowed by --allow-missing); table left empty",
      facts: "")
  }
}

/// The counts of one file: its properties, and the fate of its bytes and records.
package struct SourceCounts: Equatable, Sendable {
  /// Records and their bytes, including line ends.
  package struct Sum: Equatable, Sendable {
    package var records = 0
    package var bytes = 0

    package init(records: Int = 0, bytes: Int = 0) {
      self.records = records
      self.bytes = bytes
    }

    package static func += (sum: inout Sum, other: Sum) {
      sum.records += other.records
      sum.bytes += other.bytes
    }
  }

  /// The headers of the members of a gzip file (RFC 1952).
  package struct Gzip: Equatable, Sendable {
    package var members = 0
    /// The time stamp of the first member, in seconds since 1970 in UTC; nil if it has none.
    package var timeStamp: UInt32?
    /// The original name in the first member, cut to 255 bytes and escaped as in messages; nil if it has none.
    package var originalName: String?

    package init() {}
  }

  /// The entry of the source file in the directory of a ZIP archive.
  package struct Zip: Equatable, Sendable {
    /// The path in the archive, escaped as in messages.
    package var name: String
    /// The modification time, in seconds since 1970 in the unknown local time zone of the archive's creator; nil if
    /// missing.
    package var localTime: Int?

    package init(name: String, localTime: Int?) {
      self.name = name
      self.localTime = localTime
    }
  }

  package let name: String
  /// Whether it is a file of repairs.
  package var isRepairs = false
  /// The stored size of the file; in a ZIP archive, that of its compressed data alone.
  package var size = 0
  package var gzip: Gzip?
  /// The entry of the ZIP archive; nil for a file outside one.
  package var zip: Zip?
  /// The CRC-32 of the decompressed bytes.
  package var crc32: UInt32 = 0
  /// The encoding from which the text was converted; nil for UTF-8.
  package var encoding: String?
  package var header: [String] = []

  /// The decompressed bytes in UTF-8, counted by the reader.
  package var bytes = 0
  /// The records without the header, counted by the parser.
  package var records = 0
  /// Whether it was read to its end, and its checksums match.
  package var isComplete = false

  /// The bytes of the byte order mark and of the header with its line end.
  package var headerBytes = 0
  package var blankBytes = 0
  /// The bytes of comments, and of other rows that the description skips.
  package var passedBytes = 0
  /// The records that became rows.
  package var loaded = Sum()
  package var rejected = Sum()
  /// The records skipped: those that repeat the header, those of a source file that repairs remove or replace, and repairs
  /// that are needless or do not apply.
  package var leftOut = Sum()

  package init(name: String) { self.name = name }

  /// Discards the counts of a damaged file, whose records are unreliable.
  package mutating func discardRecords() {
    loaded = Sum()
    rejected = Sum()
    leftOut = Sum()
  }
}

extension TableCounts {
  /// The mismatches between bytes and records read and their outcomes, as sentences; empty if the counts add up.
  ///
  /// The numbers on both sides are counted independently: bytes when they leave the decompressor, records by the parser,
  /// and both again when they become rows or are rejected.
  package var imbalances: [String] {
    sources.flatMap { source in
      [source.recordBalance, source.byteBalance].filter { $0.rest != 0 }.map { balance in
        let parts = balance.parts.filter { !$0.isRare || $0.count > 0 }
          .map { "\($0.count.grouped) \($0.words)" }.joined(separator: ", ")
        return "\(source.name): \(balance.read.of(balance.unit)) read, but counted: \(parts)"
      }
    }
  }

  /// The difference between loaded records and inserted rows, as a sentence; nil if there is none.
  package var imbalanceOfRows: String? {
    guard loaded != inserted else { return nil }
    return "\(table): \(loaded.of("record")) loaded, but \(inserted.of("row")) inserted"
  }
}

extension SourceCounts {
  /// A part of a file's records or decompressed bytes: its key in the report, its title on the page, its words in a
  /// message, and whether few files have it.
  package typealias Part = (key: String, title: String, words: String, count: Int, isRare: Bool)

  /// The records or decompressed bytes that were read, and the parts that must add up to them.
  package struct Balance {
    let unit: String
    package let read: Int
    package let parts: [Part]
    /// What the parts lack: 0 unless the file was not read to its end.
    package var rest: Int { read - parts.reduce(0) { $0 + $1.count } }
  }

  package var recordBalance: Balance {
    Balance(
      unit: "record", read: records,
      parts: [
        ("loaded", "loaded", "loaded", loaded.records, false),
        ("rejected", "rejected", "rejected", rejected.records, false),
        ("left_out", "skipped", "skipped", leftOut.records, true),
      ])
  }

  package var byteBalance: Balance {
    Balance(
      unit: "byte", read: bytes,
      parts: [
        ("header", "header", "in the header", headerBytes, false),
        ("blank", "blank lines", "in blank lines", blankBytes, false),
        ("comments", "comments", "in skipped comments", passedBytes, true),
        ("loaded", "loaded", "in loaded records", loaded.bytes, false),
        ("rejected", "rejected", "in rejected records", rejected.bytes, false),
        ("left_out", "skipped", "in skipped records", leftOut.bytes, true),
      ])
  }
}
