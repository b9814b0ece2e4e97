package struct TableCounts: Equatable, Sendable {
  package let table: String
  /// What was read for it: its dump, and after it, in a replay, the repaired records, and those of
  /// standing repairs.
  ///
  /// Empty if the dump may be missing and is.
  package var sources: [SourceCounts] = []
  /// What its dump would be called if there were one; empty as long as nobody knows.
  package var expectedFile = ""
  /// Whether nobody expects a dump of it, so that one that is not there is nothing to look at.
  package var isOptional = false
  /// Why its dump or its repaired records could not be used; nil if they could.
  package var failure: FileCode?
  /// The rows in the table, as counted in the finished file.
  package var inserted = 0
  /// The rejected records by their first reason.
  package var rejectedByCode: [RecordCode: Int] = [:]
  /// All reasons of the rejected records.
  package var reasonsByCode: [RecordCode: Int] = [:]
  /// For each column of the table, the rows in which it is NULL, as counted in the finished file; empty
  /// until then.
  package var nulls: [Int] = []
  /// The time from the end of the table before to the end of this one, its indexes included.
  package var seconds = 0.0
  package var repairs: [RepairCounts] = []

  package init(table: String) { self.table = table }

  package var file: String? { sources.first?.name }
  /// The records that were read, headers and blank lines not among them.
  package var read: Int { sources.reduce(0) { $0 + $1.records } }
  package var rejected: Int { sources.reduce(0) { $0 + $1.rejected.records } }
  /// The records that passed all checks.
  package var loaded: Int { sources.reduce(0) { $0 + $1.loaded.records } }
  package var replaced: Int { sources.reduce(0) { $0 + $1.replaced.records } }
  package var leftOut: Int { sources.reduce(0) { $0 + $1.leftOut.records } }
  package var bytes: Int { sources.reduce(0) { $0 + $1.bytes } }

  /// Whether there is neither a dump nor anybody who expects one.
  package var isUnused: Bool { isOptional && file == nil && failure == nil }

  /// A warning if there is no dump: that is allowed, and yet the table is empty; nil if there is one.
  package var absenceWarning: Warning? {
    guard file == nil, !isOptional else { return nil }
    return Warning(
      file: expectedFile, code: .tableAbsent, table: table,
      "there is no dump of \(table), which --allow-missing allows; the table has no rows",
      facts: "")
  }
}

/// One file: what it is, and what became of its bytes and records.
package struct SourceCounts: Equatable, Sendable {
  /// Records and their bytes, line ends included.
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

  /// What the headers of a gzip file's members say, and how many there are (RFC 1952).
  package struct Gzip: Equatable, Sendable {
    package var members = 0
    /// The first member's time stamp, in seconds since 1970 in UTC; nil if it has none.
    package var timeStamp: UInt32?
    /// The name that the first member was made from, escaped as in messages, of at most 255 bytes
    /// before that; nil if it has none.
    package var originalName: String?

    package init() {}
  }

  /// What the directory of a ZIP archive says of the dump in it.
  package struct Zip: Equatable, Sendable {
    /// The name, with its folders, escaped as in messages.
    package var name: String
    /// When the dump was last changed by the clock of whoever made the archive, whose time zone is not
    /// known, in seconds since 1970 by the same clock; nil if that is not given.
    package var localTime: Int?

    package init(name: String, localTime: Int?) {
      self.name = name
      self.localTime = localTime
    }
  }

  package let name: String
  /// Whether it holds repaired records: those of an earlier run, or standing repairs.
  package var isRepaired = false
  /// Whether it holds standing repairs.
  package var isStanding = false
  /// The size of the file as it is stored; in a ZIP archive, that of its compressed data alone.
  package var size = 0
  /// What is said about the compression; nil for a file that is not gzip.
  package var gzip: Gzip?
  /// What is said about the archive; nil for a file that is in none.
  package var zip: Zip?
  /// The CRC-32 of the decompressed bytes.
  package var crc32: UInt32 = 0
  package var header: [String] = []

  /// The decompressed bytes, counted where they come from.
  package var bytes = 0
  /// The records but for the header, counted by the parser.
  package var records = 0
  /// Whether it was read to its end, and is sound so far as its checksums say.
  package var isComplete = false

  /// The bytes of the byte order mark and of the header with its line end.
  package var headerBytes = 0
  /// The bytes of blank lines.
  package var blankBytes = 0
  /// The bytes of comments, and of other rows that the description says are no records.
  package var passedBytes = 0
  /// The records that became rows.
  package var loaded = Sum()
  package var rejected = Sum()
  /// The records in whose place those of a replay are loaded.
  package var replaced = Sum()
  /// The records that are not loaded because of a standing repair: those of a dump that it leaves out or
  /// replaces, and of the repairs those that are needless or do not apply.
  package var leftOut = Sum()

  package init(name: String) { self.name = name }

  /// Forgets what became of the records of a file that is damaged: nobody knows whether they are in it.
  package mutating func discardRecords() {
    loaded = Sum()
    rejected = Sum()
    replaced = Sum()
    leftOut = Sum()
  }
}
