@testable import Vocabulary
import CSV
import Foundation
import Quarantine
import SQLiteSwiftly
import Schema
import TestSupport
@testable import Run
import SQLiteDestination
@testable import IngestReport

/// What must hold of a run, whatever the dumps were.
struct PipelineCheck {
  let dumps: [FuzzedDump]
  let workplace: PipelineWorkplace
  let options: IngestOptions
  /// The mistake: rejected records are read as text, without the carriage returns.
  var losesReturns = false

  init(dumps: [FuzzedDump], workplace: PipelineWorkplace, options: IngestOptions) {
    self.dumps = dumps
    self.workplace = workplace
    self.options = options
  }

  func check(_ report: IngestOutcome) {
    checkFailures(report)
    for account in report.tables { check(account, report) }
    checkOutput(report)
  }

  /// Whatever became of the run, it can be told.
  func checkReport(_ report: IngestOutcome) {
    let facts = ReportFacts(
      report, options: options, schema: Family.schema, exitCode: 0, toolVersion: "1")
    let json = facts.json
    require(json.hasSuffix("}\n"), "\(context) the report is \(json.debugDescription)")
    require(!facts.html.isEmpty, "\(context) the page is empty")
  }

  private var context: String {
    let texts = dumps.map { dump in
      "\(dump.name): \(dump.content.map { "\($0)" } ?? "a damaged gzip file")"
    }
    return "\(options)\n\(texts.joined(separator: "\n"))\n"
  }

  private func checkFailures(_ report: IngestOutcome) {
    for failure in report.failures {
      require([.data, .inputMissing].contains(failure.kind), "\(context) \(failure)")
      requirePlain(failure.message)
    }
    let isComplete = dumps.count == Family.schema.tables.count
    if report.failure?.kind == .inputMissing {
      require(
        !isComplete && options.allowedMissing != .all || dumps.isEmpty, "\(context) is not missing")
    }
    for warning in report.warnings {
      requirePlain(warning.message + (warning.change?.instruction ?? ""))
    }
    for reject in report.rejects {
      require(!reject.reasons.isEmpty, "\(context) no reason: \(reject)")
      for reason in reject.reasons { requirePlain(reason.message + (reason.value ?? "")) }
    }
  }

  // MARK: - Accounts

  private func check(_ account: TableCounts, _ report: IngestOutcome) {
    guard let source = account.sources.first,
      let dump = dumps.first(where: { $0.name == source.name })
    else { return }
    let context = "\(context) \(account)"
    require(account.sources.count == 1, context)
    require(account.rejectedByCode.values.reduce(0, +) == source.rejected.records, context)
    require(account.reasonsByCode.values.reduce(0, +) >= source.rejected.records, context)
    if source.isComplete {
      require(account.imbalances.isEmpty, "\(context) \(account.imbalances)")
      guard let content = dump.content else { fatalError("\(context) damaged, and complete") }
      require(source.bytes == content.count, context)
      let expected = reading(content)
      require(source.records == expected.records.count - 1, "\(context) \(expected)")
    }
    guard report.rejectsFolder != nil, source.rejected.records > 0, let content = dump.content
    else { return }
    checkKept(account, content)
  }

  private func reading(_ content: [UInt8]) -> Reading {
    do throws(CSVError) {
      return try ReferenceReader(
        content, recordLimit: options.recordLimit, fieldLimit: TableDescription.maximumColumns
      )
      .read()
    } catch {
      fatalError("\(context) was read, though \(error)")
    }
  }

  /// The rejected records are kept byte for byte, each with a line end, after the dump's header.
  private func checkKept(_ account: TableCounts, _ content: [UInt8]) {
    let list = "\(workplace.rejects)/\(account.table).reasons.csv"
    guard var kept = readFile("\(workplace.rejects)/\(account.table).csv"),
      let reasons = readFile(list),
      let rows = try? ReferenceReader(reasons, recordLimit: 1 << 30, fieldLimit: 20).read().records
    else { fatalError("\(context) \(account.table): the rejected records are not there") }
    if losesReturns { kept.removeAll { $0 == 13 } }
    require(rows.count - 1 == account.reasonsByCode.values.reduce(0, +), "\(context) \(rows)")
    let header = reading(content).records[0]
    var expected = line(content[header.offset..<header.offset + header.length])
    var tooLong: [UInt8] = []
    var last = -1
    var count = 0
    for row in rows.dropFirst() {
      require(row.faults.isEmpty && row.fields.count == 12, "\(context) \(list): \(row)")
      let numbers = [4, 5].map { Int(String(decoding: row.fields[$0], as: UTF8.self)) ?? -1 }
      guard numbers[0] != last else { continue }
      last = numbers[0]
      count += 1
      let record = line(content[numbers[0]..<numbers[0] + numbers[1]])
      if row.fields[8].elementsEqual("record-too-long".utf8) {
        tooLong += record
      } else {
        expected += record
      }
    }
    require(count == account.rejected, "\(context) \(count) records in \(list)")
    require(kept == expected + tooLong, "\(context) kept \(kept), not \(expected + tooLong)")
  }

  /// The record as it is kept: with a line end that leaves a carriage return at its end to it.
  private func line(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    switch bytes.last {
    case 10: Array(bytes)
    case 13: bytes + [13, 10]
    default: bytes + [10]
    }
  }

  // MARK: - The catalog

  private func checkOutput(_ report: IngestOutcome) {
    let isThere = workplace.names.contains("out.sqlite")
    require(isThere == (report.failure == nil && !options.isDryRun), "\(context) \(report)")
    let expected: Set = [
      "dumps", "out.sqlite", "out.sqlite.rejects", "out.sqlite.rejects.previous",
      ".out.sqlite.ingest.lock",
    ]
    require(expected.isSuperset(of: workplace.names), "\(context) left behind: \(workplace.names)")
    guard isThere else { return }
    for (account, rows) in zip(report.tables, rows) {
      require(rows.count == account.inserted, "\(context) \(account): \(rows.count) rows")
      require(rows.count == account.loaded, "\(context) \(account): \(rows.count) rows")
    }
  }

  /// The rows of all tables, of a file that is found sound.
  private var rows: [[[UInt8]]] {
    do {
      let connection = try Connection(workplace.output, opening: .readOnly)
      let findings = try connection.query("PRAGMA integrity_check").map { "\($0)" }
      require(findings.count == 1 && findings[0].contains("ok"), "\(context) \(findings)")
      let orphans = try connection.query("PRAGMA foreign_key_check")
      require(orphans.isEmpty, "\(context) \(orphans)")
      return try Family.schema.tables.map { table in
        let columns = table.columns.indices.map { "\($0 + 1)" }.joined(separator: ",")
        let sql = SQL(generated: "SELECT * FROM \"\(table.name)\" ORDER BY \(columns)")
        return try connection.query(sql).map { Array("\($0)".utf8) }
      }
    } catch {
      fatalError("\(context) \(error)")
    }
  }

  /// The rejected records, left out by repairs, change no row.
  func checkRepairs(of report: IngestOutcome) {
    let rows = rows
    let context = "\(context) repairs of \(report.tables): "
    // The editor leaves nothing but the headers.
    for table in Family.schema.tables { workplace.cutRejects(of: table.name) }
    do throws(IngestError) {
      let edited = try EditedRejects(
        workplace.rejects, of: Family.schema, source: workplace.dumps,
        recordLimit: options.recordLimit)
      let saved = try edited.save(to: workplace.output + ".repairs")
      // What is too long for a repair is rejected again.
      guard saved.unsaved.isEmpty else { return }
    } catch {
      fatalError("\(context) \(error)")
    }
    var options = options
    options.repairsFolder = workplace.output + ".repairs"
    let repaired = IngestRun(
      Family.schema, into: FileDestination(options.output.name), options: options
    ) { _ in }
    .run()
    require(repaired.failure == nil, "\(context) \(repaired.failures)")
    for (account, old) in zip(repaired.tables, report.tables) {
      require(account.imbalances.isEmpty, "\(context) \(account.imbalances)")
      require(account.rejected == 0, "\(context) \(account)")
      require(account.leftOut == old.leftOut + old.rejected, "\(context) \(account)")
    }
    require(self.rows == rows, "\(context) other rows: \(self.rows), not \(rows)")
  }

  /// The same dumps give the same bytes, in place of what is there.
  func checkSameAgain() {
    let bytes = readFile(workplace.output)
    let report = IngestRun(
      Family.schema, into: FileDestination(options.output.name), options: options
    ) {
      _ in
    }
    .run()
    require(report.failure == nil, "\(context) again: \(report.failures)")
    require(readFile(workplace.output) == bytes, "\(context) other bytes")
  }
}
