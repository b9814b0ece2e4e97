import Schema
import Vocabulary
import Platform
import Text
import SQLiteSwiftly

extension ReportFacts {
  /// The version of the report's format; new keys do not change it.
  static let formatVersion = 2

  /// The report as JSON, as `report.schema.json` describes it.
  var json: String { document.written(as: .report) + "\n" }

  private var document: JSON {
    [
      "versions": [
        "report": JSON(Self.formatVersion), "tool": JSON(toolVersion),
        "sqlite": JSON(SQLiteLibrary.version), "schema": JSON(schema.version),
      ],
      "written_at": JSON(utc(time)),
      "host": JSON(host),
      "command": JSON(options.command.isEmpty ? nil : options.command),
      "options": options.json,
      "verdict": [
        "state": JSON(report.verdict.state),
        "text": JSON(report.verdictWords(isDryRun: options.isDryRun)),
        "warnings": JSON(
          report.verdict.verdictWarnings.map {
            ["code": JSON($0.code), "message": JSON($0.message)] as JSON
          }),
        "outcome": JSON(outcome.rawValue),
        "first_step": JSON(report.firstStep),
        "failures": JSON(report.failures.map(\.json)),
        "previous_database": JSON(report.previousDatabase?.rawValue),
        "output_bytes": JSON(report.outputBytes),
        "rejects_folder": JSON(report.rejectsFolder),
        "refused_database": JSON(report.keptCandidate),
      ],
      "data": report.tables.dataTime(at: time).map { data in
        [
          "time": JSON(data.text), "age_seconds": JSON(data.age(at: time)),
        ] as JSON
      } ?? .null,
      "exit_code": JSON(exitCode),
      "totals": [
        "bytes": JSON(report.tables.reduce(0) { $0 + $1.bytes }),
        "read": JSON(report.read),
        "inserted": JSON(isCounted ? report.inserted : nil),
        "rejected": JSON(report.rejected),
        "left_out": JSON(report.leftOut),
      ],
      "files": JSON(
        // An unchanged run reads no files.
        (report.unchanged == nil ? report.tables : []).flatMap { table in
          table.sources.map { $0.json(of: table.table, report.warnings) }
        }),
      "tables": JSON(report.tables.map(json(of:))),
      "unread_tables": JSON(unreadTables),
      "rejects": JSON(rejectGroups.map(\.json)),
      "warnings": JSON(report.warnings.map(\.json)),
      "suppressed": JSON(
        Dictionary(grouping: report.suppressed, by: \.code.rawValue).mapValues { JSON($0.count) }),
      "changes": report.changes?.json ?? .null,
      "unchanged": report.unchanged?.json ?? .null,
      "repairs": JSON(
        report.tables.flatMap { table in table.repairs.map { $0.json(of: table.table) } }),
      "sql": JSON(report.sqlFiles.map(\.json)),
      "search": report.search?.json ?? .null,
      "publishing": report.publishing?.json ?? .null,
      "stages": JSON(report.stages.map(\.json)),
      "waits": [
        "reader_seconds": JSON(seconds: report.readerWaited),
        "writer_seconds": JSON(seconds: report.writerWaited),
        "lock_seconds": JSON(seconds: report.waitedForOthers),
      ],
      "seconds": JSON(seconds: report.seconds),
    ]
  }

  private func json(of counts: TableCounts) -> JSON {
    let columns = schema.tables.first { $0.name == counts.table }?.columns.map(\.name) ?? []
    let nulls = zip(columns, counts.nulls).map { ($0, JSON($1)) }
    return [
      "name": JSON(counts.table),
      "file": JSON(counts.file),
      "failure_code": JSON(counts.failure?.rawValue),
      "rows_before": JSON(counts.before),
      "read": JSON(counts.read),
      "inserted": JSON(isCounted ? counts.inserted : nil),
      "rejected": JSON(counts.rejected),
      "left_out": JSON(counts.leftOut),
      "rejected_by_code": counts.rejectedByCode.json,
      "reasons_by_code": counts.reasonsByCode.json,
      "nulls": nulls.isEmpty
        ? .null : JSON(Dictionary(nulls, uniquingKeysWith: { first, _ in first })),
      "seconds": isCounted ? JSON(seconds: counts.seconds) : .null,
    ]
  }
}

extension IngestOptions {
  fileprivate var json: JSON {
    let allowMissing =
      switch allowedMissing {
      case .all: ["all"]
      case .tables(let names): names.sorted()
      }
    return [
      "source": JSON(source),
      "output": JSON(output),
      "max_rejects": [
        "run": JSON(rejectLimits.run.description),
        "tables": JSON(rejectLimits.tables.mapValues { JSON($0.description) }),
      ],
      "max_shrink": shrinkLimits.json,
      "max_change": changeLimits.json,
      "allow_missing": JSON(allowMissing),
      "allow_older": JSON(allowsOlder),
      "max_age_seconds": JSON(maxAge),
      "record_limit": JSON(recordLimit),
      "key_memory_limit": JSON(keyMemory),
      "sql_files": JSON(sqlFiles),
      "suppress_file": JSON(suppressFile),
      "strict_schema": JSON(isStrict),
      "dry_run": JSON(isDryRun),
      "if_changed": JSON(skipsUnchanged),
      "search": JSON(hasSearch),
      "rejects_folder": JSON(rejectsFolder),
      "repairs_folder": JSON(repairsFolder),
    ]
  }
}

extension PercentLimits {
  fileprivate var json: JSON {
    ["run": JSON(run), "tables": JSON(tables.mapValues { JSON($0) })]
  }
}

extension IngestError {
  fileprivate var json: JSON {
    let kindName =
      switch kind {
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
    return ["kind": JSON(kindName), "code": JSON(code?.name), "message": JSON(message)]
  }
}

extension SourceCounts {
  /// The parts of the bytes or records, with the rest, which is 0 unless an unusable file was not read to its end.
  ///
  /// Comments are omitted if there are none.
  private func json(of parts: [Part], read: Int) -> JSON {
    let rest = read - parts.reduce(0) { $0 + $1.count }
    let shown = parts.filter { $0.key != "comments" || $0.count > 0 }.map { ($0.key, $0.count) }
    let all = [("read", read), ("unaccounted", rest)] + shown
    return JSON(Dictionary(uniqueKeysWithValues: all.map { ($0.0, JSON($0.1)) }))
  }

  fileprivate func json(of table: String, _ warnings: [Warning]) -> JSON {
    [
      "name": JSON(name),
      "table": JSON(table),
      "is_repairs": JSON(isRepairs),
      "size": JSON(size),
      "gzip": gzip.map {
        [
          "members": JSON($0.members), "time_stamp": JSON($0.timeStamp),
          "time_stamp_utc": JSON($0.timeStamp.map { utc(Int($0)) }),
          "original_name": JSON($0.originalName),
        ]
      } ?? .null,
      "zip": zip.map {
        ["name": JSON($0.name), "local_time": JSON($0.localTime.map(zoneless))]
      } ?? .null,
      "crc32": JSON(crc32.hexadecimal),
      "header": JSON(header),
      "bytes": json(of: byteParts, read: bytes),
      "records": json(of: recordParts, read: records),
      "warnings": JSON(warnings.filter { $0.file == name }.map(\.code.rawValue)),
    ]
  }
}

extension ReportFacts.RejectGroup {
  fileprivate var json: JSON {
    [
      "table": JSON(table), "code": JSON(code.rawValue), "total": JSON(total),
      "samples": JSON(samples.map(\.json)),
    ]
  }
}

extension Reject {
  fileprivate var json: JSON {
    let reasons = reasons.map { reason -> JSON in
      [
        "code": JSON(reason.code.rawValue), "column": JSON(reason.column),
        "value": JSON(reason.value), "message": JSON(reason.message),
      ]
    }
    return [
      "file": JSON(file), "record": JSON(record), "first_line": JSON(lines.lowerBound),
      "last_line": JSON(lines.upperBound), "offset": JSON(offset), "length": JSON(length),
      "extent_is_certain": JSON(extentIsCertain), "reasons": JSON(reasons),
    ]
  }
}

extension Warning {
  fileprivate var json: JSON {
    [
      "code": JSON(code.rawValue), "is_schema_drift": JSON(code.isSchemaDrift),
      "affects_verdict": JSON(code.affectsVerdict), "file": JSON(file),
      "table": JSON(table), "column": JSON(column), "message": JSON(message),
      "suppression": JSON(suppression), "change": JSON(change?.instruction),
    ]
  }
}

extension CatalogChanges {
  fileprivate var json: JSON {
    let tables = tables.map { table -> JSON in
      let nulls = table.nulls.map {
        ["column": JSON($0.column), "before": JSON($0.before), "after": JSON($0.after)] as JSON
      }
      return [
        "name": JSON(table.name), "rows_before": JSON(table.rowsBefore),
        "rows_after": JSON(table.rowsAfter), "keys": table.keys?.json ?? .null,
        "nulls": JSON(nulls),
      ]
    }
    return ["tables": JSON(tables)]
  }
}

extension RepairCounts {
  fileprivate func json(of table: String) -> JSON {
    [
      "file": JSON(file), "table": JSON(table), "kind": JSON(kind.rawValue), "size": JSON(size),
      "crc32": JSON(crc32.hexadecimal), "records": JSON(records), "applied": JSON(applied),
      "needless": JSON(needless), "inapplicable": JSON(inapplicable),
    ]
  }
}

extension SQLFileResult {
  fileprivate var json: JSON {
    [
      "file": JSON(file), "statements": JSON(statements),
      "objects": JSON(objects.map { ["type": JSON($0.type), "name": JSON($0.name)] as JSON }),
      "seconds": statements == nil ? .null : JSON(seconds: seconds),
    ]
  }
}

extension UnchangedCatalog {
  fileprivate var json: JSON {
    ["files": JSON(files), "rows": JSON(rows), "rejected": JSON(rejected), "bytes": JSON(bytes)]
  }
}

extension SearchResult {
  fileprivate var json: JSON {
    ["entries": JSON(entries), "bytes": JSON(bytes), "seconds": JSON(seconds: seconds)]
  }
}

extension StageTime {
  fileprivate var json: JSON {
    [
      "stage": JSON(stage.rawValue), "table": JSON(table), "start": JSON(seconds: start),
      "end": JSON(seconds: end), "seconds": JSON(seconds: end - start),
    ]
  }
}

extension [RecordCode: Int] {
  fileprivate var json: JSON {
    JSON(reduce(into: [:]) { if $1.value > 0 { $0[$1.key.rawValue] = JSON($1.value) } })
  }
}
