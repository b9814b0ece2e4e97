@testable import Vocabulary
import SQLiteSwiftly
import TestSupport
@testable import IngestReport

/// Reports of runs with different results, which together have everything that a report can contain.
enum Reports {
  static let schema = Family.schema

  static let all: [(name: String, facts: ReportFacts)] = [
    ("clean", clean), ("rejects", rejects), ("failed at a file", failed), ("dry run", dryRun),
    ("changes", changes), ("repaired", repaired), ("empty", empty), ("unfinished", unfinished),
    ("uncertain", uncertain), ("unchanged", unchanged), ("hostile", hostile),
  ]

  static func facts(
    _ report: IngestOutcome, exitCode: Int32 = 0, _ change: (inout IngestOptions) -> Void = { _ in }
  ) -> ReportFacts {
    var options = IngestOptions(source: "dumps", output: .file(path: "out.sqlite"))
    change(&options)
    return ReportFacts(
      report, options: options, schema: schema, exitCode: exitCode, toolVersion: "9.8.7",
      time: 1_763_744_463)
  }

  /// A file whose records were all loaded except for `rejected` ones of 10 bytes each.
  static func source(
    _ name: String, records: Int, rejected: Int = 0, header: [String] = ["name", "parent"]
  ) -> SourceCounts {
    var source = SourceCounts(name: name)
    source.isComplete = true
    source.size = 123
    source.gzip = SourceCounts.Gzip()
    source.gzip?.members = 1
    source.gzip?.timeStamp = 1_591_693_680
    source.gzip?.originalName = "\"nodes.csv\""
    source.crc32 = 0x0000_beef
    source.header = header
    source.headerBytes = 12
    source.blankBytes = 1
    source.records = records
    source.loaded = .init(records: records - rejected, bytes: (records - rejected) * 10)
    source.rejected = .init(records: rejected, bytes: rejected * 10)
    source.bytes = 13 + records * 10
    return source
  }

  static func account(_ table: String, _ sources: [SourceCounts], isCounted: Bool = true)
    -> TableCounts
  {
    var account = TableCounts(table: table)
    account.sources = sources
    if isCounted {
      account.inserted = sources.reduce(0) { $0 + $1.loaded.records }
      account.nulls = [0, 1]
      account.seconds = 0.25
    }
    return account
  }

  static var cleanReport: IngestOutcome {
    var report = IngestOutcome()
    report.tables = [
      account("nodes", [source("nodes.csv.gz", records: 1_000_000)]), account("things", []),
    ]
    report.stages = [
      StageTime(.survey, table: "nodes", start: 0, end: 0.1),
      StageTime(.read, table: "nodes", start: 0.1, end: 0.9),
      StageTime(.insert, table: "nodes", start: 0.2, end: 1.0),
      StageTime(.index, table: "nodes", start: 1.0, end: 1.25),
      StageTime(.finish, start: 1.25, end: 1.5), StageTime(.search, start: 1.3, end: 1.4),
      StageTime(.verify, start: 1.5, end: 2),
      StageTime(.compare, start: 2, end: 2.25), StageTime(.publish, start: 2.25, end: 2.5),
    ]
    report.search = (entries: 12, bytes: 65_536, seconds: 0.1)
    report.seconds = 2.5
    report.readerWaited = 0.125
    report.writerWaited = .nan
    report.ending = .published(bytes: 4096)
    return report
  }

  static func reject(_ record: Int, table: String = "nodes", value: String? = "\"x\"")
    -> Reject
  {
    Reject(
      table: table, file: "\(table).csv.gz", record: record, lines: record + 1...record + 2,
      offset: record * 10, length: 10, extentIsCertain: record != 3,
      reasons: [
        .init(
          code: .missingParent, column: "parent", value: value, message: "the parent is not there"),
        .init(code: .wrongFormat, column: nil, value: nil, message: "a line end in a name"),
      ])
  }

  static let clean = facts(cleanReport)

  static let rejects: ReportFacts = {
    var report = cleanReport
    var account = Self.account("nodes", [source("nodes.csv.gz", records: 1000, rejected: 37)])
    account.rejectedByCode = [.missingParent: 36, .duplicateKey: 1, .nulByte: 0]
    account.reasonsByCode = [.missingParent: 36, .wrongFormat: 36, .duplicateKey: 1]
    report.tables[0] = account
    report.rejects = (1...10).map { reject($0) }
    report.rejectsFolder = "it's kept"
    report.warnings = [
      Warning(
        file: "nodes.csv.gz", code: .columnUnknown, table: "nodes", column: "mood",
        "the column is not loaded",
        change: .column(
          ColumnDescription("mood", .text, isNullable: true), ofTable: "nodes")),
      Warning(file: "nodes.csv.gz", code: .blankLine, "1 blank line"),
      Warning(file: "more.csv.gz", code: .fileUnknown, "no table for this file; not loaded"),
    ]
    report.suppressed = [
      Warning(file: "b.csv", code: .fileUnknown, "unknown", facts: ""),
      Warning(file: "nodes.csv.gz", code: .blankLine, "2 blank lines", facts: "2"),
      Warning(file: "c.csv", code: .fileUnknown, "unknown", facts: ""),
    ]
    return facts(report, exitCode: 3) {
      $0.rejectLimits = RejectLimits(run: .percent(5), tables: ["nodes": .records(40)])
      $0.shrinkLimits.tables["nodes"] = 12.5
      $0.suppressFile = "known & suppressed.txt"
      $0.allowedMissing = .tables(["things", "labels"])
    }
  }()

  static let failed: ReportFacts = {
    var report = cleanReport
    var source = Self.source("nodes.csv.gz", records: 10)
    source.bytes += 500
    report.tables = [account("nodes", [source], isCounted: false)]
    report.ending = .unpublished(refused: nil)
    report.tables[0].failure = .gzipCorrupt
    report.failures = [
      IngestError(.data, code: .file(.gzipCorrupt), "nodes.csv.gz: the checksum is another one."),
      IngestError(.inputMissing, code: .file(.fileMissing), "labels has no dump."),
    ]
    return facts(report, exitCode: 65)
  }()

  static let dryRun: ReportFacts = {
    var report = cleanReport
    report.tables = [
      account("nodes", [source("nodes.csv.gz", records: 10, rejected: 1)], isCounted: false)
    ]
    report.tables[0].rejectedByCode = [.nulByte: 1]
    report.ending = .checked
    return facts(report, exitCode: 3) {
      $0.isDryRun = true
      $0.allowedMissing = .all
    }
  }()

  static let changes: ReportFacts = {
    var report = cleanReport
    var nodes = DatabaseChanges.Table(name: "nodes")
    nodes.rowsBefore = 2000
    nodes.rowsAfter = 1000
    nodes.keys = .init(added: 5, removed: 1005, changed: 17)
    nodes.nulls = [(column: "parent", before: 20, after: 400)]
    var gone = DatabaseChanges.Table(name: "gone")
    gone.rowsBefore = 3
    var new = DatabaseChanges.Table(name: "new")
    new.rowsAfter = 4
    var changes = DatabaseChanges()
    changes.tables = [nodes, gone, new]
    report.changes = changes
    report.ending = .unpublished(refused: "out.sqlite.refused")
    report.previousDatabase = .kept
    report.failures = [
      IngestError(.data, code: .run(.catalogShrunk), "nodes has lost half of its rows.")
    ]
    return facts(report, exitCode: 65) { $0.command = "ingest @night" }
  }()

  static let repaired: ReportFacts = {
    var report = cleanReport
    var dump = source("nodes.csv.gz", records: 1000)
    dump.loaded = .init(records: 990, bytes: 9900)
    dump.leftOut = .init(records: 10, bytes: 100)
    var added = source("nodes.add.csv", records: 4)
    added.isRepairs = true
    added.gzip = nil
    report.tables[0] = account("nodes", [dump, added])
    var removal = RepairCounts(
      file: "nodes.leave-out.csv", kind: .leaveOut, size: 1, crc32: 1, records: 10)
    removal.applied = 10
    report.tables[0].repairs = [removal]
    return facts(report) { $0.repairsFolder = "standing" }
  }()

  /// An unchanged run over a database with rejected records and a warning.
  static let unchanged: ReportFacts = {
    var report = IngestOutcome()
    report.ending = .unchanged(bytes: 4096)
    var nodes = account("nodes", [source("nodes.csv.gz", records: 1_000_002, rejected: 2)])
    (nodes.rejectedByCode, nodes.nulls, nodes.seconds) = ([.nulByte: 2], [], 0)
    report.tables = [nodes, account("things", [])]
    report.warnings = [
      Warning(
        file: "out.sqlite", code: .changesUnusual, table: "nodes", column: "mood", "changed",
        difference)
    ]
    report.rejectsFolder = "out.sqlite.rejects"
    report.seconds = 0.0125
    return facts(report, exitCode: 3) { $0.skipsUnchanged = true }
  }()

  static let difference: NightDifference = {
    var facts = NightDifference(firstRun: 7)
    (facts.sinceRun, facts.sinceTime) = (5, "2025-11-19T00:00:00Z")
    facts.figures = .init(48, of: 184, isSampled: true)
    facts.usualPercent = 0.5
    facts.examples = [.init(kind: .changed, key: ["14", "a"], before: "F2", after: nil)]
    return facts
  }()

  /// A run that failed before reading.

  static let empty: ReportFacts = {
    var report = IngestOutcome()
    report.failures = [IngestError(.locked, "another run is writing it")]
    return facts(report, exitCode: 75)
  }()

  /// A run that failed after publishing.
  static let unfinished: ReportFacts = {
    var report = cleanReport
    report.warnings = [
      Warning(file: "more.csv.gz", code: .fileUnknown, "no table for this file; not loaded")
    ]
    report.failures = [
      IngestError(
        .inputOutput, undone: "its folder cannot be synced to the disk",
        "out.sqlite: published, but its folder cannot be synced to the disk.")
    ]
    return facts(report, exitCode: 5)
  }()

  /// A run that lost its server during publishing.
  static let uncertain: ReportFacts = {
    var report = cleanReport
    report.ending = .unpublished(refused: nil)
    report.failures = [IngestError(.uncertain, "postgresql:///lego: the connection is gone.")]
    return facts(report, exitCode: 74) {
      $0.output = .schema(
        ServerSchema(connection: "postgresql:///lego", name: "rebrickable"), address: "out.sqlite")
    }
  }()

  /// Hostile text, for data and file names.
  static let attack =
    "<script>alert('1')</script>&amp;\"quotes\"\u{0}\u{1b}[31m\u{7f}\u{85}\u{202e}gnp\u{2028}\u{feff}]]>"

  static let hostile: ReportFacts = {
    var report = cleanReport
    var source = Self.source(attack, records: 1000, rejected: 1, header: [attack, "é"])
    source.gzip?.originalName = attack
    report.tables[0] = account("nodes", [source])
    report.tables[0].rejectedByCode = [.missingParent: 1]
    report.rejects = [
      Reject(
        table: "nodes", file: attack, record: 1, lines: 2...2, offset: 0, length: 10,
        extentIsCertain: true,
        reasons: [
          .init(code: .missingParent, column: attack, value: attack, message: "no \(attack)!")
        ])
    ]
    report.warnings = [
      Warning(
        file: attack, code: .columnUnknown, table: attack, column: attack, attack,
        change: .column(ColumnDescription(attack, .text), ofTable: attack))
    ]
    var table = DatabaseChanges.Table(name: attack)
    table.rowsBefore = 10
    table.rowsAfter = 10
    table.nulls = [(column: attack, before: 1, after: 2)]
    report.changes = DatabaseChanges()
    report.changes?.tables = [table]
    report.rejectsFolder = attack
    report.ending = .unpublished(refused: attack)
    report.failures = [IngestError(.data, attack)]
    return facts(report, exitCode: 65) {
      $0.source = attack
      $0.output = .file(path: attack)
      $0.repairsFolder = attack
      $0.rejectsFolder = attack
      $0.rejectLimits.tables[attack] = .records(1)
      $0.allowedMissing = .tables([attack])
    }
  }()
}

extension StageTime {
  fileprivate init(_ stage: Stage, table: String? = nil, start: Double, end: Double) {
    self.init(stage: stage, table: table, start: start, end: end)
  }
}
