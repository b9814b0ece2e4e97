import IngestPipeline

/// A report as it is written as JSON, every key of its own; `report.schema.json` describes them.
///
/// The names of properties become keys in snake case. What may be unknown is written as null.
struct ReportDocument: Encodable {
  let versions: Versions
  let writtenAt: String
  let options: Options
  let verdict: Verdict
  let exitCode: Int32
  let totals: Totals
  let files: [File]
  let tables: [Table]
  let unreadTables: [String]
  let rejects: [RejectGroup]
  let notices: [NoticeEntry]
  @Nullable var changes: Changes?
  let stages: [Stage]
  let waits: Waits
  let seconds: Double

  struct Versions: Encodable {
    let report: Int
    let tool: String
    let sqlite: String
    let schema: Int32
  }

  struct Options: Encodable {
    let source: String
    let output: String
    let maxRejects: RejectLimits
    let maxShrink: ShrinkLimits
    let allowMissing: [String]
    let recordLimit: Int
    let keyMemoryLimit: Int
    let strictSchema: Bool
    let failFast: Bool
    let dryRun: Bool
    @Nullable var rejectsFolder: String?
    @Nullable var replayedFolder: String?
  }

  struct RejectLimits: Encodable {
    let run: String
    let tables: [String: String]
  }

  struct ShrinkLimits: Encodable {
    let run: Double
    let tables: [String: Double]
  }

  struct Verdict: Encodable {
    let outcome: String
    let failures: [Failure]
    @Nullable var outputBytes: Int?
    @Nullable var rejectsFolder: String?
    @Nullable var keptCandidate: String?
  }

  struct Failure: Encodable {
    let kind: String
    @Nullable var code: String?
    let message: String
  }

  struct Totals: Encodable {
    let bytes: Int
    let read: Int
    @Nullable var inserted: Int?
    let rejected: Int
    let replaced: Int
  }

  struct File: Encodable {
    let name: String
    let table: String
    let isRepaired: Bool
    let size: Int
    @Nullable var gzip: Gzip?
    let crc32: String
    let header: [String]
    let bytes: Bytes
    let records: Records
    let notices: [String]
  }

  struct Gzip: Encodable {
    let members: Int
    @Nullable var timeStamp: UInt32?
    @Nullable var timeStampUtc: String?
    @Nullable var originalName: String?
  }

  struct Bytes: Encodable {
    let read: Int
    let header: Int
    let blank: Int
    let loaded: Int
    let rejected: Int
    let replaced: Int
    let unaccounted: Int
  }

  struct Records: Encodable {
    let read: Int
    let loaded: Int
    let rejected: Int
    let replaced: Int
    let unaccounted: Int
  }

  struct Table: Encodable {
    let name: String
    @Nullable var file: String?
    @Nullable var failureCode: String?
    let read: Int
    @Nullable var inserted: Int?
    let rejected: Int
    let replaced: Int
    let rejectedByCode: [String: Int]
    let reasonsByCode: [String: Int]
    @Nullable var nulls: [String: Int]?
    @Nullable var seconds: Double?
  }

  struct RejectGroup: Encodable {
    let table: String
    let code: String
    let total: Int
    let samples: [Reject]
  }

  struct Reject: Encodable {
    let file: String
    let record: Int
    let firstLine: Int
    let lastLine: Int
    let offset: Int
    let length: Int
    let extentIsCertain: Bool
    let reasons: [Reason]
  }

  struct Reason: Encodable {
    let code: String
    @Nullable var column: String?
    @Nullable var value: String?
    let message: String
  }

  struct NoticeEntry: Encodable {
    let code: String
    let isDrift: Bool
    let file: String
    @Nullable var table: String?
    @Nullable var column: String?
    let message: String
    @Nullable var change: String?
  }

  struct Changes: Encodable {
    let tables: [ChangedTable]
  }

  struct ChangedTable: Encodable {
    let name: String
    @Nullable var rowsBefore: Int?
    @Nullable var rowsAfter: Int?
    @Nullable var keys: Keys?
    let nulls: [Nulls]
  }

  struct Keys: Encodable {
    let added: Int
    let removed: Int
    let changed: Int
  }

  struct Nulls: Encodable {
    let column: String
    let before: Int
    let after: Int
  }

  struct Stage: Encodable {
    let stage: String
    @Nullable var table: String?
    let start: Double
    let end: Double
    let seconds: Double
  }

  struct Waits: Encodable {
    let readerSeconds: Double
    let writerSeconds: Double
  }
}

/// A value that is written as null where there is none, not left out.
@propertyWrapper
struct Nullable<Value: Encodable>: Encodable {
  var wrappedValue: Value?

  init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue {
      try container.encode(wrappedValue)
    } else {
      try container.encodeNil()
    }
  }
}
