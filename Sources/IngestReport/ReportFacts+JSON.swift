import Files
import FoundationEssentials
import IngestPipeline
import SQLiteSwiftly

extension ReportFacts {
  /// The version of the report's own format; a key that is added does not change it.
  static let formatVersion = 1

  /// The report as JSON, as `report.schema.json` describes it.
  var json: String {
    get throws(IngestError) {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      encoder.keyEncodingStrategy = .convertToSnakeCase
      do {
        let text = String(decoding: try encoder.encode(ReportDocument(self)), as: UTF8.self)
        return text.escapingControlsOfJSON + "\n"
      } catch {
        throw IngestError(.fault, "The report cannot be written as JSON: \(error).")
      }
    }
  }
}

extension ReportDocument {
  init(_ facts: ReportFacts) {
    let report = facts.report
    let isCounted = facts.isCounted
    self.init(
      versions: Versions(
        report: ReportFacts.formatVersion, tool: facts.toolVersion, sqlite: SQLiteLibrary.version,
        schema: facts.schema.version),
      writtenAt: utc(facts.time),
      options: Options(facts.options),
      verdict: Verdict(
        outcome: facts.outcome.rawValue, failures: facts.report.failures.map(Failure.init),
        outputBytes: report.outputBytes, rejectsFolder: report.rejectsFolder,
        keptCandidate: report.keptCandidate),
      exitCode: facts.exitCode,
      totals: Totals(
        bytes: report.tables.reduce(0) { $0 + $1.bytes }, read: report.read,
        inserted: isCounted ? report.inserted : nil, rejected: report.rejected,
        replaced: report.tables.reduce(0) { $0 + $1.replaced }),
      files: report.tables.flatMap { table in
        table.sources.map { File($0, table: table.table, notices: report.notices) }
      },
      tables: report.tables.map { account in
        let description = facts.schema.tables.first { $0.name == account.table }
        return Table(
          account, columns: description?.columns.map(\.name) ?? [], isCounted: isCounted)
      },
      unreadTables: facts.unreadTables,
      rejects: facts.rejectGroups.map(RejectGroup.init),
      notices: report.notices.map(NoticeEntry.init),
      changes: report.changes.map(Changes.init),
      stages: report.stages.map(Stage.init),
      waits: Waits(
        readerSeconds: microseconds(report.readerWaited),
        writerSeconds: microseconds(report.writerWaited)),
      seconds: microseconds(report.seconds))
  }
}

extension ReportDocument.Options {
  init(_ options: IngestOptions) {
    let allowMissing =
      switch options.allowedMissing {
      case .all: ["all"]
      case .tables(let names): names.sorted()
      }
    self.init(
      source: options.source,
      output: options.output,
      maxRejects: .init(
        run: options.rejectLimits.run.description,
        tables: options.rejectLimits.tables.mapValues(\.description)),
      maxShrink: .init(run: options.shrinkLimits.run, tables: options.shrinkLimits.tables),
      allowMissing: allowMissing,
      recordLimit: options.recordLimit,
      keyMemoryLimit: options.keyMemory,
      strictSchema: options.isStrict,
      failFast: options.failsFast,
      dryRun: options.isDryRun,
      rejectsFolder: options.rejectsFolder,
      replayedFolder: options.replayedFolder)
  }
}

extension ReportDocument.Failure {
  init(_ error: IngestError) {
    let kind =
      switch error.kind {
      case .data: "data"
      case .inputMissing: "input_missing"
      case .fault: "fault"
      case .output: "output"
      case .inputOutput: "input_output"
      case .locked: "locked"
      case .interrupted: "interrupted"
      }
    self.init(kind: kind, code: error.codeName, message: error.message)
  }
}

extension ReportDocument.File {
  init(_ source: SourceAccount, table: String, notices: [Notice]) {
    self.init(
      name: source.name,
      table: table,
      isRepaired: source.isRepaired,
      size: source.size,
      gzip: source.gzip.map {
        .init(
          members: $0.members, timeStamp: $0.timeStamp,
          timeStampUtc: $0.timeStamp.map { utc(Int($0)) },
          originalName: $0.originalName)
      },
      crc32: source.crc32.hexadecimal,
      header: source.header,
      bytes: .init(
        read: source.bytes, header: source.headerBytes, blank: source.blankBytes,
        loaded: source.loaded.bytes, rejected: source.rejected.bytes,
        replaced: source.replaced.bytes, unaccounted: source.unaccountedBytes),
      records: .init(
        read: source.records, loaded: source.loaded.records, rejected: source.rejected.records,
        replaced: source.replaced.records, unaccounted: source.unaccountedRecords),
      notices: notices.filter { $0.file == source.name }.map(\.code.rawValue))
  }
}

extension ReportDocument.Table {
  init(_ account: TableAccount, columns: [String], isCounted: Bool) {
    self.init(
      name: account.table,
      file: account.file,
      failureCode: account.failure?.rawValue,
      read: account.read,
      inserted: isCounted ? account.inserted : nil,
      rejected: account.rejected,
      replaced: account.replaced,
      rejectedByCode: account.rejectedByCode.byName,
      reasonsByCode: account.reasonsByCode.byName,
      nulls:
        account.nulls.isEmpty
        ? nil : Dictionary(zip(columns, account.nulls), uniquingKeysWith: { first, _ in first }),
      seconds: isCounted ? microseconds(account.seconds) : nil)
  }
}

extension ReportDocument.RejectGroup {
  init(_ group: ReportFacts.RejectGroup) {
    table = group.table
    code = group.code.rawValue
    total = group.total
    samples = group.samples.map { sample in
      .init(
        file: sample.file, record: sample.record, firstLine: sample.lines.lowerBound,
        lastLine: sample.lines.upperBound, offset: sample.offset, length: sample.length,
        extentIsCertain: sample.extentIsCertain,
        reasons: sample.reasons.map {
          .init(
            code: $0.code.rawValue, column: $0.column, value: $0.value, message: $0.message)
        })
    }
  }
}

extension ReportDocument.NoticeEntry {
  init(_ notice: Notice) {
    self.init(
      code: notice.code.rawValue, isDrift: notice.code.isDrift, file: notice.file,
      table: notice.table, column: notice.column, message: notice.message, change: notice.change)
  }
}

extension ReportDocument.Changes {
  init(_ changes: CatalogChanges) {
    tables = changes.tables.map { table in
      .init(
        name: table.name, rowsBefore: table.rowsBefore, rowsAfter: table.rowsAfter,
        keys: table.keys.map { .init(added: $0.added, removed: $0.removed, changed: $0.changed) },
        nulls: table.nulls.map { .init(column: $0.column, before: $0.before, after: $0.after) })
    }
  }
}

extension ReportDocument.Stage {
  init(_ time: StageTime) {
    self.init(
      stage: time.stage.rawValue, table: time.table, start: microseconds(time.start),
      end: microseconds(time.end), seconds: microseconds(time.end - time.start))
  }
}

extension [RecordCode: Int] {
  /// The counts above zero, by the codes as they stand in messages.
  fileprivate var byName: [String: Int] {
    reduce(into: [:]) { if $1.value > 0 { $0[$1.key.rawValue] = $1.value } }
  }
}

/// Seconds with six decimals, and zero for what is no number, which JSON cannot say.
private func microseconds(_ seconds: Double) -> Double {
  seconds.isFinite ? (seconds * 1e6).rounded() / 1e6 : 0
}

extension String {
  /// JSON in which nothing would control a terminal; the encoder escapes no more than JSON must.
  fileprivate var escapingControlsOfJSON: String {
    func isShown(_ scalar: Unicode.Scalar) -> Bool {
      scalar.isASCII
        ? scalar != "\u{7f}" : ![.control, .format].contains(scalar.properties.generalCategory)
    }
    guard !unicodeScalars.allSatisfy(isShown) else { return self }
    var escaped = ""
    for scalar in unicodeScalars {
      if isShown(scalar) {
        escaped.unicodeScalars.append(scalar)
      } else {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          escaped += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
        }
      }
    }
    return escaped
  }
}
