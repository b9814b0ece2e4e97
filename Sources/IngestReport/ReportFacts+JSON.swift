import Schema
import Vocabulary
import Platform
import Text
import SQLiteSwiftly

extension ReportFacts {
  /// The report as JSON, as `outcome.schema.json` describes it.
  var json: String { document.written(as: .report) + "\n" }

  private var document: JSON {
    let verdict = outcome.verdict
    return [
      // New keys do not change the version of the format.
      "versions": [
        "report": JSON(2), "tool": JSON(toolVersion),
        "sqlite": JSON(SQLiteLibrary.version), "schema": JSON(schema.version),
      ],
      "written_at": JSON(utc(time)), "host": JSON(host),
      "command": JSON(options.command.isEmpty ? nil : options.command),
      "options": JSON(
        Dictionary(uniqueKeysWithValues: options.requested.map { ($0.key, $0.json) })),
      "verdict": [
        "state": JSON(verdict.state.rawValue), "text": JSON(verdict.words),
        "warnings": JSON(
          verdict.warnings.map { ["code": JSON($0.code), "message": JSON($0.message)] as JSON }),
        "outcome": JSON(outcomeName), "first_step": JSON(outcome.firstStep(options)),
        "failures": JSON(outcome.failures.map(json)),
        "previous_database": JSON(outcome.previousDatabase?.rawValue),
        "output_bytes": JSON(outcome.isPublished ? outcome.bytes : nil),
        "rejects_folder": JSON(outcome.rejectsFolder),
        "refused_database": JSON(outcome.refusedDatabase),
      ],
      "data": outcome.tables.dataTime(at: time).map { data in
        ["time": JSON(data.text), "age_seconds": JSON(data.age(at: time))] as JSON
      } ?? .null,
      "exit_code": JSON(exitCode),
      "totals": [
        "bytes": JSON(outcome.tables.reduce(0) { $0 + $1.bytes }),
        "read": JSON(outcome.read), "inserted": JSON(isCounted ? outcome.inserted : nil),
        "rejected": JSON(outcome.rejected), "left_out": JSON(outcome.leftOut),
      ],
      "files": JSON(
        // An unchanged run reads no files.
        (outcome.isUnchanged ? [] : outcome.tables).flatMap { table in
          table.sources.map { json($0, of: table.table) }
        }),
      "tables": JSON(outcome.tables.map(json)),
      "unread_tables": JSON(unreadTables),
      "rejects": JSON(
        rejectGroups.map { group -> JSON in
          [
            "table": JSON(group.table), "code": JSON(group.code.rawValue),
            "total": JSON(group.total), "samples": JSON(group.samples.map(json)),
          ]
        }),
      "warnings": JSON(outcome.warnings.map(json)),
      "suppressed": JSON(
        Dictionary(grouping: outcome.suppressed, by: \.code.rawValue).mapValues { JSON($0.count) }),
      "changes": outcome.changes.map { ["tables": JSON($0.tables.map(json))] } ?? .null,
      "unchanged": !outcome.isUnchanged
        ? .null
        : [
          "files": JSON(outcome.tables.reduce(0) { $0 + $1.sources.count }),
          "rows": JSON(outcome.inserted), "rejected": JSON(outcome.rejected),
          "bytes": JSON(outcome.bytes),
        ],
      "repairs": JSON(
        outcome.tables.flatMap { table in table.repairs.map { json($0, of: table.table) } }),
      "sql": JSON(outcome.sqlFiles.map(json)),
      "search": outcome.search.map { search in
        [
          "entries": JSON(search.entries), "bytes": JSON(search.bytes),
          "seconds": JSON(seconds: search.seconds),
        ] as JSON
      } ?? .null,
      "publishing": outcome.publishing.map { choice in
        ["mode": JSON(choice.mode.rawValue), "reason": JSON(choice.reasonWords)] as JSON
      } ?? .null,
      "stages": JSON(outcome.stages.map(json)),
      "waits": [
        "reader_seconds": JSON(seconds: outcome.readerWaited),
        "writer_seconds": JSON(seconds: outcome.writerWaited),
        "lock_seconds": JSON(seconds: outcome.waitedForOthers),
      ],
      "seconds": JSON(seconds: outcome.seconds),
    ]
  }

  private func json(_ error: IngestError) -> JSON {
    let kind =
      switch error.kind {
      case .usage: "usage"
      case .data: "data"
      case .inputMissing: "input_missing"
      case .fault: "fault"
      case .output: "output"
      case .inputOutput: "input_output"
      case .uncertain: "uncertain"
      case .locked: "locked"
      case .interrupted: "interrupted"
      }
    return ["kind": JSON(kind), "code": JSON(error.code?.name), "message": JSON(error.message)]
  }

  private func json(_ source: SourceCounts, of table: String) -> JSON {
    [
      "name": JSON(source.name), "table": JSON(table), "is_repairs": JSON(source.isRepairs),
      "size": JSON(source.size),
      "gzip": source.gzip.map {
        [
          "members": JSON($0.members), "time_stamp": JSON($0.timeStamp),
          "time_stamp_utc": JSON($0.timeStamp.map { utc(Int($0)) }),
          "original_name": JSON($0.originalName),
        ]
      } ?? .null,
      "zip": source.zip.map {
        ["name": JSON($0.name), "local_time": JSON($0.localTime.map(zoneless))]
      } ?? .null,
      "crc32": JSON(source.crc32.hexadecimal), "header": JSON(source.header),
      "bytes": json(source.byteBalance),
      "records": json(source.recordBalance),
      "warnings": JSON(outcome.warnings.filter { $0.file == source.name }.map(\.code.rawValue)),
    ]
  }

  /// The parts of the bytes or records, with the rest; comments are omitted if there are none.
  private func json(_ balance: SourceCounts.Balance) -> JSON {
    let parts = balance.parts.filter { $0.key != "comments" || $0.count > 0 }
    let all =
      [("read", balance.read), ("unaccounted", balance.rest)]
      + parts.map { ($0.key, $0.count) }
    return JSON(Dictionary(uniqueKeysWithValues: all.map { ($0.0, JSON($0.1)) }))
  }

  private func json(_ counts: TableCounts) -> JSON {
    let columns = schema.tables.first { $0.name == counts.table }?.columns.map(\.name) ?? []
    let nulls = zip(columns, counts.nulls).map { ($0, JSON($1)) }
    return [
      "name": JSON(counts.table), "file": JSON(counts.file),
      "failure_code": JSON(counts.failure?.rawValue), "rows_before": JSON(counts.before),
      "read": JSON(counts.read), "inserted": JSON(isCounted ? counts.inserted : nil),
      "rejected": JSON(counts.rejected), "left_out": JSON(counts.leftOut),
      "rejected_by_code": json(counts.rejectedByCode),
      "reasons_by_code": json(counts.reasonsByCode),
      "nulls": nulls.isEmpty
        ? .null : JSON(Dictionary(nulls, uniquingKeysWith: { first, _ in first })),
      "seconds": isCounted ? JSON(seconds: counts.seconds) : .null,
    ]
  }

  private func json(_ counts: [RecordCode: Int]) -> JSON {
    JSON(counts.reduce(into: [:]) { if $1.value > 0 { $0[$1.key.rawValue] = JSON($1.value) } })
  }

  private func json(_ reject: Reject) -> JSON {
    let reasons = reject.reasons.map { reason -> JSON in
      [
        "code": JSON(reason.code.rawValue), "column": JSON(reason.column),
        "value": JSON(reason.value), "message": JSON(reason.message),
      ]
    }
    return [
      "file": JSON(reject.file), "record": JSON(reject.record),
      "first_line": JSON(reject.lines.lowerBound), "last_line": JSON(reject.lines.upperBound),
      "offset": JSON(reject.offset), "length": JSON(reject.length),
      "extent_is_certain": JSON(reject.extentIsCertain), "reasons": JSON(reasons),
    ]
  }

  private func json(_ warning: Warning) -> JSON {
    [
      "code": JSON(warning.code.rawValue), "is_schema_drift": JSON(warning.code.isSchemaDrift),
      "affects_verdict": JSON(warning.code.affectsVerdict), "file": JSON(warning.file),
      "table": JSON(warning.table), "column": JSON(warning.column),
      "message": JSON(warning.message), "suppression": JSON(warning.suppression),
      "change": JSON(warning.change?.instruction),
      "difference": warning.difference?.json ?? .null,
    ]
  }

  private func json(_ table: DatabaseChanges.Table) -> JSON {
    let nulls = table.nulls.map { nulls -> JSON in
      ["column": JSON(nulls.column), "before": JSON(nulls.before), "after": JSON(nulls.after)]
    }
    return [
      "name": JSON(table.name), "rows_before": JSON(table.rowsBefore),
      "rows_after": JSON(table.rowsAfter), "keys": table.keys?.json ?? .null, "nulls": JSON(nulls),
    ]
  }

  private func json(_ counts: RepairCounts, of table: String) -> JSON {
    [
      "file": JSON(counts.file), "table": JSON(table), "kind": JSON(counts.kind.rawValue),
      "size": JSON(counts.size), "crc32": JSON(counts.crc32.hexadecimal),
      "records": JSON(counts.records), "applied": JSON(counts.applied),
      "needless": JSON(counts.needless), "inapplicable": JSON(counts.inapplicable),
    ]
  }

  private func json(_ result: SQLFileResult) -> JSON {
    [
      "file": JSON(result.file), "statements": JSON(result.statements),
      "objects": JSON(
        result.objects.map { ["type": JSON($0.type), "name": JSON($0.name)] as JSON }),
      "seconds": result.statements == nil ? .null : JSON(seconds: result.seconds),
    ]
  }

  private func json(_ time: StageTime) -> JSON {
    [
      "stage": JSON(time.stage.rawValue), "table": JSON(time.table),
      "start": JSON(seconds: time.start), "end": JSON(seconds: time.end),
      "seconds": JSON(seconds: time.seconds),
    ]
  }
}
